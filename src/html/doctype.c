/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quirks mode, HTML 13.2.6.4.1: the doctypes that make a browser show a page as
 * old browsers did.  Most mail has one of these, or none.
 */
#include "html/build.h"
#include "html/css.h"

static const struct str doctype_quirks[] = {
	SI("+//Silmaril//dtd html Pro v0r11 19970101//"),
	SI("-//AS//DTD HTML 3.0 asWedit + extensions//"),
	SI("-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//"),
	SI("-//IETF//DTD HTML 2.0 Level 1//"),
	SI("-//IETF//DTD HTML 2.0 Level 2//"),
	SI("-//IETF//DTD HTML 2.0 Strict Level 1//"),
	SI("-//IETF//DTD HTML 2.0 Strict Level 2//"),
	SI("-//IETF//DTD HTML 2.0 Strict//"),
	SI("-//IETF//DTD HTML 2.0//"),
	SI("-//IETF//DTD HTML 2.1E//"),
	SI("-//IETF//DTD HTML 3.0//"),
	SI("-//IETF//DTD HTML 3.2 Final//"),
	SI("-//IETF//DTD HTML 3.2//"),
	SI("-//IETF//DTD HTML 3//"),
	SI("-//IETF//DTD HTML Level 0//"),
	SI("-//IETF//DTD HTML Level 1//"),
	SI("-//IETF//DTD HTML Level 2//"),
	SI("-//IETF//DTD HTML Level 3//"),
	SI("-//IETF//DTD HTML Strict Level 0//"),
	SI("-//IETF//DTD HTML Strict Level 1//"),
	SI("-//IETF//DTD HTML Strict Level 2//"),
	SI("-//IETF//DTD HTML Strict Level 3//"),
	SI("-//IETF//DTD HTML Strict//"),
	SI("-//IETF//DTD HTML//"),
	SI("-//Metrius//DTD Metrius Presentational//"),
	SI("-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//"),
	SI("-//Microsoft//DTD Internet Explorer 2.0 HTML//"),
	SI("-//Microsoft//DTD Internet Explorer 2.0 Tables//"),
	SI("-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//"),
	SI("-//Microsoft//DTD Internet Explorer 3.0 HTML//"),
	SI("-//Microsoft//DTD Internet Explorer 3.0 Tables//"),
	SI("-//Netscape Comm. Corp.//DTD HTML//"),
	SI("-//Netscape Comm. Corp.//DTD Strict HTML//"),
	SI("-//O'Reilly and Associates//DTD HTML 2.0//"),
	SI("-//O'Reilly and Associates//DTD HTML Extended 1.0//"),
	SI("-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//"),
	SI("-//SQ//DTD HTML 2.0 HoTMetaL + extensions//"),
	SI("-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions "
	   "to HTML 4.0//"),
	SI("-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML "
	   "4.0//"),
	SI("-//Spyglass//DTD HTML 2.0 Extended//"),
	SI("-//Sun Microsystems Corp.//DTD HotJava HTML//"),
	SI("-//Sun Microsystems Corp.//DTD HotJava Strict HTML//"),
	SI("-//W3C//DTD HTML 3 1995-03-24//"),
	SI("-//W3C//DTD HTML 3.2 Draft//"),
	SI("-//W3C//DTD HTML 3.2 Final//"),
	SI("-//W3C//DTD HTML 3.2//"),
	SI("-//W3C//DTD HTML 3.2S Draft//"),
	SI("-//W3C//DTD HTML 4.0 Frameset//"),
	SI("-//W3C//DTD HTML 4.0 Transitional//"),
	SI("-//W3C//DTD HTML Experimental 19960712//"),
	SI("-//W3C//DTD HTML Experimental 970421//"),
	SI("-//W3C//DTD W3 HTML//"),
	SI("-//W3O//DTD W3 HTML 3.0//"),
	SI("-//WebTechs//DTD Mozilla HTML 2.0//"),
	SI("-//WebTechs//DTD Mozilla HTML//"),
};
/* The whole identifier. */
static const struct str doctype_quirks_all[] = {
	SI("-//W3O//DTD W3 HTML Strict 3.0//EN//"),
	SI("-/W3C/DTD HTML 4.0 Transitional/EN"),
	SI("HTML"),
};
/* Without a system identifier. */
static const struct str doctype_quirks_alone[] = {
	SI("-//W3C//DTD HTML 4.01 Frameset//"),
	SI("-//W3C//DTD HTML 4.01 Transitional//"),
};

#define DOCTYPE_N(list) (sizeof(list) / sizeof((list)[0]))

static bool
doctype_starts(struct str s, const struct str *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_starts_case(s, list[i]))
			return true;
	return false;
}

/*
 * A quoted identifier at the start of *s, which moves after it; *broken: it
 * does not end.
 */
static struct str
doctype_quoted(struct str *s, bool *broken)
{
	struct str all = css_text_trim(*s), head, tail;

	*s = all;
	if (all.n == 0 || (all.p[0] != '"' && all.p[0] != '\'')) {
		*broken = true;
		return S("");
	}
	if (!str_cut(str_from(all, 1), all.p[0], &head, &tail))
		*broken = true;
	*s = tail;
	return head;
}

static size_t
doctype_word(struct str s)
{
	size_t i = 0;

	while (i < s.n && !css_text_is_space(s.p[i]))
		i++;
	return i;
}

bool
html_doctype_quirks(struct str s)
{
	struct str public_id = S(""), system_id = S("");
	bool broken = !str_ends(s, S(">")), has_system = false;
	size_t n;

	s = css_text_trim(str_from(s, sizeof("<!doctype") - 1));
	s.n -= str_ends(s, S(">"));
	n = doctype_word(s);
	broken |= !str_eq_case(str_first(s, n), S("html"));
	s = css_text_trim(str_from(s, n));
	if (str_starts_case(s, S("public"))) {
		s = str_from(s, 6);
		public_id = doctype_quoted(&s, &broken);
		s = css_text_trim(s);
		has_system = s.n > 0 && (s.p[0] == '"' || s.p[0] == '\'');
	} else if (str_starts_case(s, S("system"))) {
		s = str_from(s, 6);
		has_system = true;
	} else if (s.n > 0) {
		broken = true;
	}
	if (has_system)
		system_id = doctype_quoted(&s, &broken);
	if (broken ||
	    str_eq_case(system_id,
		S("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional."
		  "dtd")))
		return true;
	for (size_t i = 0; i < DOCTYPE_N(doctype_quirks_all); i++)
		if (str_eq_case(public_id, doctype_quirks_all[i]))
			return true;
	return doctype_starts(public_id, doctype_quirks,
		   DOCTYPE_N(doctype_quirks)) ||
	    (!has_system &&
		doctype_starts(public_id, doctype_quirks_alone,
		    DOCTYPE_N(doctype_quirks_alone)));
}
