/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares an invitation with the text in it and beside it: links that lead
 * elsewhere than their text says, and times, days and places that differ from
 * the invitation's.  The results are hints, and in doubt there is none: a time
 * counts only if its zone is the invitation's, UTC or a known one; a line that
 * names another zone does not count, and one matching time is enough.
 */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/limits.h"
#include "html/html.h"
#include "mime/calendar_internal.h"

#define TEXT_LOOKED_AT (256UL << 10) /* bytes of the other text */

/* -- links ------------------------------------------------------------------
 */

/* Schemes that are never shown or that a person never follows knowingly. */
static bool
text_is_trick(struct str url)
{
	static const struct str schemes[] = { SI("javascript:"), SI("data:"),
		SI("vbscript:"), SI("file:") };
	ptrdiff_t at = str_find(url, S("://"));
	struct str host = at < 0 ? S("") : str_from(url, (size_t)at + 3);

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (str_starts_case(url, schemes[i]))
			return true;
	/* "https://zoom.example@evil.example/" */
	for (size_t i = 0; i < host.n && strchr("/?#", host.p[i]) == NULL; i++)
		if (host.p[i] == '@')
			return true;
	return false;
}

static size_t
text_html_links(struct arena *a, struct str s)
{
	struct html_found f = { 0 };
	size_t n = 0;

	(void)html_text(a, s, LIMIT_CALENDAR, &f);
	for (size_t i = 0; i < f.links; i++)
		n += f.link[i].mismatch || text_is_trick(f.link[i].url);
	return n;
}

/* "shown <url>" and "shown (url)", as Outlook writes links in plain text. */
size_t
calendar_text_links(struct arena *a, struct str s)
{
	static const char ends[] = " \t\n<>()[]\"";
	struct str before = { s.p, 0 };
	size_t i = 0, n = 0;

	if (str_find_case(s, S("<a ")) >= 0)
		return text_html_links(a, s);
	while (i < s.n) {
		size_t from;
		struct str word;
		bool bracket;

		while (i < s.n && strchr(ends, s.p[i]) != NULL)
			i++;
		from = i;
		while (i < s.n && strchr(ends, s.p[i]) == NULL)
			i++;
		word = (struct str){ s.p + from, i - from };
		bracket = from > 0 && strchr("<([", s.p[from - 1]) != NULL;
		n += text_is_trick(word);
		if (bracket && before.n > 0 && str_find(word, S("://")) >= 0)
			n += html_link_mismatch(a, before, word);
		before = word;
	}
	return n;
}

/* -- times --------------------------------------------------------------------
 */

struct text_said {
	const struct calendar_event *ev;
	bool time, time_fits; /* times were named; one is the invitation's */
	bool day, day_fits;
	bool place, place_fits;
};

/* Zones that a line may name; those without an offset are not converted. */
static const struct text_zone {
	struct str name;
	bool known;
	int minutes;
} text_zones[] = {
	{ SI("utc"), true, 0 },
	{ SI("gmt"), true, 0 },
	{ SI("est"), true, -300 },
	{ SI("edt"), true, -240 },
	{ SI("cst"), false, 0 },
	{ SI("cdt"), true, -300 },
	{ SI("mst"), true, -420 },
	{ SI("mdt"), true, -360 },
	{ SI("pst"), true, -480 },
	{ SI("pdt"), true, -420 },
	{ SI("cet"), true, 60 },
	{ SI("cest"), true, 120 },
	{ SI("et"), false, 0 },
	{ SI("pt"), false, 0 },
	{ SI("ct"), false, 0 },
	{ SI("mt"), false, 0 },
	{ SI("eastern"), false, 0 },
	{ SI("central"), false, 0 },
	{ SI("mountain"), false, 0 },
	{ SI("pacific"), false, 0 },
	{ SI("bst"), false, 0 },
	{ SI("ist"), false, 0 },
	{ SI("jst"), false, 0 },
	{ SI("kst"), false, 0 },
	{ SI("sgt"), false, 0 },
	{ SI("hkt"), false, 0 },
	{ SI("aest"), false, 0 },
	{ SI("aedt"), false, 0 },
	{ SI("nzst"), false, 0 },
	{ SI("nzdt"), false, 0 },
	{ SI("eet"), false, 0 },
	{ SI("eest"), false, 0 },
	{ SI("wet"), false, 0 },
	{ SI("west"), false, 0 },
	{ SI("msk"), false, 0 },
	{ SI("timezone"), false, 0 },
	{ SI("zone"), false, 0 },
	{ SI("zeitzone"), false, 0 },
	{ SI("standard"), false, 0 },
	{ SI("daylight"), false, 0 },
};

