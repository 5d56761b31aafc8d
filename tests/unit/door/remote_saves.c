/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a broker would have the client save: which names and bytes it
 * takes. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/remote/internal.h"

#define ALL (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define NAMED(stem, ext)                                                       \
	"{\"stem\":\"" stem "\",\"ext\":\"" ext "\",\"bytes\":3}"

static const struct row {
	const char *why;
	const char *payload;
	int seals;        /* of the file that comes; -1: none comes */
	const char *made; /* NULL: no file */
	const char *says; /* what the broker is told; NULL: nothing */
} rows[] = {
	{ "a file", NAMED("a", ".txt"), ALL, "a.txt", "{\"n\":1}" },
	{ "a name that is taken", NAMED("old", ""), ALL, "old-2", "{\"n\":2}" },
	{ "all are to be kept", "{\"keep\":true}", -1, NULL, "{\"n\":0}" },
	{ "a path", NAMED("a/b", ""), ALL, NULL, NULL },
	{ "a path in the extension", NAMED("a", "/../b"), ALL, NULL, NULL },
	{ "the folder above", NAMED("..", ""), ALL, NULL, NULL },
	{ "a hidden file", NAMED(".profile", ""), ALL, NULL, NULL },
	{ "an option", NAMED("-rf", ""), ALL, NULL, NULL },
	{ "no name", NAMED("", ".txt"), ALL, NULL, NULL },
	{ "a NUL", NAMED("a\\u0000", ""), ALL, NULL, NULL },
	{ "no bytes", "{\"stem\":\"a\",\"ext\":\"\"}", ALL, NULL, NULL },
	{ "fewer than none", "{\"stem\":\"a\",\"ext\":\"\",\"bytes\":-1}", ALL,
	    NULL, NULL },
	{ "other than the file has",
	    "{\"stem\":\"a\",\"ext\":\"\",\"bytes\":4}", ALL, NULL,
	    "{\"n\":-1}" },
	{ "a file that could still change", NAMED("a", ""), ALL & ~F_SEAL_WRITE,
	    NULL, "{\"n\":-1}" },
	{ "seals that could grow", NAMED("a", ""), ALL & ~F_SEAL_SEAL, NULL,
	    "{\"n\":-1}" },
	{ "no descriptor", NAMED("a", ""), -1, NULL, NULL },
	{ "a descriptor to keep", "{\"keep\":true}", ALL, NULL, NULL },
	{ "no JSON", "keep", -1, NULL, NULL },
};

static int
sealed(int seals)
{
	int fd = memfd_create("t", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_int_equal(write(fd, "one", 3), 3);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void
take(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct row *row = *state;
	char at[] = "/tmp/emcli-saves-XXXXXX", said[64] = { 0 };
	struct remote_saves s = { .a = a };
	struct ipc_passed with = { 0 };
	struct ipc_frame f = { FAR_SAVE, str_of(row->payload) };
	struct err e = { 0 };
	int to[2], old;

	assert_non_null(mkdtemp(at));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, to), 0);
	s.folder = open(at, O_RDONLY | O_DIRECTORY);
	old = openat(s.folder, "old", O_CREAT | O_WRONLY, 0600);
	if (row->seals >= 0)
		with.fd[with.n++] = sealed(row->seals);
	assert_int_equal(remote_saves_take(to[0], &s, &f, &with, &e),
	    row->says == NULL ? -1 : 0);
	(void)recv(to[1], said, sizeof(said) - 1, MSG_DONTWAIT);
	if (row->says != NULL)
		rows_same(str_of(said + IPC_FRAME_HEAD), str_of(row->says));
	assert_int_equal(s.made.n, row->made != NULL);
	if (row->made != NULL)
		assert_int_equal(faccessat(s.folder, row->made, F_OK, 0), 0);
	(void)unlinkat(s.folder, "old", 0);
	/* What was not kept goes. */
	remote_saves_close(&s);
	assert_int_equal(rmdir(at), 0);
	ipc_pass_close(&with);
	(void)close(old);
	(void)close(to[0]);
	(void)close(to[1]);
}

ROWS_MAIN("door/remote_saves", rows, take)
