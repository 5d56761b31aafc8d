/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that an author forgot to complete, or files to attach.  A rule that
 * matches honest mail teaches agents to always give as_is, so each is narrow:
 * words of forms in brackets, in the letter cases that forms use; marks of
 * unfinished work where a value should be; phrases that promise a file.
 */
#include "base/ascii.h"
#include "policy/policy.h"

enum {
	FIELD_MAX = 60, /* bytes between brackets */
	FIELD_WORDS = 6
};

/* A line of the message's own text, and the rest after it. */
struct line {
	struct str text, rest;
	bool subject;
};

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
policy_unfinished_is_word(char c)
{
	return ascii_is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* -- fields of a form: [First Name], {{name}}, <insert date> ----------------
 */

/* Words that name what is to be filled in. */
static const struct str fields[] = { SI("name"), SI("names"), SI("firstname"),
	SI("lastname"), SI("fullname"), SI("surname"), SI("username"),
	SI("recipient"), SI("sender"), SI("customer"), SI("client"),
	SI("company"), SI("organization"), SI("organisation"), SI("date"),
	SI("placeholder"), SI("signature"), SI("salutation"), SI("manager"),
	SI("time"), SI("day"), SI("month"), SI("year"), SI("deadline"),
	SI("title"), SI("position"), SI("role"), SI("department"),
	SI("address"), SI("street"), SI("city"), SI("country"), SI("email"),
	SI("phone"), SI("number"), SI("amount"), SI("price"), SI("cost"),
	SI("quantity"), SI("product"), SI("service"), SI("project"), SI("link"),
	SI("url"), SI("website"), SI("topic"), SI("reason"), SI("event"),
	SI("location"), SI("venue") };

/*
 * Up to "signature": one of these alone, in capitals or with a capital, is
 * sufficient.
 */
enum {
	FIELDS = sizeof(fields) / sizeof(fields[0]),
	FIELDS_ALONE = 17
};

static const struct str joins[] = { SI("first"), SI("last"), SI("full"),
	SI("of"), SI("the"), SI("here"), SI("your"), SI("my"), SI("their"),
	SI("job"), SI("order"), SI("start"), SI("end"), SI("due"), SI("and") };

static bool
policy_unfinished_among(struct str word, const struct str *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq_case(word, v[i]))
			return true;
	return false;
}

struct words {
	struct str v[FIELD_WORDS];
	size_t n;
	bool capitals, titles; /* all letters; the first of each word */
	bool core, alone;      /* names a field; one that may be alone */
	bool known;            /* has only words of forms */
};

/* False: it is not a phrase of words. */
static bool
policy_unfinished_read_words(struct str s, struct words *w)
{
	size_t i = 0;

	*w = (struct words){ .capitals = true, .titles = true, .known = true };
	while (i < s.n) {
		size_t from = i;
		struct str word;

		if (s.p[i] == ' ' || s.p[i] == '_' || s.p[i] == '-') {
			i++;
			continue;
		}
		while (i < s.n && (ascii_is_letter(s.p[i]) || s.p[i] == '\''))
			w->capitals = w->capitals && !(s.p[i] >= 'a'), i++;
		if (i == from || w->n == FIELD_WORDS)
			return false;
		word = (struct str){ s.p + from, i - from };
		w->titles = w->titles && is_upper(word.p[0]);
		w->core =
		    w->core || policy_unfinished_among(word, fields, FIELDS);
		w->alone = w->alone ||
		    policy_unfinished_among(word, fields, FIELDS_ALONE);
		w->known = w->known &&
		    (policy_unfinished_among(word, fields, FIELDS) ||
			policy_unfinished_among(word, joins,
			    sizeof(joins) / sizeof(joins[0])));
		w->v[w->n++] = word;
	}
	return w->n > 0;
}

/* "insert the price", "your name" */
static bool
policy_unfinished_is_told(const struct words *w)
{
	if (w->n < 2)
		return false;
	if (str_eq_case(w->v[0], S("insert")))
		return true;
	return str_eq_case(w->v[0], S("your")) && w->known && w->core;
}

/* In a form's letter case; in lower case it may be the syntax of a manual. */
static bool
policy_unfinished_is_form(const struct words *w, bool subject)
{
	if (!w->known || !w->core || !(w->capitals || w->titles))
		return false;
	if (w->n > 1)
		return true;
	/* A list's name precedes a subject in brackets. */
	return subject ? w->capitals && w->alone : w->capitals || w->alone;
}

/* The content of brackets that open at i and close with `close`, or empty. */
static struct str
policy_unfinished_between(struct str s, size_t i, struct str close)
{
	struct str rest = str_from(s, i);
	ptrdiff_t at = str_find(str_first(rest, FIELD_MAX), close);

	return at > 0 ? str_first(rest, (size_t)at) : (struct str){ 0 };
}