/* The zone that a line names: 0 none, 1 an offset, -1 an unknown one. */
static int
text_line_zone(struct str line, int *minutes)
{
	int found = 0;

	for (size_t i = 0; i < line.n;) {
		size_t from = i;
		struct str w;

		while (i < line.n && ascii_is_letter(line.p[i]))
			i++;
		w = (struct str){ line.p + from, i - from };
		i += i == from;
		for (size_t k = 0;
		     w.n > 1 && k < sizeof(text_zones) / sizeof(text_zones[0]);
		     k++) {
			if (!str_eq_case(w, text_zones[k].name))
				continue;
			/* "UTC+2", "GMT-05:00", in their many spellings. */
			if (!text_zones[k].known ||
			    (i < line.n &&
				(line.p[i] == '+' || line.p[i] == '-')))
				return -1;
			if (found != 0 && *minutes != text_zones[k].minutes)
				return -1;
			*minutes = text_zones[k].minutes;
			found = 1;
		}
	}
	return found;
}

static bool
text_moment_fits(const struct calendar_moment *m, int zone, int minutes,
    int hour, int minute)
{
	int64_t want = (int64_t)hour * 3600 + (int64_t)minute * 60;
	int64_t at = zone > 0 ? m->utc_s + (int64_t)minutes * 60 : m->local_s;

	if (!m->set || (zone > 0 && !m->has_utc))
		return m->set;
	at = ((at % CALENDAR_DAY_S) + CALENDAR_DAY_S) % CALENDAR_DAY_S;
	if (at / 60 * 60 == want)
		return true;
	at = ((m->utc_s % CALENDAR_DAY_S) + CALENDAR_DAY_S) % CALENDAR_DAY_S;
	return zone == 0 && m->has_utc && at / 60 * 60 == want;
}

/* One or two digits at i; moves past them; -1: none. */
static int
text_number(struct str s, size_t *i, size_t most)
{
	size_t from = *i;
	uint32_t v;

	while (*i < s.n && *i - from < most && ascii_is_digit(s.p[*i]))
		(*i)++;
	if (*i == from || (*i < s.n && ascii_is_digit(s.p[*i])) ||
	    !str_to_u32((struct str){ s.p + from, *i - from }, 9999, &v))
		return -1;
	return (int)v;
}

/* " pm", "p.m." after a time: 12, "am": 0, neither: -1. */
static int
text_half(struct str s, size_t i)
{
	int half;

	while (i < s.n && s.p[i] == ' ')
		i++;
	if (i >= s.n)
		return -1;
	if (s.p[i] == 'a' || s.p[i] == 'A')
		half = 0;
	else if (s.p[i] == 'p' || s.p[i] == 'P')
		half = 12;
	else
		return -1;
	i++;
	i += i < s.n && s.p[i] == '.';
	if (i >= s.n || (s.p[i] != 'm' && s.p[i] != 'M') ||
	    (i + 1 < s.n && ascii_is_letter(s.p[i + 1])))
		return -1;
	return half;
}

