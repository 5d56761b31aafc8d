/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prefixes that mail programs add to a subject: "Re:" in their languages,
 * "Fwd:", the list's name in brackets.  RFC 5256 section 2.1 has the English
 * ones; the others are from real mail.
 */
#include "mime/subject.h"

#include "base/buf.h"
#include "mime/internal.h"

enum mark {
	MARK_NONE,
	MARK_REPLY,
	MARK_FORWARD,
};

static const struct {
	struct str word;
	enum mark mark;
} words[] = {
	{ SI("re"), MARK_REPLY },        /* Latin, and most programs */
	{ SI("aw"), MARK_REPLY },        /* German */
	{ SI("antw"), MARK_REPLY },      /* Dutch, German */
	{ SI("sv"), MARK_REPLY },        /* Danish, Norwegian, Swedish */
	{ SI("vs"), MARK_REPLY },        /* Finnish */
	{ SI("odp"), MARK_REPLY },       /* Polish */
	{ SI("ynt"), MARK_REPLY },       /* Turkish */
	{ SI("r\xC3\xA9"), MARK_REPLY }, /* French */
	{ SI("rif"), MARK_REPLY },       /* Italian */
	{ SI("\xE5\x9B\x9E\xE5\xA4\x8D"), MARK_REPLY }, /* Chinese */
	{ SI("\xE7\xAD\x94\xE5\xA4\x8D"), MARK_REPLY },
	{ SI("fwd"), MARK_FORWARD }, { SI("fw"), MARK_FORWARD },
	{ SI("wg"), MARK_FORWARD },  /* German */
	{ SI("tr"), MARK_FORWARD },  /* French */
	{ SI("vb"), MARK_FORWARD },  /* Swedish */
	{ SI("enc"), MARK_FORWARD }, /* Portuguese */
};

/* The text after "[2]", "(2)" or "^2"; s itself if there is none. */
static struct str
subject_behind_count(struct str s)
{
	size_t i = 1;
	char end;

	if (s.n == 0 || !str_has_char(S("[(^"), s.p[0]))
		return s;
	end = s.p[0] == '[' ? ']' : ')';
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	if (s.p[0] == '^')
		return str_from(s, i);
	return i < s.n && s.p[i] == end ? str_from(s, i + 1) : s;
}

/* The mark at the start of s and the text after it. */
static enum mark
subject_mark_of(struct str s, struct str *rest)
{
	static const struct str wide = SI("\xEF\xBC\x9A"); /* U+FF1A */

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct str next;

		if (!str_starts_case(s, words[i].word))
			continue;
		next = str_trim(
		    subject_behind_count(str_from(s, words[i].word.n)));
		if (str_starts(next, S(":")))
			*rest = str_trim(str_from(next, 1));
		else if (str_starts(next, wide))
			*rest = str_trim(str_from(next, wide.n));
		else
			continue;
		return words[i].mark;
	}
	return MARK_NONE;
}

/* A list's "[name]" at the start, with text after it; else empty. */
static struct str
subject_tag_of(struct str s)
{
	struct str name, rest;

	if (!str_starts(s, S("[")) || !str_cut(s, ']', &name, &rest) ||
	    str_trim(rest).n == 0 || str_has_char(str_from(name, 1), '['))
		return S("");
	return str_first(s, name.n + 1);
}

struct str
subject_reply(struct arena *a, struct str subject)
{
	struct str s = str_trim(word_clean(a, subject));
	struct str tag = S(""), rest;
	struct buf b;

	/* "[list] Re: [list] x" becomes "[list] x". */
	for (;;) {
		struct str here = subject_tag_of(s), inner;

		inner = str_trim(str_from(s, here.n));
		if (subject_mark_of(s, &rest) == MARK_REPLY)
			s = rest;
		else if (here.n > 0 && tag.n == 0 &&
		    subject_mark_of(inner, &rest) == MARK_REPLY) {
			tag = here;
			s = rest;
		} else if (tag.n > 0 && str_eq_case(here, tag))
			s = inner;
		else
			break;
	}
	buf_init(&b, a, s.n + tag.n + 8);
	buf_text(&b, "Re: ");
	if (tag.n > 0)
		buf_fmt(&b, "%.*s ", STR_ARG(tag));
	buf_str(&b, s);
	return str_trim(buf_view(&b));
}

struct str
subject_forward(struct arena *a, struct str subject)
{
	struct str s = str_trim(word_clean(a, subject)), rest;

	return subject_mark_of(s, &rest) == MARK_FORWARD
	    ? s
	    : str_trim(str_fmt(a, "Fwd: %.*s", STR_ARG(s)));
}

struct str
subject_root(struct arena *a, struct str subject)
{
	struct str s = str_trim(word_clean(a, subject)), rest, tag;

	for (;;) {
		if (subject_mark_of(s, &rest) != MARK_NONE)
			s = rest;
		else if ((tag = subject_tag_of(s)).n > 0)
			s = str_trim(str_from(s, tag.n));
		else if (str_ends_case(s, S("(fwd)")))
			s = str_trim(str_first(s, s.n - 5));
		else
			return s;
	}
}
