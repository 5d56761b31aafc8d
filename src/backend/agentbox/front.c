/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a message file: Markdown with a YAML head, by the upstream program's
 * rules.  It refuses whatever that program refuses, so that both programs read
 * the same message from a file.
 */
#include "backend/agentbox/internal.h"
#include "backend/agentbox/message.h"
#include "base/clock.h"
#include "base/yaml.h"

#define FENCE "\n---\n"

struct front {
	struct arena *a;
	const struct json_value *top;
	struct err *e;
};

static int
front_refuse(const struct front *f, const char *what)
{
	(void)err_set(f->e, ERR_CONFIG,
	    "a message file of the mailbox root is damaged");
	f->e->scope = ERR_SCOPE_MESSAGE;
	f->e->reason = "damaged";
	return err_because(f->e, "%s", what);
}

/* A text that is not blank, trimmed: 1, 0 if null or missing, -1. */
static int
front_text(const struct front *f, const struct json_value *v, const char *key,
    struct str *out)
{
	const struct json_value *m = json_parse_member(v, key);
	struct str s;

	*out = (struct str){ "", 0 };
	if (m == NULL || json_parse_is_null(m))
		return 0;
	if (!json_parse_str(m, &s) || str_trim(s).n == 0)
		return front_refuse(f, key);
	*out = str_dup(f->a, str_trim(s));
	return 1;
}

static int
front_need(const struct front *f, const struct json_value *v, const char *key,
    struct str *out)
{
	int r = front_text(f, v, key, out);

	return r == 1 ? 0 : r < 0 ? -1 : front_refuse(f, key);
}

/* Only these members are allowed; NULL-terminated. */
static int
front_known(const struct front *f, const struct json_value *v,
    const char *const *known)
{
	struct str key = { 0 };

	if (!json_parse_is_object(v))
		return front_refuse(f, "not a map");
	while (json_parse_next(v, &key) != NULL) {
		size_t i = 0;

		while (known[i] != NULL && !str_eq(key, str_of(known[i])))
			i++;
		if (known[i] == NULL)
			return front_refuse(f, "a key that is not known");
	}
	return 0;
}

static int
front_party(const struct front *f, const struct json_value *v,
    struct agentbox_party *out)
{
	static const char *const known[] = { "principal_id", "address",
		"display_name", "manifest_path_hint", "role", NULL };

	if (front_known(f, v, known) < 0 ||
	    front_need(f, v, "principal_id", &out->principal) < 0 ||
	    front_need(f, v, "address", &out->address) < 0 ||
	    front_text(f, v, "display_name", &out->display_name) < 0 ||
	    front_text(f, v, "manifest_path_hint", &out->manifest_hint) < 0 ||
	    front_text(f, v, "role", &out->role) < 0)
		return -1;
	return agentbox_name_address(out->address)
	    ? 0
	    : front_refuse(f, "an address");
}

/* An optional list: its length. */
static int
front_list(const struct front *f, const char *key, size_t *n,
    const struct json_value **out)
{
	const struct json_value *v = json_parse_member(f->top, key);

	*n = 0;
	*out = v;
	if (v == NULL)
		return 0;
	if (!json_parse_is_array(v))
		return front_refuse(f, key);
	*n = json_parse_count(v);
	return 0;
}

static int
front_parties(const struct front *f, const char *key,
    struct agentbox_parties *out)
{
	const struct json_value *v;

	if (front_list(f, key, &out->n, &v) < 0)
		return -1;
	out->v = arena_array(f->a, out->n, sizeof(*out->v));
	for (size_t i = 0; i < out->n; i++)
		if (front_party(f, json_parse_item(v, i), &out->v[i]) < 0)
			return -1;
	return 0;
}

static int
front_references(const struct front *f, struct strs *out)
{
	const struct json_value *v;
	size_t n;

	if (front_list(f, "references", &n, &v) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct str s;

		if (!json_parse_str(json_parse_item(v, i), &s) ||
		    !agentbox_name_message(str_trim(s)))
			return front_refuse(f, "references");
		str_push(f->a, out, str_dup(f->a, str_trim(s)));
	}
	return 0;
}

static bool
front_is_sha256(struct str s)
{
	if (s.n != 64)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (str_hex(s.p[i]) < 0)
			return false;
	return true;
}

static int
front_attachment(const struct front *f, const struct json_value *v,
    struct agentbox_attachment *out)
{
	static const char *const known[] = { "attachment_id", "kind", "path",
		"media_type", "sha256", "size_bytes", "label", NULL };
	const struct json_value *size = json_parse_member(v, "size_bytes");
	struct str kind;

	if (front_known(f, v, known) < 0 ||
	    front_need(f, v, "attachment_id", &out->id) < 0 ||
	    front_need(f, v, "kind", &kind) < 0 ||
	    front_need(f, v, "path", &out->path) < 0 ||
	    front_need(f, v, "media_type", &out->media_type) < 0 ||
	    front_text(f, v, "sha256", &out->sha256) < 0 ||
	    front_text(f, v, "label", &out->label) < 0)
		return -1;
	out->sha256 = str_lower(f->a, out->sha256);
	out->managed = str_eq(kind, S("managed_copy"));
	out->size = -1;
	if (size != NULL && !json_parse_is_null(size) &&
	    (!json_parse_int(size, &out->size) || out->size < 0))
		return front_refuse(f, "size_bytes");
	if ((out->sha256.n > 0 && !front_is_sha256(out->sha256)) ||
	    (!out->managed &&
		(!str_eq(kind, S("path_ref")) || out->path.p[0] != '/')))
		return front_refuse(f, "an attachment");
	return 0;
}