/* "14:30", "2:30 pm", "2 PM" at i: reads it, or skips the number. */
static void
text_take_time(struct text_said *t, struct str s, size_t *i, int zone,
    int minutes)
{
	char before = (char)(*i > 0 ? s.p[*i - 1] : ' ');
	int hour = text_number(s, i, 2), minute = 0, half;
	bool clock = false;

	if (*i + 2 < s.n && s.p[*i] == ':' && ascii_is_digit(s.p[*i + 1])) {
		size_t at = *i + 1;

		minute = text_number(s, &at, 2);
		clock = at == *i + 3 && minute >= 0 && minute < 60;
		*i = at;
		/* Seconds appear in logs and headers, not in invitations. */
		if (*i < s.n && s.p[*i] == ':')
			clock = false;
	}
	half = text_half(s, *i);
	if (half >= 0 && hour >= 1 && hour <= 12)
		hour = hour % 12 + half;
	else if (half >= 0 || !clock)
		return;
	if (hour < 0 || hour > 23 || minute < 0 ||
	    strchr("+-.:/$", before) != NULL)
		return;
	t->time = true;
	t->time_fits = t->time_fits ||
	    text_moment_fits(&t->ev->start, zone, minutes, hour, minute) ||
	    text_moment_fits(&t->ev->end, zone, minutes, hour, minute);
}

/* -- days --------------------------------------------------------------------
 */

static const char text_months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

static int
text_month(struct str w)
{
	static const char *const full[] = { "January", "February", "March",
		"April", "May", "June", "July", "August", "September",
		"October", "November", "December" };

	for (int m = 0; m < 12; m++)
		if (str_eq(w, (struct str){ text_months + (size_t)m * 3, 3 }) ||
		    str_eq(w, str_of(full[m])))
			return m + 1;
	return str_eq(w, S("Sept")) ? 9 : 0;
}

static bool
text_day_fits(const struct calendar_event *ev, int64_t from, int64_t to,
    int month, int day)
{
	int n = 0;

	(void)ev;
	for (int64_t s = from; s <= to && n < 62; s += CALENDAR_DAY_S, n++) {
		struct clock_date d = clock_date(s);

		if (d.month == month && d.day == day)
			return true;
	}
	return false;
}

static void
text_take_day(struct text_said *t, int month, int day)
{
	const struct calendar_moment *b = &t->ev->start;
	const struct calendar_moment *e =
	    t->ev->end.set ? &t->ev->end : &t->ev->start;
	int64_t last = e->local_s / CALENDAR_DAY_S * CALENDAR_DAY_S;
	int64_t first = b->local_s / CALENDAR_DAY_S * CALENDAR_DAY_S;

	if (month < 1 || month > 12 || day < 1 || day > 31)
		return;
	t->day = true;
	t->day_fits = t->day_fits ||
	    text_day_fits(t->ev, first, last, month, day) ||
	    (b->has_utc &&
		text_day_fits(t->ev, b->utc_s, b->utc_s, month, day));
}

/* "June 22", "22 June", "22nd of June": words around place i. */
static void
text_take_month(struct text_said *t, struct str s, size_t from, size_t end,
    int month)
{
	size_t i = end, k = from;
	int day;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '.'))
		i++;
	day = text_number(s, &i, 2);
	if (day > 0 && (i == s.n || s.p[i] != ':')) {
		text_take_day(t, month, day);
		return;
	}
	while (
	    k > 0 && strchr(" .,ofstndrh-", s.p[k - 1]) != NULL && from - k < 6)
		k--;
	while (k > 0 && ascii_is_digit(s.p[k - 1]) && from - k < 9)
		k--;
	day = text_number(s, &k, 2);
	if (day > 0 && k < from)
		text_take_day(t, month, day);
}

/* "2026-06-22" or "22.06.2026" at i: reads it and moves past it. */
static bool
text_take_numbers(struct text_said *t, struct str s, size_t *i)
{
	size_t k = *i;
	int x = text_number(s, &k, 4), y, z;
	char sep = (char)(k < s.n ? s.p[k] : '\0');

	if (x < 0 || (sep != '-' && sep != '.' && sep != '/'))
		return false;
	k++;
	y = text_number(s, &k, 2);
	if (y < 0 || k >= s.n || s.p[k] != sep)
		return false;
	k++;
	z = text_number(s, &k, 4);
	if (z < 0 || (k < s.n && s.p[k] == sep))
		return false;
	if (x >= 1900 && sep == '-') {
		text_take_day(t, y, z);
	} else if (z >= 1900 && sep == '.') {
		text_take_day(t, y, x);
	} else if (z >= 1900 && sep == '/') {
		/* Either order; the one that fits counts. */
		text_take_day(t, y, x);
		text_take_day(t, x, y);
	} else {
		return false;
	}
	*i = k;
	return true;
}

