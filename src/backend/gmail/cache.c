/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ids of a folder in a file, so that a list requests only changes and not
 * everything.  The name of a file identifies its folder; a file that is not
 * exactly in our format is ignored.
 */
#include "backend/gmail/internal.h"
#include "backend/internal.h"
#include "base/clock.h"

/* Differences that accumulate are corrected after this time. */
#define AGE_S 604800 /* a week */
#define FILE_MAX ((GMAIL_ID + 1) * (size_t)GMAIL_IDS + 8192)
#define MAGIC "emcli gmail ids 1"

static const char *
gmail_cache_file_name(const struct gmail *g, const struct gmail_label *l,
    struct arena *a)
{
	return backend_cache_name(a, &g->conn, l->id, ".ids");
}

static struct str
gmail_cache_line(struct str *rest)
{
	struct str head;

	(void)str_cut(*rest, '\n', &head, rest);
	return head;
}

static bool
gmail_cache_parse(struct arena *a, struct str text, struct gmail_kept *out)
{
	uint64_t made, n;

	if (!str_eq(gmail_cache_line(&text), S(MAGIC)) ||
	    !str_to_u64(gmail_cache_line(&text), INT64_MAX, &made))
		return false;
	out->made_s = (int64_t)made;
	out->cursor = gmail_cache_line(&text);
	out->token = gmail_cache_line(&text);
	if (!str_to_u64(gmail_cache_line(&text), GMAIL_IDS, &n))
		return false;
	out->ids.v = arena_array(a, n, sizeof(*out->ids.v));
	for (; out->ids.n < n; out->ids.n++) {
		struct str id = gmail_cache_line(&text);

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
	int64_t now = clock_now();
	struct str text;

	*out = (struct gmail_kept){ 0 };
	if (!backend_cache_get(g->conn.acct, gmail_cache_file_name(g, label, a),
		FILE_MAX, a, &text) ||
	    !gmail_cache_parse(a, text, out) || out->made_s > now ||
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
	struct buf b;

	buf_init(&b, a, FILE_MAX);
	buf_fmt(&b, MAGIC "\n%lld\n%.*s\n%.*s\n%zu\n", (long long)k->made_s,
	    STR_ARG(k->cursor), STR_ARG(k->token), k->ids.n);
	for (size_t i = 0; i < k->ids.n; i++) {
		buf_str(&b, k->ids.v[i]);
		buf_char(&b, '\n');
	}
	buf_text(&b, "end\n");
	if (!b.over)
		backend_cache_put(g->conn.acct,
		    gmail_cache_file_name(g, label, a), buf_view(&b));
}
