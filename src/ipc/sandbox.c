/* SPDX-License-Identifier: Apache-2.0 */
/* A process confines itself, and then asks the kernel whether it is so. */
#include "ipc/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "ipc/sandbox_seccomp.h"
#include "ipc/sandbox_table.h"

/* -- what is in force ------------------------------------------------------ */

/* From a /proc/self/status that was opened before. */
static bool
sandbox_has_filter(int status)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct err none = { 0 };
	struct str text = { 0 };

	return path_read(status, 32 << 10, a, &text, &none) == 0 &&
	    str_find(text, S("\nSeccomp:\t2\n")) >= 0;
}

/*
 * By trying what the row does not allow: for most to open the topmost folder,
 * and for a row with all files to make a pipe in its first one.
 */
static bool
sandbox_is_refused(const struct sandbox_row *row, const char *first)
{
	CLEANUP(path_close) int fd = -1;

	if (row->land != SANDBOX_ALL) {
		fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		return fd < 0 && errno == EACCES;
	}
	fd = open(first, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mkfifoat(fd, ".emcli-confined", 0600) < 0)
		return errno == EACCES;
	(void)unlinkat(fd, ".emcli-confined", 0);
	return false;
}

int
sandbox_load(struct err *e)
{
	return sandbox_seccomp_load(e);
}

int
sandbox_keep(enum sandbox_kind kind, struct err *e)
{
	return sandbox_filter_keep(&sandbox_table[kind], e);
}

int
sandbox_enter(enum sandbox_kind kind, const struct sandbox_path *v, size_t n,
    struct sandbox_state *out, struct err *e)
{
	const struct sandbox_row *row = &sandbox_table[kind];
	CLEANUP(path_close)
	int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	int version = sandbox_land_version(), filter;
	int land = version > 0 ? sandbox_land_enter(row, version, v, n, e) : 1;

	*out = (struct sandbox_state){ .tried = true, .landlock = version };
	if (land < 0)
		return -1;
	out->files =
	    land == 0 && sandbox_is_refused(row, n > 0 ? v[0].path : "/");
	filter = sandbox_filter_enter(row, e);
	/* A parent's, or systemd's, is seen too. */
	out->calls = filter == 0 && sandbox_has_filter(status);
	return filter < 0 ? -1 : 0;
}

/* -- files that were replaced ---------------------------------------------- */

static uint64_t
sandbox_mix_path(uint64_t h, const struct sandbox_path *p)
{
	char which[64];
	struct stat st;

	/* One that is missing has neither. */
	if (stat(p->path, &st) < 0)
		st = (struct stat){ .st_dev = 0 };
	(void)snprintf(which, sizeof(which), " %d %ju %ju\n", p->write,
	    (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	return str_hash(str_hash(h, str_of(p->path)), str_of(which));
}

/* They are the same for all, and many: one look serves all of a moment. */
static uint64_t
sandbox_system_print(void)
{
	static int64_t until_ms;
	static uint64_t h;
	const struct sandbox_path *sys = sandbox_table_system;

	if (h != 0 && clock_mono_ms() < until_ms)
		return h;
	h = STR_HASH;
	until_ms = clock_mono_ms() + LIMIT_SANDBOX_LOOK_MS;
	for (; sys->path != NULL; sys++)
		/* Another for each process. */
		if (strcmp(sys->path, "/proc") != 0)
			h = sandbox_mix_path(h, sys);
	return h;
}

uint64_t
sandbox_paths_print(enum sandbox_kind kind, const struct sandbox_path *v,
    size_t n)
{
	uint64_t h = sandbox_table[kind].land == SANDBOX_SYSTEM
	    ? sandbox_system_print()
	    : STR_HASH;

	for (size_t i = 0; i < n; i++)
		h = sandbox_mix_path(h, &v[i]);
	return h;
}

/* -- saying it ------------------------------------------------------------- */

const char *
sandbox_name(enum sandbox_kind kind)
{
	return sandbox_table[kind].name;
}

bool
sandbox_is_whole(const struct sandbox_state *s)
{
	return s->calls && s->files;
}

const char *
sandbox_say(const struct sandbox_state *s)
{
	if (sandbox_is_whole(s))
		return "seccomp and Landlock";
	if (s->calls && s->landlock == 0)
		return "seccomp; this kernel has no Landlock";
	if (s->calls)
		return "seccomp; this kernel's Landlock is too old";
	if (s->files)
		return "Landlock; this kernel has no seccomp filter";
	return s->tried ? "not confined: this kernel has neither seccomp nor "
			  "Landlock"
			: "not confined";
}

enum {
	PACK_TRIED = 1 << 0,
	PACK_CALLS = 1 << 1,
	PACK_FILES = 1 << 2,
	PACK_LANDLOCK = 8 /* bits from there */
};

uint32_t
sandbox_pack(const struct sandbox_state *s)
{
	return (s->tried ? PACK_TRIED : 0U) | (s->calls ? PACK_CALLS : 0U) |
	    (s->files ? PACK_FILES : 0U) |
	    (uint32_t)s->landlock << PACK_LANDLOCK;
}

struct sandbox_state
sandbox_unpack(uint32_t n)
{
	return (struct sandbox_state){
		.tried = (n & PACK_TRIED) != 0,
		.calls = (n & PACK_CALLS) != 0,
		.files = (n & PACK_FILES) != 0,
		.landlock = (int)(n >> PACK_LANDLOCK),
	};
}
