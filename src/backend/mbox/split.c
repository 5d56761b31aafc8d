/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits bytes into messages: finds where each begins, and the ends of its
 * header and body.  Most lines are in bodies and are recognized by their first
 * byte.
 *
 * A message begins with a From_ line at the beginning of the file or after an
 * empty line, if the line and the next one look right (fromline.c).  It ends
 * before that empty line.
 *
 * By length (mboxcl, mboxcl2), Content-Length gives the end of a body, and
 * counts only if a From_ line or the end of the file is exactly there.  A
 * sender can write that field too, so lengths are used only if they lead from
 * message to message through the whole file, and do not skip more messages than
 * they find.
 *
 * Otherwise From_ lines count, and a length is additional evidence.  Netscape
 * writes no empty line after a body: once a message had a length, a From_ line
 * directly after text counts, too, if the length ends there, or if the line has
 * a complete date and a field after it.  If the evidence conflicts, the message
 * is cut at the From_ line, and both pieces say so: the later one may be text
 * that a sender wrote.
 */
#include "backend/mbox/internal.h"
#include "base/buf.h"

enum state {
	BEFORE, /* no message yet */
	HEAD,
	BODY,
};

/* One line; `text` excludes its end and may be only the beginning. */
struct line {
	struct str text;
	uint64_t at;
	size_t n; /* including its end */
};

static bool
is_from(struct str s)
{
	return s.n >= 5 && memcmp(s.p, "From ", 5) == 0;
}

/* Eudora omits the empty line, and names no sender. */
static bool
is_eudora(struct str s)
{
	return str_starts(s, S("From ???@??? "));
}

static size_t
mbox_split_keep(char *to, size_t room, struct str s)
{
	size_t n = s.n < room ? s.n : room;

	if (n > 0)
		memcpy(to, s.p, n);
	return n;
}

/* Ends the current message; `end` is its end in the file. */
static int
mbox_split_emit(struct mbox_split *s, uint64_t end, struct err *e)
{
	uint64_t begin = s->msg_at + s->from_n;
	struct mbox_part p = {
		.at = s->msg_at,
		.size = end > begin ? end - begin : 0,
		.from_n = s->from_n,
		.from = { s->from, s->from_len },
		.head = buf_view(s->head),
		.doubt_begin = s->doubt_begin,
		.doubt_end = s->doubt_end,
		.loose = s->loose,
	};

	s->messages++;
	return s->found(s->ctx, &p, e);
}

static void
mbox_split_begin(struct mbox_split *s)
{
	memcpy(s->from, s->cand, s->cand_len);
	s->from_len = s->cand_len;
	s->msg_at = s->cand_at;
	s->from_n = s->cand_n;
	s->state = HEAD;
	s->blank = false;
	s->hold = 0;
	s->measured = s->meets = false;
	s->doubt_begin = s->doubt_end = s->loose = false;
	buf_reset(s->head);
}

/* The value of the last Content-Length in the header; false without one. */
static bool
mbox_split_length_of(struct str head, uint64_t *out)
{
	bool found = false;
	struct str line;

	while (head.n > 0) {
		(void)str_cut(head, '\n', &line, &head);
		if (str_starts_case(line, S("Content-Length:")))
			found = str_to_u64(str_trim(str_from(line, 15)),
			    UINT64_MAX / 4, out);
	}
	return found;
}

/* The header is complete: where does the body end? */
static void
mbox_split_measure(struct mbox_split *s, uint64_t body)
{
	uint64_t n;
	int lands = 0;

	s->measured = mbox_split_length_of(buf_view(s->head), &n);
	if (s->measured) {
		s->lengths++;
		s->hold = body + n;
		lands = s->lands(s->ctx, s->hold);
		s->meets = lands > 0;
	}
	if (s->by_length && lands == 0)
		s->end = MBOX_SPLIT_UNCHAINED;
}

/* Does the length say that the body ends where the candidate begins? */
static bool
length_agrees(const struct mbox_split *s)
{
	return s->measured &&
	    (s->hold == s->cand_at || (s->blank && s->hold == s->blank_at));
}