/* {{name}}, {first_name}; not ${{ github.sha }}, not {{ .Values.image }} */
static size_t
policy_unfinished_look_braces(const struct line *l, size_t i)
{
	bool two = str_starts(str_from(l->text, i), S("{{"));
	struct str in = policy_unfinished_between(l->text, i + 1 + two,
	    two ? S("}}") : S("}"));
	struct str field = str_trim(in);
	struct words w;

	if (field.n == 0 || (i > 0 && l->text.p[i - 1] == '$' && two))
		return 0;
	if (two) {
		for (size_t k = 0; k < field.n; k++)
			if (!policy_unfinished_is_word(field.p[k]) &&
			    field.p[k] != '.' && field.p[k] != '-' &&
			    field.p[k] != ' ')
				return 0;
		return ascii_is_letter(field.p[0]) ? in.n + 4 : 0;
	}
	return policy_unfinished_read_words(field, &w) && w.known && w.alone
	    ? in.n + 2
	    : 0;
}

/* [Name]; not [name](https://...) and not the [RFC 2119] of others. */
static size_t
policy_unfinished_look_square(const struct line *l, size_t i)
{
	struct str in = policy_unfinished_between(l->text, i + 1, S("]"));
	size_t end = i + in.n + 2;
	struct words w;

	if (in.n == 0 ||
	    (end < l->text.n && str_has_char(S("([:"), l->text.p[end])))
		return 0;
	if (str_eq(in, S("TODO")) || str_eq(in, S("FIXME")))
		return in.n + 2;
	return policy_unfinished_read_words(in, &w) &&
		(policy_unfinished_is_told(&w) ||
		    policy_unfinished_is_form(&w, l->subject))
	    ? in.n + 2
	    : 0;
}

/* <insert date>, <NAME>; not an address or a tag. */
static size_t
policy_unfinished_look_angle(const struct line *l, size_t i)
{
	struct str in = policy_unfinished_between(l->text, i + 1, S(">"));
	struct words w;

	if (in.n == 0 || !policy_unfinished_read_words(in, &w))
		return 0;
	return policy_unfinished_is_told(&w) ||
		(w.capitals && policy_unfinished_is_form(&w, l->subject))
	    ? in.n + 2
	    : 0;
}

/* -- work to do: "TODO: add the figures", "Price: XXX" ----------------------
 */

static bool
policy_unfinished_stands_for_value(struct str before)
{
	static const struct str ends[] = { SI(": "), SI("= "), SI(" is "),
		SI(" are "), SI("(") };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (str_ends(before, ends[i]))
			return true;
	return false;
}

static size_t
policy_unfinished_look_todo(const struct line *l, size_t i)
{
	static const struct str marks[] = { SI("TODO"), SI("FIXME"),
		SI("XXX") };
	struct str s = l->text, rest = str_from(s, i), after;
	size_t k = 0;

	while (k < 3 && !str_starts(rest, marks[k]))
		k++;
	if (k == 3 || (i > 0 && policy_unfinished_is_word(s.p[i - 1])))
		return 0;
	after = str_from(rest, marks[k].n);
	if (after.n > 0 &&
	    (policy_unfinished_is_word(after.p[0]) ||
		(after.n > 1 && after.p[0] == '.' &&
		    policy_unfinished_is_word(after.p[1]))))
		return 0;
	/* Alone, before a task, or in place of a value. */
	if (str_trim(str_first(s, i)).n == 0 &&
	    (str_trim(after).n == 0 ||
		(str_starts(after, S(":")) && str_trim(after).n > 1)))
		return marks[k].n;
	return policy_unfinished_stands_for_value(str_first(s, i)) ? marks[k].n
								   : 0;
}

static size_t
look_lorem(const struct line *l, size_t i)
{
	struct str lorem = S("lorem ipsum");

	return str_starts_case(str_from(l->text, i), lorem) ? lorem.n : 0;
}

/* -- files that are promised ------------------------------------------------
 */

/* With one space for any white space; a line may break within one. */
static const struct str promises[] = { SI("i attached"), SI("i've attached"),
	SI("i have attached"), SI("i am attaching"), SI("i'm attaching"),
	SI("we attached"), SI("we've attached"), SI("we have attached"),
	SI("we are attaching"), SI("find attached"), SI("find the attached"),
	SI("see attached"), SI("see the attached"), SI("attached please find"),
	SI("attached is"), SI("attached are"), SI("attached you"),
	SI("is attached"), SI("are attached"), SI("in the attached"),
	SI("the attached file"), SI("the attached document"),
	SI("the attached pdf"), SI("see attachment"), SI("see the attachment"),
	SI("in the attachment"), SI("anbei"), SI("im anhang"),
	SI("angeh\xc3\xa4ngt"), SI("beigef\xc3\xbcgt"), SI("ci-joint"),
	SI("en pi\xc3\xa8"
	   "ce jointe"),
	SI("adjunto encontrar"), SI("le adjunto"), SI("te adjunto"),
	SI("in allegato") };

static size_t
policy_unfinished_match_phrase(struct str s, struct str phrase)
{
	size_t i = 0;

	if (s.n == 0 || (s.p[0] | 0x20) != (phrase.p[0] | 0x20))
		return 0;
	for (size_t k = 0; k < phrase.n; k++) {
		size_t was = i;

		if (phrase.p[k] == ' ') {
			while (i < s.n && str_has_char(S(" \t\r\n"), s.p[i]))
				i++;
			if (i == was)
				return 0;
			continue;
		}
		if (i == s.n ||
		    !str_eq_case(str_first(str_from(s, i), 1),
			str_first(str_from(phrase, k), 1)))
			return 0;
		i++;
	}
	return i < s.n && policy_unfinished_is_word(s.p[i]) ? 0 : i;
}

