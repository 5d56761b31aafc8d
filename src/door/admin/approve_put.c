/* One message that waits, as the operator is to see it before it leaves. */
#include "base/clock.h"
#include "base/json.h"
#include "door/admin/approve.h"
#include "door/out.h"
#include "gate/outbox.h"

static struct str
when(struct arena *a, int64_t unix_s)
{
	return unix_s > 0 ? clock_rfc3339(a, unix_s) : S("-");
}

static void
line(struct buf *b, struct arena *a, const char *name, struct str value)
{
	buf_fmt(b, "%-12s ", name);
	buf_str(b, picture_text(a, value, false));
	buf_char(b, '\n');
}

void
approve_put_recipients(struct buf *b, struct arena *a,
    const struct outbox_held *h)
{
	for (size_t i = 0; i < h->n; i++)
		line(b, a, h->to[i].kind, h->to[i].address);
}

static void
put_warnings(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	for (int i = 0; i < WARNINGS; i++)
		if (h->warned[i] > 0)
			line(b, a, "warning",
			    str_fmt(a, "%s (%u)", warning_table[i].code,
				(unsigned)h->warned[i]));
	if (h->carries != NULL)
		line(b, a, "carries", str_of(h->carries));
	if (h->why != NULL)
		line(b, a, "refused",
		    str_fmt(a, "%s: it is not what was held any more", h->why));
}

static void
put_files(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	for (size_t i = 0; i < h->files; i++) {
		const struct outbox_held_file *f = &h->file[i];

		line(b, a, "file", f->name);
		buf_fmt(b, "%-12s %.*s, %zu bytes, sha256 %.*s\n", "",
		    STR_ARG(picture_text(a, f->type, false)), f->bytes,
		    STR_ARG(f->digest));
	}
}

void
approve_put_text(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	line(b, a, "id", str_fmt(a, "%lld", (long long)h->id));
	line(b, a, "state", str_of(h->state));
	line(b, a, "reason", h->reason);
	line(b, a, "account", h->account);
	line(b, a, "agent", h->principal);
	line(b, a, "created", when(a, h->created_s));
	line(b, a, "expires", when(a, h->expires_s));
	line(b, a, "sender", h->sender);
	approve_put_recipients(b, a, h);
	line(b, a, "subject", h->subject);
	line(b, a, "message-id", h->message_id);
	put_files(b, a, h);
	put_warnings(b, a, h);
	line(b, a, "digest", h->digest);
	/* Set off, so that no line of it passes for one of the above. */
	buf_text(b, "\n  | ");
	for (struct str rest = picture_text(a, h->text, true); rest.n > 0;) {
		struct str first;
		bool more = str_cut(rest, '\n', &first, &rest);

		buf_str(b, first);
		buf_text(b, more && rest.n > 0 ? "\n  | " : "");
	}
	buf_char(b, '\n');
}

static void
json_lists(struct json *j, const struct outbox_held *h)
{
	json_open_array(j, "recipients");
	for (size_t i = 0; i < h->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "address", h->to[i].address);
		json_put_text(j, "kind", h->to[i].kind);
		json_close_object(j);
	}
	json_close_array(j);
	json_open_array(j, "attachments");
	for (size_t i = 0; i < h->files; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", h->file[i].name);
		json_put_str(j, "type", h->file[i].type);
		json_put_int(j, "size", (int64_t)h->file[i].bytes);
		json_put_str(j, "sha256", h->file[i].digest);
		json_close_object(j);
	}
	json_close_array(j);
	json_open_object(j, "warning_counts");
	for (int i = 0; i < WARNINGS; i++)
		if (h->warned[i] > 0)
			json_put_int(j, warning_table[i].code, h->warned[i]);
	json_close_object(j);
}

void
approve_put_json(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "id", h->id);
	json_put_text(j, "state", h->state);
	json_put_str(j, "reason", h->reason);
	if (h->carries != NULL)
		json_put_text(j, "carries", h->carries);
	else
		json_put_null(j, "carries");
	if (h->why != NULL)
		json_put_text(j, "refused", h->why);
	else
		json_put_null(j, "refused");
	json_put_str(j, "account", h->account);
	json_put_str(j, "agent", h->principal);
	json_put_str(j, "created", when(a, h->created_s));
	json_put_str(j, "expires", when(a, h->expires_s));
	json_put_str(j, "sender", h->sender);
	json_put_str(j, "subject", h->subject);
	json_put_str(j, "message_id", h->message_id);
	json_put_int(j, "bytes", (int64_t)h->bytes);
	json_put_str(j, "digest", h->digest);
	json_put_str(j, "text", h->text);
	json_lists(j, h);
	json_close_object(j);
	out_json(b, a, j);
}