/* -- places -------------------------------------------------------------------
 */

static bool
text_share_word(struct str x, struct str y)
{
	for (size_t i = 0; i < x.n;) {
		size_t from = i;

		while (i < x.n &&
		    (ascii_is_letter(x.p[i]) || ascii_is_digit(x.p[i]) ||
			(unsigned char)x.p[i] >= 0x80))
			i++;
		if (i - from >= 3 &&
		    str_find_case(y, (struct str){ x.p + from, i - from }) >= 0)
			return true;
		i += i == from;
	}
	return false;
}

static void
text_take_place(struct text_said *t, struct str line)
{
	static const struct str labels[] = { SI("where:"), SI("location:"),
		SI("place:"), SI("wo:"), SI("ort:"), SI("lieu:"), SI("lugar:"),
		SI("luogo:") };
	struct str at = t->ev->location;

	while (line.n > 0 && strchr("*_- \t", line.p[0]) != NULL)
		line = str_from(line, 1);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct str v;

		if (!str_starts_case(line, labels[i]))
			continue;
		v = str_trim(str_from(line, labels[i].n));
		if (v.n < 2 || at.n == 0)
			return;
		t->place = true;
		t->place_fits = t->place_fits || text_share_word(v, at) ||
		    str_find_case(v, at) >= 0 || str_find_case(at, v) >= 0;
	}
}

/* -- all of it
 * ------------------------------------------------------------------ */

static void
text_take_line(struct text_said *t, struct str line)
{
	int minutes = 0, zone = text_line_zone(line, &minutes);
	size_t i = 0;

	while (i < line.n) {
		size_t from = i;

		if (ascii_is_digit(line.p[i])) {
			if (text_take_numbers(t, line, &i))
				continue;
			text_take_time(t, line, &i, zone, minutes);
			if (zone < 0)
				t->time_fits = true;
			while (i < line.n && ascii_is_digit(line.p[i]))
				i++;
			continue;
		}
		while (i < line.n && ascii_is_letter(line.p[i]))
			i++;
		if (i > from) {
			struct str w = { line.p + from, i - from };
			int m = text_month(w);

			if (m > 0)
				text_take_month(t, line, from, i, m);
		}
		i += i == from;
	}
	text_take_place(t, line);
}

/* Quotes of older messages, and header lines of forwarded ones. */
static bool
text_is_quoted(struct str line)
{
	return str_starts(line, S(">")) || str_starts_case(line, S("sent:")) ||
	    str_starts_case(line, S("gesendet:")) ||
	    str_ends(line, S(" wrote:")) || str_ends(line, S(" schrieb:"));
}

bool
calendar_text_differs(struct arena *a, struct str text,
    const struct calendar_event *ev)
{
	struct text_said t = { .ev = ev };
	bool once =
		 ev->rules.n == 0 && ev->dates.n == 0 && !ev->recurrence_id.set,
	     more = true;
	struct str line;

	(void)a;
	if (!ev->start.set)
		return false;
	text = str_first(text, TEXT_LOOKED_AT);
	while (more) {
		more = str_cut(text, '\n', &line, &text);
		line = str_trim(line);
		/* The rest is another message. */
		if (str_starts_case(line, S("-----Original ")))
			break;
		if (!text_is_quoted(line))
			text_take_line(&t, line);
	}
	return (t.time && !t.time_fits && !ev->start.date_only) ||
	    (t.day && !t.day_fits && once) || (t.place && !t.place_fits);
}
