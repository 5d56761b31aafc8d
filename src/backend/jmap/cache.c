/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stored data of a server: its session and its folders, in the form in
 * which they are read.  Contains no secret.
 */
#include "backend/internal.h"
#include "backend/jmap/internal.h"

#define VERSION 2

static const char *
jmap_cache_file_name(struct arena *a, const struct jmap *j)
{
	return backend_cache_name(a, &j->conn, S(""), "");
}

static void
jmap_cache_take(struct jmap *j, const struct json_value *v)
{
	struct err ignored = { 0 };
	int64_t version;
	struct str base;

	if (!json_parse_int(json_parse_member(v, "version"), &version) ||
	    version != VERSION ||
	    !json_parse_str(json_parse_member(v, "base"), &base) ||
	    !str_eq(base, j->base) ||
	    jmap_session_object_read(j, json_parse_member(v, "session"),
		j->base, &ignored) < 0)
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
	struct err ignored = { 0 };
	struct str text;

	if (backend_cache_get(j->conn.acct, jmap_cache_file_name(a, j),
		JMAP_ANSWER / 4, a, &text) &&
	    json_parse_open(text, JMAP_ANSWER / 4, &doc, &ignored) == 0)
		jmap_cache_take(j, json_parse_root(doc));
}

void
jmap_cache_save(struct jmap *j)
{
	CLEANUP(arena_close) struct arena *a = arena_open(JMAP_ANSWER);
	struct json *out = json_new(a);

	json_open_object(out, NULL);
	json_put_int(out, "version", VERSION);
	json_put_str(out, "base", j->base);
	json_open_object(out, "session");
	jmap_session_object_write(&j->session, out);
	json_close_object(out);
	json_open_array(out, "list");
	jmap_mailbox_write(&j->boxes, out);
	json_close_array(out);
	json_close_object(out);
	backend_cache_put(j->conn.acct, jmap_cache_file_name(a, j),
	    json_text(out, a));
}

void
jmap_cache_drop(struct jmap *j)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	backend_cache_drop(j->conn.acct, jmap_cache_file_name(a, j));
}
