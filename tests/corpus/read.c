/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the messages named on standard input, a path a line, and prints what
 * we see in each as one line of JSON.  tests/e2e/test_corpus.py compares that
 * with what other readers see.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "mime/date.h"
#include "mime/message.h"

static void
put_addresses(struct json *j, const char *key, const struct addresses *l)
{
	json_open_array(j, key);
	for (size_t i = 0; i < l->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", l->v[i].name);
		json_put_str(j, "addr", l->v[i].addr);
		json_close_object(j);
	}
	json_close_array(j);
}

static void
put_envelope(struct json *j, struct arena *a, struct str raw)
{
	struct mime_envelope e;

	mime_envelope_parse(a, raw, &e);
	json_put_str(j, "subject", e.subject);
	put_addresses(j, "from", &e.from);
	put_addresses(j, "to", &e.to);
	put_addresses(j, "cc", &e.cc);
	json_put_str(j, "from_sole", e.from_sole);
	json_put_int(j, "from_fields", (int64_t)e.from_fields);
	json_put_str(j, "message_id", e.message_id);
	if (e.has_date) {
		json_put_int(j, "date", e.date_s);
		json_put_int(j, "offset_min", e.date_offset_min);
	} else {
		json_put_null(j, "date");
	}
}

static void
put_parts(struct json *j, struct arena *a, const struct mime_message *m)
{
	json_open_array(j, "parts");
	for (size_t i = 0; i < m->n; i++) {
		const struct mime_part *p = &m->part[i];

		json_open_object(j, NULL);
		json_put_int(j, "parent", p->parent);
		json_put_str(j, "type", p->type);
		json_put_text(j, "kind",
		    p->is_multipart     ? "multipart"
			: p->is_message ? "message"
					: "leaf");
		json_put_str(j, "name", mime_part_name(a, p));
		if (!p->is_multipart && !p->is_message) {
			json_put_base64(j, "bytes", mime_part_decode(a, p));
			if (str_starts(p->type, S("text/")))
				json_put_str(j, "text", mime_part_text(a, p));
		}
		json_close_object(j);
	}
	json_close_array(j);
}

static void
put_reading(struct json *j, struct arena *a, const struct mime_message *m)
{
	struct mime_reading r;

	mime_reading_make(a, m, &r);
	json_put_str(j, "text", r.text);
	json_put_bool(j, "from_html", r.from_html);
	json_put_bool(j, "truncated", r.truncated);
	json_put_bool(j, "bad_charset", r.bad_charset);
	json_open_array(j, "attachments");
	for (size_t i = 0; i < r.n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", r.attachment[i].name);
		json_put_str(j, "type", r.attachment[i].type);
		json_put_base64(j, "bytes",
		    mime_part_decode(a, r.attachment[i].part));
		json_close_object(j);
	}
	json_close_array(j);
}

static int
read_one(const char *path)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct json *j = json_new(a);
	struct mime_message m;
	struct err e = { 0 };
	struct str raw;

	if (fd < 0 || path_read(fd, LIMIT_MESSAGE, a, &raw, &e) < 0) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	mime_message_parse(a, raw, &m);
	json_open_object(j, NULL);
	json_put_text(j, "path", path);
	put_envelope(j, a, raw);
	put_parts(j, a, &m);
	put_reading(j, a, &m);
	json_close_object(j);
	if (json_write(j, STDOUT_FILENO) < 0 ||
	    write(STDOUT_FILENO, "\n", 1) != 1)
		return 1;
	return 0;
}

int
main(void)
{
	char line[4096];
	int bad = 0;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		bad |= read_one(line);
	}
	return bad;
}
