/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strict reading of From, which whitelists depend on.  It shares only the
 * addr-spec with the lenient reader: anything obsolete, ambiguous or known to
 * be read in two ways is refused, because a message with an uncertain sender
 * may be from anybody.  One form that RFC 5322 calls obsolete is accepted: a
 * dot in an unquoted display name ("J. Doe"), which cannot change the address.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "mime/internal.h"

#define SLOW_CHECKS 8

struct reader {
	struct arena *a;
	struct str s; /* unfolded */
	size_t i;
	struct buf loose; /* names that some readers would parse as syntax */
};

/* A line end must fold, and the next line must not be blank. */
static bool
address_sole_is_fold(struct str s, size_t i)
{
	size_t k = i + (s.p[i] == '\r');

	if (k >= s.n || s.p[k] != '\n')
		return false;
	if (++k >= s.n || !ascii_is_blank(s.p[k]))
		return false;
	while (k < s.n && ascii_is_blank(s.p[k]))
		k++;
	return k < s.n && s.p[k] != '\r' && s.p[k] != '\n';
}

static bool
address_sole_is_readable(struct str raw)
{
	for (size_t i = 0; i < raw.n; i++) {
		unsigned char c = (unsigned char)raw.p[i];

		if (c == '\r' || c == '\n') {
			if (!address_sole_is_fold(raw, i))
				return false;
			i += c == '\r';
		} else if ((c < 0x20 && c != '\t') || c == 0x7f ||
		    (c == 0xC2 && i + 1 < raw.n &&
			(unsigned char)raw.p[i + 1] < 0xA0)) {
			return false; /* C0, DEL, C1 */
		}
	}
	return utf8_valid(raw);
}

static void
note_loose(struct reader *r, struct str text)
{
	buf_str(&r->loose, text);
	buf_char(&r->loose, ' ');
}

/*
 * Encoded words are decoded after the field is parsed (RFC 2047 section 6.1).
 * A reader that decodes first is misled by words that contain a control or a
 * character that is syntax at that place.
 */
static void
address_sole_note_words(struct reader *r, struct str text, const char *signs)
{
	struct str t;

	if (str_find(text, S("=?")) < 0)
		return;
	t = word_decode(r->a, text);
	for (size_t i = 0; i < t.n; i++)
		if ((unsigned char)t.p[i] < ' ' || t.p[i] == 0x7f ||
		    strchr(signs, t.p[i]) != NULL) {
			note_loose(r, t);
			return;
		}
}

/* One level of comment and no escapes: parsers differ about the rest. */
static bool
address_sole_skip_cfws(struct reader *r)
{
	struct str s = r->s;

	for (; r->i < s.n; r->i++) {
		size_t from = r->i + 1;
		struct str text;

		if (ascii_is_blank(s.p[r->i]))
			continue;
		if (s.p[r->i] != '(')
			break;
		do
			r->i++;
		while (r->i < s.n && strchr("()\\", s.p[r->i]) == NULL);
		if (r->i == s.n || s.p[r->i] != ')')
			return false;
		text = (struct str){ s.p + from, r->i - from };
		/* A reader that ignores comments sees a list. */
		if (memchr(text.p, ',', text.n) != NULL)
			note_loose(r, text);
		address_sole_note_words(r, text, "()\\");
	}
	return true;
}

/* A reader that ignores escapes ends the string at an escaped quote. */
static bool
address_sole_read_quoted(struct reader *r)
{
	struct str s = r->s, text;
	size_t from = r->i + 1;
	bool escaped = false;

	while (++r->i < s.n && s.p[r->i] != '"') {
		if (s.p[r->i] == '\\' && ++r->i == s.n)
			return false;
		escaped = escaped || s.p[r->i] == '"';
	}
	if (r->i == s.n)
		return false;
	text = (struct str){ s.p + from, r->i - from };
	if (escaped)
		note_loose(r, text);
	address_sole_note_words(r, text, "\"\\");
	r->i++;
	return true;
}