/* By length, a From_ line within a body belongs to it. */
static int
mbox_split_settle_by_length(struct mbox_split *s, struct str next,
    struct err *e)
{
	struct str cand = { s->cand, s->cand_len };

	if (s->hold > s->cand_at) {
		bool yes = mbox_fromline_begins(s->rule, cand, next);

		s->raw += yes;
		s->doubt_end = s->doubt_end || yes;
		s->blank = false;
		return 0;
	}
	if (mbox_split_emit(s, s->hold, e) < 0)
		return -1;
	mbox_split_begin(s);
	return 0;
}

/* The previous line was a candidate: does a message begin with it? */
static int
mbox_split_settle(struct mbox_split *s, struct str next, struct err *e)
{
	struct str cand = { s->cand, s->cand_len };
	bool first = s->cand_at == s->begin, agrees = length_agrees(s);
	bool tight = !s->blank && !is_eudora(cand), doubt, yes;
	uint64_t end = s->blank ? s->blank_at : s->cand_at;

	s->pending = false;
	if (s->state == BODY && s->by_length)
		return mbox_split_settle_by_length(s, next, e);
	yes = first ||
	    mbox_fromline_begins(tight && !agrees ? MBOX_STRICT : s->rule, cand,
		next);
	if (!yes) {
		s->refused += !tight;
		s->doubt_end = s->doubt_end || agrees;
		s->blank = false;
		return 0;
	}
	doubt = !first &&
	    ((tight && !agrees) || (s->meets && s->hold > s->cand_at));
	s->doubt_end = s->doubt_end || doubt;
	if (s->state == BODY && mbox_split_emit(s, end, e) < 0)
		return -1;
	mbox_split_begin(s);
	s->doubt_begin = first ? s->doubt_first : doubt;
	/* A sender can write a length that matches a line of their own body. */
	s->loose = first ? s->loose_first : doubt || tight;
	return 0;
}

static void
mbox_split_take_candidate(struct mbox_split *s, const struct line *l)
{
	s->pending = true;
	s->cand_at = l->at;
	s->cand_n = (uint32_t)(l->n < UINT32_MAX ? l->n : UINT32_MAX);
	s->cand_len = mbox_split_keep(s->cand, sizeof(s->cand), l->text);
}

static void
head_add(struct mbox_split *s, const char *p, size_t n)
{
	size_t room = s->head->max - s->head->n;

	buf_add(s->head, p, n < room ? n : room);
}

static void
mbox_split_head_line(struct mbox_split *s, const struct line *l, bool empty)
{
	if (s->head->n == 0 && str_starts(l->text, S(">From ")) &&
	    l->n < UINT32_MAX - s->from_n) {
		s->from_n += (uint32_t)l->n;
		return;
	}
	if (!empty) {
		head_add(s, l->text.p, l->n);
		return;
	}
	s->state = BODY;
	s->blank = true;
	s->blank_at = l->at;
	mbox_split_measure(s, l->at + l->n);
}

/* Counts ">From " by the number of marks. */
static void
mbox_split_count_quotes(struct mbox_split *s, struct str text)
{
	size_t n = 0;

	while (n < text.n && text.p[n] == '>')
		n++;
	if (n > 0 && is_from(str_from(text, n))) {
		s->quoted += n == 1;
		s->requoted += n > 1;
	}
}

static void
mbox_split_body_line(struct mbox_split *s, const struct line *l, bool empty)
{
	bool tight = s->by_length ? l->at == s->hold : s->lengths > 0;

	if (is_from(l->text) && (s->blank || tight || is_eudora(l->text))) {
		mbox_split_take_candidate(s, l);
		return;
	}
	mbox_split_count_quotes(s, l->text);
	s->blank = empty;
	if (empty)
		s->blank_at = l->at;
}

static int
mbox_split_take_line(struct mbox_split *s, const struct line *l, struct err *e)
{
	bool empty = l->text.n == 0;

	if (s->pending && mbox_split_settle(s, l->text, e) < 0)
		return -1;
	switch ((enum state)s->state) {
	case BEFORE:
		if (is_from(l->text)) {
			s->begin = l->at;
			mbox_split_take_candidate(s, l);
		} else if (!empty) {
			s->end = MBOX_SPLIT_ALIEN;
		}
		break;
	case HEAD:
		mbox_split_head_line(s, l, empty);
		break;
	case BODY:
		mbox_split_body_line(s, l, empty);
		break;
	}
	return 0;
}

