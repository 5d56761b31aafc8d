/*
 * The ids of a folder in a file of our own, so that a list asks what happened
 * since and not for all there is.  A file says whose it is by its name; what
 * is not wholly as we write it is read as nothing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "backend/gmail/internal.h"
#include "base/clock.h"
#include "base/path.h"
#include "net/sha256.h"

/* Whatever drifted apart is right again after so long. */
#define AGE_S 604800 /* a week */
#define FILE_MAX ((GMAIL_ID + 1) * (size_t)GMAIL_IDS + 8192)
#define MAGIC "emcli gmail ids 1"

/* "gmail.0123456789abcdef.ids": of this account, server and label. */
static void
file_name(const struct gmail *g, const struct gmail_label *l, char out[64])
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const struct backend_account *acct = g->conn.acct;
	unsigned char sum[32];
	struct buf b;

	buf_init(&b, a, 32 << 10);
	buf_fmt(&b, "%.*s\n%.*s\n%.*s\n%.*s", STR_ARG(acct->name),
	    STR_ARG(acct->username), STR_ARG(g->root), STR_ARG(l->id));
	sha256_of(buf_view(&b), sum);
	(void)snprintf(out, 64, "gmail.%02x%02x%02x%02x%02x%02x%02x%02x.ids",
	    sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7]);
}

static int
open_dir(const struct gmail *g, bool make)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str dir = g->conn.acct->cache_dir;
	struct err ignore = { 0 };

	if (dir.n == 0 || (make && path_mkdir(str_c(a, dir), &ignore) < 0))
		return -1;
	return open(str_c(a, dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static struct str
line(struct str *rest)
{
	struct str head;

	(void)str_cut(*rest, '\n', &head, rest);
	return head;
}

static bool
parse(struct arena *a, struct str text, struct gmail_kept *out)
{
	uint64_t made, n;

	if (!str_eq(line(&text), S(MAGIC)) ||
	    !str_to_u64(line(&text), INT64_MAX, &made))
		return false;
	out->made_s = (int64_t)made;
	out->cursor = line(&text);
	out->token = line(&text);
	if (!str_to_u64(line(&text), GMAIL_IDS, &n))
		return false;
	out->ids.v = arena_array(a, n, sizeof(*out->ids.v));
	for (; out->ids.n < n; out->ids.n++) {
		struct str id = line(&text);

		if (!gmail_url_is_id(id))
			return false;
		out->ids.v[out->ids.n] = id;
	}
	return str_eq(text, S("end\n")) && out->cursor.n > 0;
}

bool
gmail_cache_load(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_kept *out)
{
	CLEANUP(path_close) int dir = open_dir(g, false);
	CLEANUP(path_close) int fd = -1;
	struct err ignore = { 0 };
	struct str text;
	char name[64];
	int64_t now = clock_now();

	*out = (struct gmail_kept){ 0 };
	if (dir < 0)
		return false;
	file_name(g, label, name);
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || path_read(fd, FILE_MAX, a, &text, &ignore) < 0 ||
	    !parse(a, text, out) || out->made_s > now ||
	    now - out->made_s > AGE_S) {
		*out = (struct gmail_kept){ 0 };
		return false;
	}
	return true;
}

void
gmail_cache_keep(struct gmail *g, const struct gmail_label *label,
    const struct gmail_kept *k)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int dir = open_dir(g, true);
	struct err ignore = { 0 };
	char name[64], temp[96];
	struct buf b;

	if (dir < 0)
		return;
	file_name(g, label, name);
	(void)snprintf(temp, sizeof(temp), "%s.%d", name, (int)getpid());
	buf_init(&b, a, FILE_MAX);
	buf_fmt(&b, MAGIC "\n%lld\n%.*s\n%.*s\n%zu\n", (long long)k->made_s,
	    STR_ARG(k->cursor), STR_ARG(k->token), k->ids.n);
	for (size_t i = 0; i < k->ids.n; i++) {
		buf_str(&b, k->ids.v[i]);
		buf_char(&b, '\n');
	}
	buf_text(&b, "end\n");
	(void)unlinkat(dir, temp, 0);
	if (b.over || path_folder_new(dir, temp, buf_view(&b), &ignore) != 0)
		return;
	if (renameat(dir, temp, dir, name) < 0)
		(void)unlinkat(dir, temp, 0);
}
