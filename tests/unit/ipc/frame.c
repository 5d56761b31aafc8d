/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, whole and broken, and the descriptors that come with them. */
#include "../rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "ipc/ipc.h"

static size_t
open_now(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	(void)closedir(d);
	return n;
}

static void
pair(int fd[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
}

static void
part(int fd[2])
{
	(void)close(fd[0]);
	(void)close(fd[1]);
}

/* What arrives of these bytes, if nothing follows them. */
static const struct input {
	const char *why;
	struct str bytes;
	int r;
	enum err_kind kind;
	char type;
	size_t n;
} inputs[] = {
	{ "nothing at all is the end", SI(""), 0, ERR_NONE, 0, 0 },
	{ "a payload may be empty", SI("\0\0\0\0X"), 1, ERR_NONE, 'X', 0 },
	{ "a frame", SI("\0\0\0\2C{}"), 1, ERR_NONE, 'C', 2 },
	{ "what follows a frame is not of it", SI("\0\0\0\2C{}X"), 1, ERR_NONE,
	    'C', 2 },
	{ "a head without its type", SI("\0\0\0\2"), -1, ERR_NETWORK, 0, 0 },
	{ "a payload that is cut off", SI("\0\0\0\3C{}"), -1, ERR_NETWORK, 0,
	    0 },
	{ "one byte over the cap", SI("\0\x10\0\1C"), -1, ERR_USAGE, 0, 0 },
	{ "2^31", SI("\x80\0\0\0C"), -1, ERR_USAGE, 0, 0 },
	{ "2^32-1",
	    SI("\xff\xff\xff\xff"
	       "C"),
	    -1, ERR_USAGE, 0, 0 },
};

static void
input(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	const struct input *row = *state;
	struct ipc_passed with = { 0 };
	struct ipc_frame f = { 0 };
	struct err e = { 0 };
	int fd[2];

	pair(fd);
	assert_int_equal(write(fd[0], row->bytes.p, row->bytes.n),
	    row->bytes.n);
	assert_int_equal(shutdown(fd[0], SHUT_WR), 0);
	assert_int_equal(ipc_frame_recv(fd[1], false, a, &f, &with, &e),
	    row->r);
	assert_int_equal(e.kind, row->kind);
	assert_int_equal(f.type, row->type);
	assert_int_equal(f.payload.n, row->n);
	part(fd);
}

/* A writer that is slower than its reader, and a frame of the largest size. */
static void
a_frame_in_pieces_is_whole(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct str text = rows_repeat(a, S("0123456789abcdef"), 65536);
	struct ipc_frame f = { 'B', text }, got = { 0 };
	struct ipc_passed with = { 0 };
	struct err e = { 0 };
	int fd[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(text.n, LIMIT_FRAME);
	pair(fd);
	pid = fork();
	if (pid == 0) {
		unsigned char head[IPC_FRAME_HEAD];

		ipc_frame_head(&f, head);
		for (size_t i = 0; i < sizeof(head); i++)
			(void)!write(fd[0], head + i, 1);
		for (size_t i = 0; i < 64; i++)
			(void)!write(fd[0], text.p + i, 1);
		f.payload = str_from(text, 64);
		while (f.payload.n > 0) {
			ssize_t n = write(fd[0], f.payload.p, f.payload.n);

			f.payload = str_from(f.payload, (size_t)n);
		}
		_exit(ipc_frame_send(fd[0], &(struct ipc_frame){ 'X', S("") },
		    NULL, 0, &e));
	}
	assert_int_equal(ipc_frame_recv(fd[1], true, a, &got, &with, &e), 1);
	assert_int_equal(got.type, 'B');
	rows_same(got.payload, text);
	assert_int_equal(ipc_frame_recv(fd[1], true, a, &got, &with, &e), 1);
	assert_int_equal(got.type, 'X');
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	f.payload = rows_repeat(a, S("x"), LIMIT_FRAME + 1);
	assert_int_equal(ipc_frame_send(fd[0], &f, NULL, 0, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	part(fd);
}

static void
nobody_reads(void **state)
{
	struct err e = { 0 };
	int fd[2];

	(void)state;
	pair(fd);
	(void)close(fd[1]);
	assert_int_equal(ipc_frame_send(fd[0],
			     &(struct ipc_frame){ 'B', S("text") }, NULL, 0,
			     &e),
	    -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	(void)close(fd[0]);
}

static void
descriptors_come_along(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct ipc_passed with = { 0 };
	struct ipc_frame got;
	struct err e = { 0 };
	size_t before = open_now();
	struct stat sent, came;
	int fd[2], file[2] = { open("/etc/passwd", O_RDONLY), -1 };

	(void)state;
	pair(fd);
	file[1] = file[0];
	assert_int_equal(ipc_frame_send(fd[0],
			     &(struct ipc_frame){ 'C', S("{}") }, file, 2, &e),
	    0);
	assert_int_equal(ipc_frame_recv(fd[1], false, a, &got, &with, &e), 1);
	assert_int_equal(with.n, 2);
	assert_int_equal(fcntl(with.fd[1], F_GETFD), FD_CLOEXEC);
	assert_int_equal(fstat(file[0], &sent), 0);
	assert_int_equal(fstat(with.fd[1], &came), 0);
	assert_int_equal(sent.st_ino, came.st_ino);
	ipc_pass_close(&with);
	(void)close(file[0]);
	part(fd);
	assert_int_equal(open_now(), before);
}

/* Too many, at once or one after the other: none of them stays open. */
static void
descriptors_in_excess_are_closed(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	int many[LIMIT_PASSED], null = open("/dev/null", O_RDONLY);
	struct ipc_passed with = { 0 };
	struct ipc_frame got;
	size_t before = open_now();
	struct err e = { 0 };
	int fd[2];

	(void)state;
	for (size_t i = 0; i < LIMIT_PASSED; i++)
		many[i] = null;
	pair(fd);
	assert_int_equal(ipc_pass_send(fd[0], S("\0\0\0\2C"), many,
			     LIMIT_PASSED),
	    5);
	assert_int_equal(ipc_pass_send(fd[0], S("{}"), many, 1), 2);
	assert_int_equal(ipc_pass_send(fd[0], S("{}"), many, LIMIT_PASSED + 1),
	    -1);
	assert_int_equal(ipc_frame_recv(fd[1], false, a, &got, &with, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_int_equal(with.n, 0);
	part(fd);
	assert_int_equal(open_now(), before);
	/* A frame that is cut off. */
	pair(fd);
	assert_int_equal(ipc_pass_send(fd[0], S("\0\0\0\2C"), many, 3), 5);
	assert_int_equal(shutdown(fd[0], SHUT_WR), 0);
	assert_int_equal(ipc_frame_recv(fd[1], false, a, &got, &with, &e), -1);
	assert_int_equal(with.n, 0);
	part(fd);
	assert_int_equal(open_now(), before);
	(void)close(null);
}

static void
only_a_file_is_a_file(void **state)
{
	int fd[2], all[6];
	struct ipc_file f = { 0 };
	struct err e = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	all[0] = open("/etc/passwd", O_RDONLY | O_PATH);
	all[1] = open("/etc", O_RDONLY | O_DIRECTORY);
	all[2] = open("/dev/null", O_RDONLY);
	all[3] = memfd_create("x", 0); /* it is writable */
	all[4] = fd[0];
	all[5] = socket(AF_UNIX, SOCK_STREAM, 0);
	for (size_t i = 0; i < 6; i++) {
		e = (struct err){ 0 };
		assert_true(all[i] >= 0);
		assert_int_equal(ipc_pass_file(all[i], &f, &e), -1);
		assert_int_equal(e.kind, ERR_USAGE);
		(void)close(all[i]);
	}
	(void)close(fd[1]);
	all[0] = open("/etc/passwd", O_RDONLY);
	assert_int_equal(ipc_pass_file(all[0], &f, &e), 0);
	assert_int_equal(fstat(all[0], &st), 0);
	assert_int_equal(f.inode, st.st_ino);
	(void)close(all[0]);
}

int
main(void)
{
	ROWS(inputs, input);
	rows_add("a frame in pieces", a_frame_in_pieces_is_whole, NULL);
	rows_add("nobody reads", nobody_reads, NULL);
	rows_add("descriptors come along", descriptors_come_along, NULL);
	rows_add("descriptors in excess", descriptors_in_excess_are_closed,
	    NULL);
	rows_add("only a file is a file", only_a_file_is_a_file, NULL);
	return cmocka_run_group_tests_name("ipc/frame", rows_tests, NULL, NULL);
}
