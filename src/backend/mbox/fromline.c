/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line that begins a message, "From sender date", and similar lines that do
 * not.  Writers follow no common grammar (RFC 4155 appendix A has one); so the
 * line is parsed word by word, and its words count in any order.
 */
#include "backend/mbox/internal.h"
#include "base/clock.h"

#define WORDS 24

struct words {
	struct str v[WORDS];
	size_t n;
	bool over; /* there were more */
};

static bool
mbox_fromline_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* A quoted local part may contain spaces: "a b"@example.org is one word. */
static void
mbox_fromline_split(struct str s, struct words *w)
{
	size_t i = 0;

	while (i < s.n) {
		size_t from;
		bool quoted = false;

		while (i < s.n && mbox_fromline_is_space(s.p[i]))
			i++;
		from = i;
		for (; i < s.n && (quoted || !mbox_fromline_is_space(s.p[i]));
		     i++)
			if (s.p[i] == '"')
				quoted = !quoted;
		if (i == from)
			return;
		if (w->n == WORDS) {
			w->over = true;
			return;
		}
		w->v[w->n++] = (struct str){ s.p + from, i - from };
	}
}

/* 1 to 12, or 0. */
static int
mbox_fromline_month_of(struct str w)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	if (w.n > 0 && w.p[w.n - 1] == ',')
		w.n--;
	for (int i = 0; i < 12 && w.n == 3; i++)
		if (str_eq_case(w, (struct str){ names + (size_t)i * 3, 3 }))
			return i + 1;
	return 0;
}

/* "6:04:52" or "06:04" in seconds of the day, or -1. */
static int
mbox_fromline_time_of(struct str w)
{
	static const uint32_t max[] = { 23, 59, 60 };
	uint32_t v[3] = { 0 };
	size_t n = 0;
	struct str part;
	bool more = true;

	while (more && n < 3) {
		more = str_cut(w, ':', &part, &w);
		if (part.n == 0 || part.n > 2 ||
		    !str_to_u32(part, max[n], &v[n]))
			return -1;
		n++;
	}
	return more || n < 2 ? -1 : (int)(v[0] * 3600 + v[1] * 60 + v[2]);
}

/* "+0200" in minutes; false when it is no zone. */
static bool
mbox_fromline_zone_of(struct str w, int *out)
{
	uint32_t v;

	if (w.n != 5 || (w.p[0] != '+' && w.p[0] != '-') ||
	    !str_to_u32(str_from(w, 1), 2359, &v) || v % 100 > 59)
		return false;
	*out = (int)(v / 100 * 60 + v % 100) * (w.p[0] == '-' ? -1 : 1);
	return true;
}

static bool
mbox_fromline_is_commit(struct str w)
{
	for (size_t i = 0; i < w.n; i++)
		if (str_hex(w.p[i]) < 0)
			return false;
	return w.n == 40;
}

/* The number of words at the beginning that form a sender. */
static size_t
mbox_fromline_sender_words(const struct words *w)
{
	if (w->n == 0)
		return 0;
	if (w->n >= 3 && str_eq_case(w->v[1], S("at")))
		return 3; /* an archive that hides addresses */
	if (str_has_char(w->v[0], '@') || str_eq(w->v[0], S("-")) ||
	    str_eq_case(w->v[0], S("MAILER-DAEMON")) ||
	    mbox_fromline_is_commit(w->v[0]))
		return 1;
	return 0;
}

struct date {
	int month, time_s, zone_min;
	uint32_t day, year;
};

static void
mbox_fromline_read_word(struct str w, struct date *d)
{
	uint32_t n;

	if (d->month == 0 && mbox_fromline_month_of(w) != 0)
		d->month = mbox_fromline_month_of(w);
	else if (d->time_s < 0 && mbox_fromline_time_of(w) >= 0)
		d->time_s = mbox_fromline_time_of(w);
	else if (mbox_fromline_zone_of(w, &d->zone_min))
		return;
	else if (d->day == 0 && w.n <= 2 && str_to_u32(w, 31, &n))
		d->day = n;
	else if (w.n == 4 && str_to_u32(w, 9999, &n) && n >= 1900)
		d->year = n;
	else if (d->year == 0 && w.n == 2 && str_to_u32(w, 99, &n))
		d->year = n < 70 ? 2000 + n : 1900 + n; /* RFC 822's */
}

void
mbox_fromline_read(struct str line, struct mbox_fromline *out)
{
	struct date d = { .time_s = -1 };
	struct clock_date c = { 0 };
	struct words w = { 0 };
	size_t sender;

	*out = (struct mbox_fromline){ 0 };
	mbox_fromline_split(str_from(line, 5), &w);
	sender = mbox_fromline_sender_words(&w);
	for (size_t i = sender; i < w.n; i++)
		mbox_fromline_read_word(w.v[i], &d);
	out->dated = d.month != 0 && d.time_s >= 0;
	out->whole = out->dated && d.day != 0 && d.year != 0;
	out->sender = sender > 0 && sender == w.n && !w.over;
	if (!out->whole)
		return;
	c.year = (int)d.year;
	c.month = d.month;
	c.day = (int)d.day;
	out->when_s = clock_unix(&c) + d.time_s - (int64_t)d.zone_min * 60;
}

/* "Name:", as at the start of a header; or such a line quoted by a writer. */
static bool
mbox_fromline_is_field(struct str s)
{
	size_t i = 0;

	if (str_starts(s, S(">From ")))
		return true;
	while (i < s.n && s.p[i] > ' ' && s.p[i] < 0x7f && s.p[i] != ':')
		i++;
	if (i == 0)
		return false;
	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
		i++;
	return i < s.n && s.p[i] == ':';
}

bool
mbox_fromline_begins(enum mbox_rule rule, struct str line, struct str next)
{
	struct mbox_fromline f;

	mbox_fromline_read(line, &f);
	switch (rule) {
	case MBOX_STRICT:
		return f.whole && mbox_fromline_is_field(next);
	case MBOX_LOOSE:
		return f.dated || f.sender;
	case MBOX_SCORED:
		break;
	}
	return (f.dated || f.sender) && mbox_fromline_is_field(next);
}