/*
 * "nothing is attached", "if one is attached": not about a file of this
 * message.
 */
static bool
policy_unfinished_is_denied(struct str before)
{
	static const struct str words[] = { SI("no"), SI("not"), SI("nothing"),
		SI("none"), SI("if"), SI("whether"), SI("when"), SI("never"),
		SI("what"), SI("which"), SI("strings"), SI("was"), SI("were") };
	size_t end = before.n, from;

	for (int n = 0; n < 4 && end > 0; n++) {
		while (
		    end > 0 && !policy_unfinished_is_word(before.p[end - 1])) {
			if (str_has_char(S(".!?;:"), before.p[end - 1]))
				return false;
			end--;
		}
		for (from = end;
		     from > 0 && policy_unfinished_is_word(before.p[from - 1]);)
			from--;
		if (policy_unfinished_among((struct str){ before.p + from,
						end - from },
			words, sizeof(words) / sizeof(words[0])))
			return true;
		end = from;
	}
	return false;
}

static size_t
policy_unfinished_look_promise(const struct line *l, size_t i)
{
	struct str s = { l->text.p + i, l->text.n - i + l->rest.n };
	size_t n = 0, k = 0;

	if (i > 0 && policy_unfinished_is_word(l->text.p[i - 1]))
		return 0;
	while (k < sizeof(promises) / sizeof(promises[0]) && n == 0)
		n = policy_unfinished_match_phrase(s, promises[k++]);
	/* A garage may be attached to a house. */
	if (n == 0 ||
	    policy_unfinished_match_phrase(str_trim(str_from(s, n)), S("to")) >
		0 ||
	    policy_unfinished_is_denied(str_first(l->text, i)))
		return 0;
	return n;
}

/* -- the text ---------------------------------------------------------------
 */

static size_t
policy_unfinished_look_placeholder(const struct line *l, size_t i)
{
	switch (l->text.p[i]) {
	case '{':
		return policy_unfinished_look_braces(l, i);
	case '[':
		return policy_unfinished_look_square(l, i);
	case '<':
		return policy_unfinished_look_angle(l, i);
	case 'T':
	case 'F':
	case 'X':
		return policy_unfinished_look_todo(l, i);
	case 'L':
	case 'l':
		return look_lorem(l, i);
	default:
		return 0;
	}
}

/* Code in a line is between backquotes. */
static bool
policy_unfinished_look_line(const struct line *l,
    size_t (*look)(const struct line *l, size_t i), struct str *found)
{
	bool code = false;

	for (size_t i = 0; i < l->text.n; i++) {
		size_t n;

		if (l->text.p[i] == '`')
			code = !code;
		n = code ? 0 : look(l, i);
		if (n == 0)
			continue;
		*found = (struct str){ l->text.p + i, n };
		return true;
	}
	return false;
}

/* The words of others begin here; everything after is theirs. */
static bool
policy_unfinished_is_end(struct str line)
{
	static const struct str heads[] = { SI("-----Original Message"),
		SI("---------- Forwarded message"),
		SI("Begin forwarded message"), SI("diff --git "),
		SI("________________________________") };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (str_starts(line, heads[i]))
			return true;
	return str_starts(line, S("On ")) &&
	    str_ends(str_trim(line), S("wrote:"));
}

/* Quoted text or code, by its first characters. */
static bool
policy_unfinished_is_others(struct str line)
{
	return str_starts(line, S(">")) || str_starts(line, S("|")) ||
	    str_starts(line, S("\t")) || str_starts(line, S("    ")) ||
	    str_starts(line, S("+")) || str_starts(line, S("//")) ||
	    str_starts(line, S("#")) || str_starts(line, S("/*"));
}

static bool
policy_unfinished_look_text(struct str text,
    size_t (*look)(const struct line *l, size_t i), struct str *found)
{
	struct line l = { .rest = text };
	bool fenced = false;

	while (l.rest.n > 0) {
		(void)str_cut(l.rest, '\n', &l.text, &l.rest);
		if (policy_unfinished_is_end(l.text))
			return false;
		if (str_starts(str_trim(l.text), S("```")))
			fenced = !fenced;
		if (!fenced && !policy_unfinished_is_others(l.text) &&
		    policy_unfinished_look_line(&l, look, found))
			return true;
	}
	return false;
}

const char *
policy_unfinished(const struct policy_text *t, struct str *found)
{
	const struct line subject = { .text = t->subject, .subject = true };

	if (policy_unfinished_look_line(&subject,
		policy_unfinished_look_placeholder, found) ||
	    policy_unfinished_look_text(t->body,
		policy_unfinished_look_placeholder, found))
		return "a placeholder";
	if (t->files == 0 &&
	    policy_unfinished_look_text(t->body, policy_unfinished_look_promise,
		found))
		return "no file is attached";
	return NULL;
}