/* Skips the rest of a line whose beginning was processed: its length. */
static size_t
mbox_split_take_rest(struct mbox_split *s, struct str bytes)
{
	const char *lf = memchr(bytes.p, '\n', bytes.n);
	size_t n = lf != NULL ? (size_t)(lf - bytes.p) + 1 : bytes.n;

	if (s->state == HEAD && !s->pending)
		head_add(s, bytes.p, n);
	if (s->pending && n < UINT32_MAX - s->cand_n)
		s->cand_n += (uint32_t)n;
	s->in_line = lf == NULL;
	s->at += n;
	return n;
}

/* Lines of bodies, which need no processing. */
static const char *
mbox_split_skip_plain(struct mbox_split *s, const char *p, const char *end)
{
	const char *from = p;
	bool blank = s->blank;

	while (p < end) {
		const char *lf;

		if (*p == 'F' || *p == '>' || *p == '\n' || *p == '\r')
			break;
		lf = memchr(p, '\n', (size_t)(end - p));
		if (lf == NULL)
			break;
		blank = false;
		p = lf + 1;
	}
	s->blank = blank;
	s->at += (uint64_t)(p - from);
	return p;
}

int
mbox_split_feed(struct mbox_split *s, struct str bytes, bool full, size_t *used,
    struct err *e)
{
	const char *p = bytes.p, *end = bytes.p + bytes.n;

	if (s->in_line && bytes.n > 0)
		p += mbox_split_take_rest(s, bytes);
	while (p < end && s->end == MBOX_SPLIT_GOOD && !s->in_line) {
		struct line l = { .at = s->at };
		const char *lf;

		if (s->state == BODY && !s->pending)
			p = mbox_split_skip_plain(s, p, end);
		if (p == end)
			break;
		l.at = s->at;
		lf = memchr(p, '\n', (size_t)(end - p));
		if (lf == NULL && (!full || p != bytes.p))
			break;
		l.n = (size_t)((lf != NULL ? lf + 1 : end) - p);
		l.text = (struct str){ p, l.n - (lf != NULL) };
		if (l.text.n > 0 && lf != NULL && lf[-1] == '\r')
			l.text.n--;
		if (mbox_split_take_line(s, &l, e) < 0)
			return -1;
		s->in_line = lf == NULL;
		s->at += l.n;
		p += l.n;
	}
	*used = (size_t)(p - bytes.p);
	return 0;
}

/*
 * The end of the current message, if it is complete; otherwise false.  A writer
 * that has not finished leaves a line without its end, or fewer bytes than the
 * length.
 */
static bool
mbox_split_ends(const struct mbox_split *s, uint64_t *end)
{
	*end = s->at;
	if (s->state != BODY)
		return false;
	if (s->by_length && s->hold <= s->at) {
		*end = s->hold;
		return true;
	}
	if (s->blank)
		*end = s->blank_at;
	return s->blank ||
	    (!s->in_line && !s->pending && !(s->measured && s->hold > s->at));
}

int
mbox_split_finish(struct mbox_split *s, bool still, bool *left, struct err *e)
{
	uint64_t end;
	bool whole;

	/* A From_ line that is being written ends the message before it. */
	*left = s->pending && !still;
	if (s->pending && still && s->state != BEFORE &&
	    mbox_split_settle(s, (struct str){ 0 }, e) < 0)
		return -1;
	whole = mbox_split_ends(s, &end);
	if (s->by_length &&
	    (s->raw > s->messages + 1 || (still && s->state == BODY && !whole)))
		s->end = MBOX_SPLIT_UNCHAINED;
	if (s->state == BEFORE || s->end != MBOX_SPLIT_GOOD)
		return 0;
	if (!whole && !still && !(s->resumed && s->messages == 0)) {
		*left = true;
		return 0;
	}
	return mbox_split_emit(s, end, e);
}
