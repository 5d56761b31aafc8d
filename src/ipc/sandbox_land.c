/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Landlock by system call, from its version 1 on (landlock(7)): a process says
 * which files it will use, and the kernel refuses all others.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"
#include "ipc/sandbox_table.h"

/* linux/landlock.h; older headers lack what newer kernels have. */
enum {
	LAND_EXECUTE = 1 << 0,
	LAND_WRITE_FILE = 1 << 1,
	LAND_READ_FILE = 1 << 2,
	LAND_READ_DIR = 1 << 3,
	LAND_REMOVE_DIR = 1 << 4,
	LAND_REMOVE_FILE = 1 << 5,
	LAND_MAKE_CHAR = 1 << 6,
	LAND_MAKE_DIR = 1 << 7,
	LAND_MAKE_REG = 1 << 8,
	LAND_MAKE_SOCK = 1 << 9,
	LAND_MAKE_FIFO = 1 << 10,
	LAND_MAKE_BLOCK = 1 << 11,
	LAND_MAKE_SYM = 1 << 12,
	LAND_REFER = 1 << 13,     /* version 2 */
	LAND_TRUNCATE = 1 << 14,  /* 3 */
	LAND_IOCTL_DEV = 1 << 15, /* 5 */

	LAND_FIRST = LAND_REFER - 1, /* all of version 1 */
	LAND_READ = LAND_READ_FILE | LAND_READ_DIR,
	LAND_WRITE = LAND_WRITE_FILE | LAND_REMOVE_DIR | LAND_REMOVE_FILE |
	    LAND_MAKE_DIR | LAND_MAKE_REG | LAND_MAKE_SYM | LAND_REFER |
	    LAND_TRUNCATE,
	/* Of a rule on what is no folder. */
	LAND_OF_FILE = LAND_EXECUTE | LAND_WRITE_FILE | LAND_READ_FILE |
	    LAND_TRUNCATE | LAND_IOCTL_DEV,

	LAND_BIND_TCP = 1 << 0, /* version 4 */
	LAND_CONNECT_TCP = 1 << 1,

	LAND_SCOPE_ABSTRACT = 1 << 0, /* version 6 */
	LAND_SCOPE_SIGNAL = 1 << 1,

	LAND_VERSION = 1 << 0, /* a flag of landlock_create_ruleset(2) */
	LAND_BENEATH = 1       /* the type of a rule on a path */
};

struct land_ruleset {
	uint64_t files, net, scoped;
};

struct land_rule {
	uint64_t files;
	int32_t parent;
} __attribute__((packed));

/* A ruleset being made. */
struct land {
	int fd;
	uint64_t files; /* which the kernel knows */
};

int
sandbox_land_version(void)
{
	long v = syscall(SYS_landlock_create_ruleset, NULL, 0, LAND_VERSION);

	return v > 0 ? (int)v : 0;
}

static uint64_t
sandbox_land_files(int version)
{
	uint64_t known = LAND_FIRST;

	if (version >= 2)
		known |= LAND_REFER;
	if (version >= 3)
		known |= LAND_TRUNCATE;
	if (version >= 5)
		known |= LAND_IOCTL_DEV;
	return known;
}

/* A missing file needs no rule: it cannot be opened. */
static int
sandbox_land_allow(const struct land *l, const char *path, uint64_t files)
{
	CLEANUP(path_close) int fd = open(path, O_PATH | O_CLOEXEC);
	struct land_rule rule = { .files = files & l->files, .parent = fd };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return 0;
	if (!S_ISDIR(st.st_mode))
		rule.files &= LAND_OF_FILE;
	return (
	    int)syscall(SYS_landlock_add_rule, l->fd, LAND_BENEATH, &rule, 0);
}

static int
sandbox_land_allow_all(const struct land *l, const struct sandbox_path *v,
    size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sandbox_land_allow(l, v[i].path,
			v[i].write ? LAND_READ | LAND_WRITE : LAND_READ) < 0)
			return -1;
	return 0;
}

static size_t
sandbox_land_count(const struct sandbox_path *v)
{
	size_t n = 0;

	while (v[n].path != NULL)
		n++;
	return n;
}

static int
sandbox_land_fill(const struct land *l, const struct sandbox_row *row,
    const struct sandbox_path *v, size_t n)
{
	const struct sandbox_path *sys = sandbox_table_system;

	if (row->land == SANDBOX_NOTHING)
		return 0;
	if (row->land == SANDBOX_ALL)
		return sandbox_land_allow(l, "/",
		    LAND_READ | LAND_WRITE | LAND_IOCTL_DEV);
	if (row->land == SANDBOX_SYSTEM &&
	    sandbox_land_allow_all(l, sys, sandbox_land_count(sys)) < 0)
		return -1;
	return sandbox_land_allow_all(l, v, n);
}

/* What is not about files: of the network only TCP is known to it. */
static struct land_ruleset
sandbox_land_ruleset(const struct sandbox_row *row, int version)
{
	struct land_ruleset rules = { .files = sandbox_land_files(version) };

	if (version >= 4)
		rules.net = LAND_BIND_TCP |
		    (row->net == SANDBOX_NET ? 0 : LAND_CONNECT_TCP);
	/* The monitor tells systemd by such a socket, and ends processes that
	 * are not below it. */
	if (version >= 6 && (row->calls & SANDBOX_RULE) == 0)
		rules.scoped = LAND_SCOPE_ABSTRACT | LAND_SCOPE_SIGNAL;
	return rules;
}

static size_t
sandbox_land_size(int version)
{
	return sizeof(uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
}

int
sandbox_land_enter(const struct sandbox_row *row, int version,
    const struct sandbox_path *v, size_t n, struct err *e)
{
	struct land_ruleset rules = sandbox_land_ruleset(row, version);
	CLEANUP(path_close) int fd = -1;
	struct land l = { .files = rules.files };

	/* The first version forbids all moves between folders. */
	if (version < (row->land >= SANDBOX_SYSTEM ? 2 : 1))
		return 1;
	l.fd = fd = (int)syscall(SYS_landlock_create_ruleset, &rules,
	    sandbox_land_size(version), 0);
	if (fd >= 0 && sandbox_land_fill(&l, row, v, n) == 0 &&
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    syscall(SYS_landlock_restrict_self, fd, 0) == 0)
		return 0;
	(void)err_set(e, ERR_INTERNAL,
	    "a process of the broker cannot be confined to its files");
	return err_errno(e, row->name);
}
