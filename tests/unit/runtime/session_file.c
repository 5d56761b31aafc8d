/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.json as others may leave it: what is cut off, of another type or
 * version, huge, a link or no file at all makes one session damaged, and
 * nothing of it is believed.
 */
#include "../rows.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/session.h"

#define HEAD "{\"version\":1,\"step\":\"started\",\"pid\":7,\"started\":5,"
#define TAIL                                                                   \
	"\"boot\":\"b\",\"generation\":1,\"account\":\"w\","                   \
	"\"account_new\":true,\"registered_new\":true,\"root\":\"/r\","        \
	"\"address\":\"a@x.test\",\"attach_dir\":\"/w\"}"
#define GOOD HEAD TAIL
#define CHANGE                                                                 \
	"\"change\":{\"root\":\"/n\",\"address\":\"a@x.test\","                \
	"\"registered_new\":true,\"account\":\"w\",\"account_new\":false,"     \
	"\"account_moved\":true,\"before\":\"v\",\"principal\":\"p\"},"

enum thing {
	FILE_IS, /* a file with that text */
	FILE_GROWN,
	FILE_LINK,
	FILE_FOLDER,
	FILE_PIPE,
	FILE_NONE,
};

static struct row {
	const char *why;
	enum thing thing;
	const char *text;
	enum err_kind want; /* ERR_NONE: it is read */
} rows[] = {
	{ "one of before", FILE_IS, GOOD, ERR_NONE },
	{ "a change", FILE_IS, HEAD CHANGE TAIL, ERR_NONE },
	{ "no change", FILE_IS, HEAD "\"change\":null," TAIL, ERR_NONE },
	{ "a member of a later version", FILE_IS, HEAD "\"more\":1," TAIL,
	    ERR_NONE },
	{ "none", FILE_NONE, NULL, ERR_NOT_FOUND },
	{ "empty", FILE_IS, "", ERR_CONFIG },
	{ "no JSON", FILE_IS, "nothing", ERR_CONFIG },
	{ "no object", FILE_IS, "[1]", ERR_CONFIG },
	{ "cut off", FILE_IS, HEAD "\"boot\":\"b\",\"genera", ERR_CONFIG },
	{ "a member missing", FILE_IS, HEAD "\"boot\":\"b\"}", ERR_CONFIG },
	{ "more after it", FILE_IS, GOOD "{}", ERR_CONFIG },
	{ "a member twice", FILE_IS, HEAD "\"pid\":8," TAIL, ERR_CONFIG },
	{ "another version", FILE_IS,
	    "{\"version\":2,\"step\":\"started\",\"pid\":7,\"started\":5," TAIL,
	    ERR_CONFIG },
	{ "an unknown step", FILE_IS,
	    "{\"version\":1,\"step\":\"gone\",\"pid\":7,\"started\":5," TAIL,
	    ERR_CONFIG },
	{ "a step that is none", FILE_IS,
	    "{\"version\":1,\"step\":\"\",\"pid\":7,\"started\":5," TAIL,
	    ERR_CONFIG },
	{ "a step that is a number", FILE_IS,
	    "{\"version\":1,\"step\":5,\"pid\":7,\"started\":5," TAIL,
	    ERR_CONFIG },
	{ "a process below 0, which is a group", FILE_IS,
	    "{\"version\":1,\"step\":\"started\",\"pid\":-1,\"started\":"
	    "5," TAIL,
	    ERR_CONFIG },
	{ "a process too large", FILE_IS,
	    "{\"version\":1,\"step\":\"started\",\"pid\":4294967297,"
	    "\"started\":5," TAIL,
	    ERR_CONFIG },
	{ "a process that is a text", FILE_IS,
	    "{\"version\":1,\"step\":\"started\",\"pid\":\"7\",\"started\":"
	    "5," TAIL,
	    ERR_CONFIG },
	{ "a change that is a text", FILE_IS, HEAD "\"change\":\"x\"," TAIL,
	    ERR_CONFIG },
	{ "a change without its members", FILE_IS,
	    HEAD "\"change\":{\"root\":\"/n\"}," TAIL, ERR_CONFIG },
	{ "a bindings_version that is a number", FILE_IS,
	    HEAD "\"bindings_version\":1," TAIL, ERR_CONFIG },
	{ "huge", FILE_GROWN, NULL, ERR_CONFIG },
	{ "a link", FILE_LINK, GOOD, ERR_CONFIG },
	{ "a folder", FILE_FOLDER, NULL, ERR_CONFIG },
	{ "a pipe that nobody writes to", FILE_PIPE, NULL, ERR_CONFIG },
};

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

static void
put(int folder, const char *name, const char *text)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
}

static void
place_thing(int folder, const struct row *r)
{
	int fd;

	switch (r->thing) {
	case FILE_IS:
		put(folder, SESSION_FILE, r->text);
		break;
	case FILE_GROWN:
		put(folder, SESSION_FILE, GOOD);
		fd = openat(folder, SESSION_FILE, O_WRONLY | O_APPEND);
		for (size_t i = 0; i < LIMIT_SESSION_FILE; i += 1024)
			assert_int_equal(dprintf(fd, "%1024s", ""), 1024);
		(void)close(fd);
		break;
	case FILE_LINK:
		put(folder, "other", r->text);
		assert_int_equal(symlinkat("other", folder, SESSION_FILE), 0);
		break;
	case FILE_FOLDER:
		assert_int_equal(mkdirat(folder, SESSION_FILE, 0700), 0);
		break;
	case FILE_PIPE:
		assert_int_equal(mkfifoat(folder, SESSION_FILE, 0600), 0);
		break;
	case FILE_NONE:
		break;
	}
}

static void
row(void **state)
{
	char dir[] = "/tmp/emcli-session-XXXXXX";
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	const struct row *r = *state;
	struct session_state got = { .account = S("untouched") };
	struct session_state again = { 0 };
	struct err e = { 0 };
	int folder, n;

	assert_non_null(mkdtemp(dir));
	folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	place_thing(folder, r);
	n = session_file_read(folder, a, &got, &e);
	assert_int_equal(n, r->want == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->want);
	if (n < 0) {
		assert_string_equal(got.account.p, "untouched");
	} else {
		/* As it is written, it is read again. */
		assert_int_equal(got.change.is,
		    strstr(r->text, "/n\"") != NULL);
		assert_int_equal(session_file_write(folder, &got, a, &e), 0);
		assert_int_equal(session_file_read(folder, a, &again, &e), 0);
		assert_int_equal(again.change.is, got.change.is);
		assert_int_equal(again.change.account_moved,
		    got.change.account_moved);
		assert_int_equal(again.process.pid, 7);
		assert_true(str_eq(again.root, S("/r")));
	}
	(void)close(folder);
	(void)nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

ROWS_MAIN("runtime/session_file", rows, row)
