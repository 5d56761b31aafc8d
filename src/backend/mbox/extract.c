/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a header that the index contains: enough to find a message and
 * its thread without opening the archive.  Texts are decoded as a person reads
 * them; a text that is too long is cut, and the row says so.
 */
#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"
#include "base/buf.h"
#include "mime/date.h"
#include "mime/header.h"

#define TEXT_MAX 4096
#define ID_MAX 1000
#define IDS_MAX 8192 /* some 130 ids */

/* Nothing in it to decode, unfold or clean: true for most values. */
static bool
mbox_extract_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < ' ' || s.p[i] > '~' ||
		    (s.p[i] == '=' && i + 1 < s.n && s.p[i + 1] == '?'))
			return false;
	return true;
}

/* Appends a part of one text. */
static void
mbox_extract_add(struct buf *b, struct mbox_row *r, enum mbox_text which,
    struct str s, size_t max)
{
	size_t room = max - r->text_n[which];

	if (s.n > room) {
		s.n = room;
		r->flags |= MBOX_CUT;
	}
	buf_str(b, s);
	r->text_n[which] += (uint32_t)s.n;
}

/* The relevant fields, found in one pass: first and last of each name. */
enum name {
	FROM,
	SUBJECT,
	DATE,
	ID,
	PARENT,
	REFERENCES,
	LIST,
	NAMES
};

struct fields {
	const struct mime_header *h;
	size_t first[NAMES], end[NAMES]; /* end is 0 if there is none */
};

static void
mbox_extract_find(const struct mime_header *h, struct fields *f)
{
	static const struct str names[NAMES] = {
		[FROM] = SI("From"),
		[SUBJECT] = SI("Subject"),
		[DATE] = SI("Date"),
		[ID] = SI("Message-ID"),
		[PARENT] = SI("In-Reply-To"),
		[REFERENCES] = SI("References"),
		[LIST] = SI("List-Id"),
	};

	*f = (struct fields){ .h = h };
	for (size_t i = 0; i < h->n; i++) {
		struct str name = h->field[i].name;

		for (int k = 0; k < NAMES; k++) {
			if (name.n != names[k].n ||
			    (name.p[0] | 32) != (names[k].p[0] | 32) ||
			    !str_eq_case(name, names[k]))
				continue;
			if (f->end[k] == 0)
				f->first[k] = i;
			f->end[k] = i + 1;
			break;
		}
	}
}

static struct str
mbox_extract_first(const struct fields *f, enum name name)
{
	return f->end[name] > 0 ? f->h->field[f->first[name]].value
				: (struct str){ 0 };
}

/* Every field with that name, one per line. */
static void
mbox_extract_add_texts(struct arena *a, const struct fields *f, struct buf *b,
    struct mbox_row *r, enum mbox_text which, enum name name)
{
	for (size_t i = f->first[name]; i < f->end[name]; i++) {
		struct str v = f->h->field[i].value;

		if (!str_eq_case(f->h->field[i].name,
			f->h->field[f->first[name]].name))
			continue;
		v = mbox_extract_is_plain(v) ? str_trim(v)
					     : mime_header_text(a, v);
		if (i > f->first[name])
			mbox_extract_add(b, r, which, S("\n"), TEXT_MAX);
		mbox_extract_add(b, r, which, v, TEXT_MAX);
	}
}

static void
mbox_extract_add_ids(struct arena *a, const struct fields *f, struct buf *b,
    struct mbox_row *r, enum mbox_text which, enum name name, size_t max)
{
	struct str raw = mbox_extract_first(f, name);
	struct strs ids = { 0 };
	size_t n = 0, from;

	if (raw.n == 0)
		return;
	if (name == PARENT)
		mime_header_answered(a, raw, &ids);
	else
		mime_header_msgids(a, raw, &ids);
	/* The last ones are the nearest ancestors. */
	for (from = ids.n; from > 0 && n + ids.v[from - 1].n <= max; from--)
		n += ids.v[from - 1].n;
	if (from > 0 || ids.n == LIMIT_REFERENCES)
		r->flags |= MBOX_CUT;
	for (size_t i = from; i < ids.n; i++)
		mbox_extract_add(b, r, which, ids.v[i], max);
}

/* RFC 2919: the text in angle brackets. */
static void
mbox_extract_add_list(const struct fields *f, struct buf *b, struct mbox_row *r)
{
	struct str head, tail;

	if (str_cut(mbox_extract_first(f, LIST), '<', &head, &tail) &&
	    str_cut(tail, '>', &head, &tail) && mbox_extract_is_plain(head))
		mbox_extract_add(b, r, MBOX_LIST, head, ID_MAX);
}

static void
mbox_extract_date(const struct fields *f, const struct mbox_part *p,
    struct mbox_row *r)
{
	struct str raw = mbox_extract_first(f, DATE);
	struct mbox_fromline line;
	int zone = 0;

	mbox_fromline_read(p->from, &line);
	r->received_s = line.whole ? line.when_s : 0;
	if (raw.n > 0 && date_parse(raw, &r->date_s, &zone)) {
		r->flags |= MBOX_DATED;
		r->date_zone_min = zone;
	} else if (line.whole) {
		r->flags |= MBOX_LINED;
		r->date_s = line.when_s;
	}
}

void
mbox_extract_row(struct arena *a, const struct mbox_part *p,
    struct mbox_row *row, struct buf *text)
{
	struct mime_header h;
	struct fields f;

	*row = (struct mbox_row){
		.at = p->at,
		.size = p->size,
		.from_n = p->from_n,
		.head_n = (uint32_t)p->head.n,
		.head_sum = backend_sum(0, p->head.p, p->head.n),
		.flags = (p->doubt_begin ? MBOX_DOUBT_BEGIN : 0U) |
		    (p->doubt_end ? MBOX_DOUBT_END : 0U) |
		    (p->loose ? MBOX_TIGHT : 0U),
	};
	mime_header_parse(a, p->head, &h);
	mbox_extract_find(&h, &f);
	mbox_extract_date(&f, p, row);
	mbox_extract_add_ids(a, &f, text, row, MBOX_ID, ID, ID_MAX);
	mbox_extract_add_ids(a, &f, text, row, MBOX_PARENT, PARENT, ID_MAX);
	mbox_extract_add_ids(a, &f, text, row, MBOX_REFERENCES, REFERENCES,
	    IDS_MAX);
	mbox_extract_add_texts(a, &f, text, row, MBOX_FROM, FROM);
	mbox_extract_add_texts(a, &f, text, row, MBOX_SUBJECT, SUBJECT);
	mbox_extract_add_list(&f, text, row);
}
