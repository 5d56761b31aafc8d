/*
 * What is kept of a server between calls: its session and its folders, in the
 * form they are read in, in one file of ours, 0600.  No secret is in it.  A
 * file that cannot be read or written costs a request and nothing else.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/jmap/internal.h"
#include "base/path.h"
#include "net/sha256.h"

#define VERSION 1

/* By address and login, so that two accounts on it share the file. */
static struct str
file_name(struct arena *a, const struct jmap *j)
{
	unsigned char sum[32];
	struct buf b;

	sha256_of(str_fmt(a, "%.*s\n%.*s", STR_ARG(j->base),
		      STR_ARG(j->conn.acct->username)),
	    sum);
	buf_init(&b, a, 80);
	buf_text(&b, "jmap-");
	for (size_t i = 0; i < 20; i++)
		buf_fmt(&b, "%02x", sum[i]);
	return buf_view(&b);
}

static int
open_folder(const struct jmap *j, struct arena *a, bool make)
{
	struct str dir = j->conn.acct->cache_dir;
	struct err ignored = { 0 };

	if (dir.n == 0 || (make && path_mkdir(str_c(a, dir), &ignored) < 0))
		return -1;
	return open(str_c(a, dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
take(struct jmap *j, const struct json_value *v)
{
	struct err ignored = { 0 };
	int64_t version;
	struct str base;

	if (!json_parse_int(json_parse_member(v, "version"), &version) ||
	    version != VERSION ||
	    !json_parse_str(json_parse_member(v, "base"), &base) ||
	    !str_eq(base, j->base) ||
	    jmap_session_read(j, json_parse_member(v, "session"), j->base,
		&ignored) < 0)
		return;
	j->kept = true;
	if (jmap_mailbox_read(j->a, json_parse_member(v, "list"), &j->boxes,
		&ignored) == 0)
		j->boxes_known = j->boxes_kept = true;
}

void
jmap_cache_load(struct jmap *j)
{
	CLEANUP(arena_close) struct arena *a = arena_open(JMAP_ANSWER);
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	CLEANUP(path_close) int dir = open_folder(j, a, false);
	CLEANUP(path_close) int fd = -1;
	struct err ignored = { 0 };
	struct stat st;
	struct str text;

	if (dir < 0)
		return;
	fd = openat(dir, file_name(a, j).p, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    path_read(fd, JMAP_ANSWER / 4, a, &text, &ignored) < 0 ||
	    json_parse_open(text, JMAP_ANSWER / 4, &doc, &ignored) < 0)
		return;
	take(j, json_parse_root(doc));
}

void
jmap_cache_save(struct jmap *j)
{
	CLEANUP(arena_close) struct arena *a = arena_open(JMAP_ANSWER);
	CLEANUP(path_close) int dir = open_folder(j, a, true);
	CLEANUP(path_close) int fd = -1;
	struct json *out = json_new(a);
	const char *name = file_name(a, j).p;
	char temp[96];

	if (dir < 0)
		return;
	json_open_object(out, NULL);
	json_put_int(out, "version", VERSION);
	json_put_str(out, "base", j->base);
	json_open_object(out, "session");
	jmap_session_write(&j->session, out);
	json_close_object(out);
	json_open_array(out, "list");
	jmap_mailbox_write(&j->boxes, out);
	json_close_array(out);
	json_close_object(out);
	(void)snprintf(temp, sizeof(temp), "%s.%d", name, (int)getpid());
	(void)unlinkat(dir, temp, 0);
	fd = openat(dir, temp,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	/* A reader sees the old one or the new one. */
	if (json_write(out, fd) < 0 || renameat(dir, temp, dir, name) < 0)
		(void)unlinkat(dir, temp, 0);
}

void
jmap_cache_drop(struct jmap *j)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close) int dir = open_folder(j, a, false);

	if (dir >= 0)
		(void)unlinkat(dir, file_name(a, j).p, 0);
}