/* The display name, up to the "<". */
static bool
address_sole_read_phrase(struct reader *r)
{
	struct str s = r->s;
	struct buf words; /* the words outside of quotes */

	buf_init(&words, r->a, s.n + 1);
	while (r->i < s.n && s.p[r->i] != '<') {
		size_t from = r->i;

		if (s.p[from] == '"') {
			if (!address_sole_read_quoted(r))
				return false;
		} else {
			while (r->i < s.n &&
			    (address_spec_atext(s.p[r->i]) || s.p[r->i] == '.'))
				r->i++;
			if (r->i == from)
				return false;
			buf_add(&words, s.p + from, r->i - from);
		}
		from = r->i;
		if (!address_sole_skip_cfws(r))
			return false;
		if (r->i > from)
			buf_char(&words, ' ');
	}
	address_sole_note_words(r, buf_view(&words), "<>,;:\"\\");
	return r->i < s.n;
}

static bool
address_sole_read_angle(struct reader *r, struct address_spec *spec)
{
	r->i++;
	while (r->i < r->s.n && ascii_is_blank(r->s.p[r->i]))
		r->i++;
	if (!address_spec_read(r->a, r->s, &r->i, spec))
		return false;
	while (r->i < r->s.n && ascii_is_blank(r->s.p[r->i]))
		r->i++;
	return r->i < r->s.n && r->s.p[r->i++] == '>';
}

/* name-addr or addr-spec, and nothing after it. */
static bool
address_sole_read_mailbox(struct reader *r, struct address_spec *spec)
{
	size_t from;

	if (!address_sole_skip_cfws(r))
		return false;
	from = r->i;
	if (!address_spec_read(r->a, r->s, &r->i, spec)) {
		r->i = from;
		if (!address_sole_read_phrase(r) ||
		    !address_sole_read_angle(r, spec))
			return false;
	}
	return address_sole_skip_cfws(r) && r->i == r->s.n;
}

/* Could a reader take the word for an address other than `sole`? */
static bool
address_sole_is_other(struct arena *a, struct str word, struct str sole,
    int *slow)
{
	struct err e = { 0 };
	struct str same;
	const char *at = memchr(word.p, '@', word.n);

	if (at == NULL || word.n < 3 || at == word.p + word.n - 1)
		return false;
	/* "@handle" is not an address. */
	if (at == word.p && memchr(at + 1, '@', word.n - 1) == NULL)
		return false;
	if (str_eq_case(word, sole))
		return false;
	return ++*slow > SLOW_CHECKS ||
	    address_canonical(a, word, &same, &e) < 0 || !str_eq(same, sole);
}

/*
 * Names and comments do not identify the sender: in "jane@x.example via
 * Tracker" <tracker@y.example> every reader sees the tracker as the sender, and
 * get warns about the name (sender_display).  This function finds names that
 * give the field another sender in a reader that decodes them or ends them
 * elsewhere.  The address itself is allowed: many programs write it when there
 * is no name.
 */
static bool
hides_address(struct arena *a, struct str t, struct str sole)
{
	static const char stops[] = " \t\r\n\"'<>()[],;:|\\";
	int slow = 0;
	size_t i = 0;

	/* Small and full-width forms look like "@" too. */
	if (str_find(t, S("\xEF\xBC\xA0")) >= 0 ||
	    str_find(t, S("\xEF\xB9\xAB")) >= 0)
		return true;
	if (!str_has_char(t, '@'))
		return false;
	while (i < t.n) {
		size_t from = i;

		while (
		    i < t.n && t.p[i] != '\0' && strchr(stops, t.p[i]) == NULL)
			i++;
		if (i > from &&
		    address_sole_is_other(a,
			(struct str){ t.p + from, i - from }, sole, &slow))
			return true;
		i++;
	}
	return false;
}

int
address_sole(struct arena *a, struct str raw, struct str *out)
{
	struct reader r = { .a = a };
	struct address_spec spec;
	struct str sole;

	if (!address_sole_is_readable(raw))
		return 0;
	r.s = mime_header_unfold(a, raw);
	buf_init(&r.loose, a, 8 * raw.n + 64);
	/* A local part that contains an "@" hides an address in its quotes. */
	if (!address_sole_read_mailbox(&r, &spec) ||
	    str_has_char(spec.local, '@') || str_has_char(spec.local, '<') ||
	    str_has_char(spec.local, '>') ||
	    !address_spec_canonical(a, &spec, &sole) ||
	    hides_address(a, buf_view(&r.loose), sole))
		return 0;
	*out = sole;
	return 1;
}
