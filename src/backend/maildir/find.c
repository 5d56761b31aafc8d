/*
 * Searching a folder: one message after another is read, and no more of it
 * than the question needs.  Case is folded in ASCII only.
 */
#include "backend/internal.h"
#include "backend/maildir/internal.h"
#include "mime/date.h"
#include "mime/message.h"

/* A day, and days since 1970 also for times before it. */
#define DAY 86400

static int64_t
day_of(int64_t s)
{
	return s >= 0 ? s / DAY : -((-s + DAY - 1) / DAY);
}

/* Does a field of that name hold the text, as a person reads it? */
static bool
field_has(struct arena *a, const struct mime_header *h, const char *name,
    struct str text)
{
	const struct mime_field *f;

	for (size_t i = 0; (f = mime_header_get(h, name, i)) != NULL; i++)
		if (str_find_case(mime_header_text(a, f->value), text) >= 0)
			return true;
	return false;
}

/* Any field of the header, as "Name: text". */
static bool
head_has(struct arena *a, const struct mime_header *h, struct str text)
{
	for (size_t i = 0; i < h->n; i++) {
		struct buf b;

		buf_init(&b, a, LIMIT_MIME_HEAD * 4);
		buf_str(&b, h->field[i].name);
		buf_text(&b, ": ");
		buf_str(&b, mime_header_text(a, h->field[i].value));
		if (str_find_case(buf_view(&b), text) >= 0)
			return true;
	}
	return false;
}

/*
 * The day the writer wrote, whatever the zone: as SENTSINCE and SENTBEFORE do
 * (RFC 9051 section 6.4.4).  A message without a date is of no day.
 */
static bool
day_fits(const struct mime_header *h, const struct query *q)
{
	const struct mime_field *f = mime_header_get(h, "Date", 0);
	int64_t when, day;
	int offset_min;

	if (q->since_s == 0 && q->before_s == 0)
		return true;
	if (f == NULL || !date_parse(f->value, &when, &offset_min))
		return false;
	day = day_of(when + (int64_t)offset_min * 60);
	if (q->since_s != 0 && day < day_of(q->since_s))
		return false;
	return q->before_s == 0 || day < day_of(q->before_s);
}

/* What the header alone can answer; the text may still be in the body. */
static bool
head_fits(struct arena *a, const struct mime_header *h, const struct query *q)
{
	if (!day_fits(h, q))
		return false;
	if (q->from.n > 0 && !field_has(a, h, "From", q->from))
		return false;
	if (q->message_id.n > 0 &&
	    !field_has(a, h, "Message-ID", q->message_id))
		return false;
	if (q->refers.n > 0 && !field_has(a, h, "References", q->refers) &&
	    !field_has(a, h, "In-Reply-To", q->refers))
		return false;
	if (q->list.n > 0 && !backend_list_has(a, h, q->list))
		return false;
	return q->subject.n == 0 || field_has(a, h, "Subject", q->subject);
}

static int
body_has(int fd, const struct stat *st, struct arena *a, struct str text,
    bool *out, struct err *e)
{
	struct mime_message m;
	struct mime_reading r;
	struct str raw = { 0 };

	if (maildir_read_first(fd, st, LIMIT_MESSAGE, a, &raw, e) < 0)
		return -1;
	mime_message_parse(a, raw, &m);
	mime_reading_make(a, &m, &r);
	*out = str_find_case(r.text, text) >= 0;
	return 0;
}

/* Looks at one message and adds its row when it fits. */
static int
look(struct maildir *m, const struct ref *ref, const struct query *q,
    struct arena *a, struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	CLEANUP(maildir_fd_close) int fd = -1;
	struct mime_header h;
	struct str head = { 0 };
	struct stat st;
	bool fits;
	int found = maildir_index_file(m, ref->id, &fd, &st, e);

	if (found <= 0)
		return found;
	if (q->received_s != 0 && st.st_mtim.tv_sec <= q->received_s)
		return 0;
	scratch = arena_open(LIMIT_ARENA);
	if (maildir_read_head(fd, scratch, &head, e) < 0)
		return -1;
	mime_header_parse(scratch, head, &h);
	if (!head_fits(scratch, &h, q))
		return 0;
	fits = q->text.n == 0 || head_has(scratch, &h, q->text);
	if (!fits && body_has(fd, &st, scratch, q->text, &fits, e) < 0)
		return -1;
	if (!fits)
		return 0;
	return maildir_read_row(m, fd, &st, ref, head, a, out, e);
}

/* Everything there is, newest first, when nobody says what to look at. */
static void
all(struct maildir *m, struct arena *a, struct refs *out)
{
	struct strs ids;

	maildir_index_order(m, a, &ids);
	out->n = ids.n;
	out->v = arena_array(a, ids.n, sizeof(*out->v));
	for (size_t i = 0; i < ids.n; i++)
		out->v[i].id = ids.v[ids.n - 1 - i];
}

/* Is it asked what facts can answer, of so many that making them is worth? */
static bool
wants_facts(const struct query *q, size_t n)
{
	return n > MAILDIR_FEW &&
	    (q->received_s != 0 || q->message_id.n > 0 || q->refers.n > 0 ||
		q->list.n > 0);
}

int
maildir_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct rows rows = { 0 };
	struct refs every = { 0 };
	const struct refs *refs = q->among;
	struct str list_id = backend_list_id(a, q->list);
	bool facts;

	if (maildir_folder_open(m, q->folder, e) < 0 ||
	    maildir_index_need(m, e) < 0)
		return -1;
	if (refs == NULL) {
		all(m, a, &every);
		refs = &every;
	}
	facts = wants_facts(q, refs->n);
	if (facts && maildir_facts_need(m, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n && rows.n < limit; i++) {
		if (facts && !maildir_facts_fit(m, refs->v[i].id, q, list_id))
			continue;
		if (look(m, &refs->v[i], q, a, &rows, e) < 0)
			return -1;
	}
	*st = (struct folder_state){ .exists = (uint32_t)m->index.n };
	*out = rows;
	return 0;
}