static int
front_attachments(const struct front *f, struct agentbox_message *m)
{
	const struct json_value *v;

	if (front_list(f, "attachments", &m->attachments, &v) < 0)
		return -1;
	m->attachment =
	    arena_array(f->a, m->attachments, sizeof(*m->attachment));
	for (size_t i = 0; i < m->attachments; i++)
		if (front_attachment(f, json_parse_item(v, i),
			&m->attachment[i]) < 0)
			return -1;
	return 0;
}

/* For values that are not texts only the name is known. */
static int
front_headers(const struct front *f, struct agentbox_message *m)
{
	const struct json_value *top = json_parse_member(f->top, "headers");
	const struct json_value *v;
	struct str key = { 0 }, value;
	size_t room = 0;

	if (top == NULL)
		return 0;
	if (!json_parse_is_object(top))
		return front_refuse(f, "headers");
	while ((v = json_parse_next(top, &key)) != NULL) {
		if (str_trim(key).n == 0)
			return front_refuse(f, "headers");
		if (m->headers == room) {
			m->header = arena_grow(f->a, m->header,
			    room * sizeof(*m->header),
			    (room + 16) * sizeof(*m->header));
			room += 16;
		}
		value = (struct str){ "", 0 };
		(void)json_parse_str(v, &value);
		m->header[m->headers++] =
		    (struct agentbox_header){ str_dup(f->a, key),
			    str_dup(f->a, value) };
	}
	return 0;
}

/* Whole seconds of UTC; fractions are dropped. */
static int
front_created(const struct front *f, struct str *out)
{
	struct str s;
	int64_t t;

	if (front_need(f, f->top, "created_at_utc", &s) < 0)
		return -1;
	if (!str_ends(s, S("Z")) || !clock_parse(s, &t))
		return front_refuse(f, "created_at_utc");
	*out = clock_rfc3339(f->a, t);
	return agentbox_name_time(*out) ? 0 : front_refuse(f, "created_at_utc");
}

static int
front_thread(const struct front *f, const struct agentbox_message *m)
{
	if (!agentbox_name_message(m->id) ||
	    !agentbox_name_message(m->thread) ||
	    (m->in_reply_to.n > 0 && !agentbox_name_message(m->in_reply_to)))
		return front_refuse(f, "an id");
	if (m->in_reply_to.n == 0)
		return m->references.n == 0 && str_eq(m->thread, m->id)
		    ? 0
		    : front_refuse(f, "a thread that begins elsewhere");
	if (m->references.n == 0 ||
	    !str_eq(m->references.v[m->references.n - 1], m->in_reply_to))
		return front_refuse(f, "references that end elsewhere");
	return 0;
}

static int
front_version(const struct front *f, unsigned protocol)
{
	static const char *const known[] = { "protocol_version", "message_id",
		"thread_id", "in_reply_to", "references", "created_at_utc",
		"from", "to", "cc", "reply_to", "subject", "attachments",
		"headers", NULL };
	static const char *const known3[] = { "protocol_version", "message_id",
		"thread_id", "in_reply_to", "references", "created_at_utc",
		"from", "to", "cc", "reply_to", "subject", "attachments",
		"headers", "notify_block", "notify_auth", NULL };
	const struct json_value *v =
	    json_parse_member(f->top, "protocol_version");
	int64_t n = protocol; /* if the file does not say: the root's */

	if (front_known(f, f->top, protocol == 3 ? known3 : known) < 0)
		return -1;
	if ((v != NULL && !json_parse_int(v, &n)) || n != protocol)
		return front_refuse(f, "protocol_version");
	return 0;
}

static int
front_head(const struct front *f, unsigned protocol, struct agentbox_message *m)
{
	if (front_version(f, protocol) < 0 ||
	    front_need(f, f->top, "message_id", &m->id) < 0 ||
	    front_need(f, f->top, "thread_id", &m->thread) < 0 ||
	    front_text(f, f->top, "in_reply_to", &m->in_reply_to) < 0 ||
	    front_references(f, &m->references) < 0 ||
	    front_created(f, &m->created) < 0 ||
	    front_party(f, json_parse_member(f->top, "from"), &m->from) < 0 ||
	    front_parties(f, "to", &m->to) < 0 ||
	    front_parties(f, "cc", &m->cc) < 0 ||
	    front_parties(f, "reply_to", &m->reply_to) < 0 ||
	    front_need(f, f->top, "subject", &m->subject) < 0 ||
	    front_attachments(f, m) < 0 || front_headers(f, m) < 0)
		return -1;
	if (m->to.n == 0)
		return front_refuse(f, "to");
	return front_thread(f, m);
}

int
agentbox_front_read(struct arena *a, struct str file, unsigned protocol,
    struct agentbox_message *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct front f = { .a = a, .e = e };
	struct agentbox_message m = { 0 };
	struct str head;
	ptrdiff_t end;

	if (file.n > LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16)
		return err_set(e, ERR_LIMIT, "the message is too big");
	if (!str_starts(file, S("---\n")))
		return front_refuse(&f, "no head");
	file = str_from(file, 4);
	end = str_find(file, S(FENCE));
	if (end < 0)
		return front_refuse(&f, "a head without end");
	head = str_first(file, (size_t)end + 1);
	if (yaml_read(head, LIMIT_AGENTBOX_FRONT, &doc, e) < 0)
		return front_refuse(&f, "the head is no YAML we read");
	f.top = json_parse_root(doc);
	if (front_head(&f, protocol, &m) < 0)
		return -1;
	m.body = str_from(file, (size_t)end + sizeof(FENCE) - 1);
	if (str_starts(m.body, S("\n")))
		m.body = str_from(m.body, 1);
	if (str_has_char(m.body, '\0'))
		return front_refuse(&f, "a NUL in the body");
	*out = m;
	return 0;
}
