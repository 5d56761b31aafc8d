/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links: "text <url>", and whether the text pretends to lead elsewhere.  Hosts
 * are compared as a browser would read them (WHATWG URL 4.4): "\" is "/", the
 * text before "@" is not part of the host, names are compared as A-labels.
 */
#include <string.h>

#include "base/clean.h"
#include "base/idna.h"
#include "base/limits.h"
#include "html/tree.h"

#define BASE_MAX 256 /* bytes of a <base> */
#define WORDS_MAX 16 /* bytes of a text that are checked */

static bool
is_scheme_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* The length of the scheme with its ":", or 0. */
static size_t
html_link_scheme(struct str url)
{
	size_t i = 0;

	while (i < url.n && is_scheme_char(url.p[i]))
		i++;
	return i > 0 && i < url.n && url.p[i] == ':' ? i + 1 : 0;
}

static bool
html_link_is_one_of(struct str s, const struct str *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq_case(s, list[i]))
			return true;
	return false;
}

static const struct str shown[] = { SI("http:"), SI("https:"), SI("mailto:"),
	SI("tel:"), SI("ftp:") };
static const struct str working[] = { SI("javascript:"), SI("data:"),
	SI("vbscript:"), SI("file:"), SI("blob:"), SI("filesystem:") };

/* Is the target worth showing?  Not a script, data, or a place in the page. */
static bool
html_link_is_shown(struct str url)
{
	size_t n = html_link_scheme(url);

	if (url.n == 0 || url.p[0] == '#')
		return false;
	return n == 0 ||
	    (url.n > n &&
		html_link_is_one_of(str_first(url, n), shown,
		    sizeof(shown) / sizeof(shown[0])));
}

static bool
html_link_is_working(struct str url)
{
	size_t n = html_link_scheme(url);

	return n > 0 &&
	    html_link_is_one_of(str_first(url, n), working,
		sizeof(working) / sizeof(working[0]));
}

/* The end of the part of a target from i on that needs no change. */
static size_t
html_link_skip_target(struct str s, size_t i)
{
	while (i < s.n && (unsigned char)s.p[i] > ' ' && s.p[i] != 0x7F &&
	    s.p[i] != '<' && s.p[i] != '>')
		i++;
	return i;
}

/*
 * The target as a browser reads it: without tabs and line ends, spaces escaped
 * (WHATWG URL 4.4); "<" and ">" escaped so that it ends at our ">".
 */
static struct str
html_link_target(struct html *h, struct str href)
{
	struct str s = str_trim(html_element_value(h->a, href));
	struct buf b;
	size_t i = 0;

	s = clean_text(h->a, s, NULL);
	buf_init(&b, h->a, 3 * s.n + 1);
	while (i < s.n) {
		size_t end = html_link_skip_target(s, i);

		buf_add(&b, s.p + i, end - i);
		if (end == s.n)
			break;
		if (s.p[end] == ' ')
			buf_text(&b, "%20");
		else if (s.p[end] == '<')
			buf_text(&b, "%3C");
		else if (s.p[end] == '>')
			buf_text(&b, "%3E");
		i = end + 1;
	}
	return buf_view(&b);
}

/* Does the link's text already contain its target? */
static bool
html_link_says_target(struct str text, struct str url)
{
	static const struct str left_out[] = { SI(""), SI("http://"),
		SI("https://"), SI("mailto:"), SI("tel:") };

	if (str_ends(url, S("/")) && !str_ends(text, S("/")))
		url.n--;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
		struct str p = left_out[i];

		if (str_starts_case(url, p) && str_eq(text, str_from(url, p.n)))
			return true;
	}
	return false;
}

static struct str
html_link_unescape(struct arena *a, struct str s)
{
	struct buf b;

	if (!str_has_char(s, '%'))
		return s;
	buf_init(&b, a, s.n + 1);
	for (size_t i = 0; i < s.n; i++) {
		int byte = s.p[i] == '%' ? str_hex_pair(s, i + 1) : -1;

		if (byte >= 0) {
			buf_char(&b, (char)byte);
			i += 2;
		} else {
			buf_char(&b, s.p[i]);
		}
	}
	return buf_view(&b);
}

/* A host as A-labels in lower case; unchanged if it is not a host. */
static struct str
html_link_host_name(struct arena *a, struct str s)
{
	struct str ascii;

	if (s.n == 0)
		return s;
	s = str_lower(a, html_link_unescape(a, s));
	if (str_ends(s, S(".")))
		s.n--;
	return s.n > 0 && s.n <= LIMIT_ADDRESS && idna_ascii(a, s, &ascii)
	    ? ascii
	    : s;
}

/* Characters that end a host. */
static bool
html_link_is_path(char c)
{
	return c == '/' || c == '?' || c == '#' || c == '\0';
}

/* The part from "//" to the path, without user and port. */
static struct str
html_link_authority(struct arena *a, struct str s)
{
	size_t i = 0, from = 0, end;

	while (i < s.n && (s.p[i] == '/' || s.p[i] == '\\'))
		i++;
	from = i;
	while (i < s.n && !html_link_is_path(s.p[i]) && s.p[i] != '\\') {
		if (s.p[i] == '@')
			from = i + 1;
		i++;
	}
	end = i;
	for (i = from; i < end && s.p[i] != ':'; i++)
		;
	return html_link_host_name(a, (struct str){ s.p + from, i - from });
}

/* The host of a target; empty: none that can be compared. */
static struct str
html_link_host_of(struct arena *a, struct str url)
{
	size_t n = html_link_scheme(url), i;

	if (str_starts_case(url, S("mailto:"))) {
		url = str_from(url, 7);
		for (i = 0; i < url.n && url.p[i] != '?'; i++)
			;
		url.n = i;
		while (i > 0 && url.p[i - 1] != '@')
			i--;
		return i > 0 ? html_link_host_name(a, str_from(url, i)) : S("");
	}
	if (n > 0)
		return str_starts_case(url, S("tel:"))
		    ? S("")
		    : html_link_authority(a, str_from(url, n));
	if (url.n > 1 && (url.p[0] == '/' || url.p[0] == '\\') &&
	    (url.p[1] == '/' || url.p[1] == '\\'))
		return html_link_authority(a, url);
	return S("");
}

/* File names that look like domains. */
static bool
html_link_is_extension(struct str label)
{
	static const struct str list[] = { SI("js"), SI("md"), SI("sh"),
		SI("py"), SI("rs"), SI("pl"), SI("ps"), SI("cc"), SI("so"),
		SI("pdf"), SI("txt"), SI("doc"), SI("docx"), SI("xls"),
		SI("xlsx"), SI("zip"), SI("png"), SI("jpg"), SI("gif"),
		SI("html"), SI("htm"), SI("php"), SI("css"), SI("json"),
		SI("xml"), SI("csv"), SI("exe"), SI("ppt"), SI("pptx"),
		SI("java"), SI("cpp"), SI("yml"), SI("yaml"), SI("log"),
		SI("ics"), SI("eml"), SI("mp3"), SI("mp4"), SI("mov") };

	return html_link_is_one_of(label, list, sizeof(list) / sizeof(list[0]));
}

/* "shop.example": labels with dots, the last one of letters. */
static bool
html_link_is_domain(struct str s, bool sure)
{
	size_t dot = 0, i;

	for (i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '.') {
			if (i == 0 || s.p[i - 1] == '.')
				return false;
			dot = i;
		} else if (!is_scheme_char(c) && (unsigned char)c < 0x80) {
			return false;
		}
	}
	if (dot == 0 || s.n - dot < 3)
		return false;
	for (i = dot + 1; i < s.n; i++)
		if ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '+')
			return str_starts_case(str_from(s, dot + 1), S("xn--"));
	return sure || !html_link_is_extension(str_from(s, dot + 1));
}

/* The host that one word names; empty: none.  *whole: it is an address. */
static struct str
html_link_claim(struct arena *a, struct str w, bool alone, bool *is_address)
{
	size_t n, i;
	bool sure;

	while (w.n > 0 && strchr("<([{\"'", w.p[0]) != NULL)
		w = str_from(w, 1);
	while (w.n > 0 && strchr(">)]}\"'.,;:!?", w.p[w.n - 1]) != NULL)
		w.n--;
	*is_address = false;
	n = html_link_scheme(w);
	if (n > 0 && str_starts(str_from(w, n), S("//")))
		return html_link_authority(a, str_from(w, n));
	if (n > 0 && str_eq_case(str_first(w, n), S("mailto:")))
		w = str_from(w, n);
	sure = str_starts_case(w, S("www."));
	for (i = w.n; i > 0 && w.p[i - 1] != '@'; i--)
		;
	if (i > 1 && html_link_is_domain(str_from(w, i), true)) {
		*is_address = true;
		return html_link_host_name(a, str_from(w, i));
	}
	/* A domain with a path, or alone. */
	for (i = 0; i < w.n && !html_link_is_path(w.p[i]) && w.p[i] != ':'; i++)
		;
	if ((sure || alone || i < w.n) &&
	    html_link_is_domain(str_first(w, i), sure))
		return html_link_host_name(a, str_first(w, i));
	return S("");
}

/* Equal, or one within the other. */
static bool
html_link_is_kin(struct str x, struct str y)
{
	if (str_starts(x, S("www.")))
		x = str_from(x, 4);
	if (str_starts(y, S("www.")))
		y = str_from(y, 4);
	if (x.n == y.n)
		return str_eq_case(x, y);
	if (x.n < y.n)
		return html_link_is_kin(y, x);
	return y.n > 0 && str_ends_case(x, y) && x.p[x.n - y.n - 1] == '.' &&
	    memchr(y.p, '.', y.n) != NULL;
}

bool
html_link_mismatch(struct arena *a, struct str text, struct str url)
{
	struct str host = html_link_host_of(a, url), w;
	size_t i = 0, words = 0;

	text = clean_text(a, str_trim(text), NULL);
	while (i < text.n && words++ < WORDS_MAX) {
		size_t from;
		bool is_address;

		while (i < text.n && (unsigned char)text.p[i] <= ' ')
			i++;
		from = i;
		while (i < text.n && (unsigned char)text.p[i] > ' ')
			i++;
		if (i == from || i - from > LIMIT_ADDRESS)
			continue;
		w = html_link_claim(a, (struct str){ text.p + from, i - from },
		    i - from == text.n, &is_address);
		if (w.n > 0 && host.n > 0 && !html_link_is_kin(w, host))
			return true;
		/* Two mailboxes of one domain are different. */
		if (is_address && str_starts_case(url, S("mailto:")) &&
		    str_find_case(url,
			(struct str){ text.p + from, i - from }) < 0)
			return true;
	}
	return false;
}

static struct str
html_link_collapse(struct arena *a, struct str s)
{
	struct buf b;

	buf_init(&b, a, s.n + 1);
	for (size_t i = 0; i < s.n; i++) {
		size_t from = i;

		while (i < s.n && (unsigned char)s.p[i] > ' ')
			i++;
		buf_add(&b, s.p + from, i - from);
		if (i < s.n && b.n > 0 && b.p[b.n - 1] != ' ')
			buf_char(&b, ' ');
	}
	return str_trim(buf_view(&b));
}

static void
html_link_keep(struct html *h, struct str text, struct str url, bool mismatch)
{
	struct html_link *l;

	if (h->links_n == LIMIT_MIME_LINKS) {
		h->found->over = true;
		return;
	}
	h->links = arena_more(h->a, h->links, h->links_n, sizeof(*l));
	l = &h->links[h->links_n++];
	l->text = text;
	l->url = url;
	l->mismatch = mismatch;
}

/* The first <base> with a target counts; a long one is ignored. */
void
html_link_base(struct html *h, const struct html_tag *t)
{
	if (h->base.n == 0 && t->attr[HTML_A_HREF].n > 0)
		h->base = html_link_target(h, t->attr[HTML_A_HREF]);
	if (h->base.n > BASE_MAX)
		h->base.n = 0;
}

/* The target that a relative one leads to, if the page has a <base>. */
static struct str
html_link_based(struct html *h, struct str url)
{
	size_t n = html_link_scheme(h->base), i;

	if (h->base.n == 0 || h->links_n == LIMIT_MIME_LINKS || url.n == 0 ||
	    url.p[0] == '#' || html_link_scheme(url) > 0)
		return url;
	if (url.n > 1 && url.p[0] == '/' && url.p[1] == '/')
		return url;
	for (i = n; i < h->base.n && h->base.p[i] == '/'; i++)
		;
	while (i < h->base.n && h->base.p[i] != '/')
		i++;
	if (url.p[0] == '/')
		url = str_from(url, 1);
	return str_fmt(h->a, "%.*s/%.*s", STR_ARG(str_first(h->base, i)),
	    STR_ARG(url));
}

void
html_link_open(struct html *h, const struct html_tag *t)
{
	html_link_close(h);
	if (t->attr[HTML_A_HREF].n == 0)
		return;
	h->url = html_link_based(h, html_link_target(h, t->attr[HTML_A_HREF]));
	h->in_link = h->url_new =
	    html_link_is_shown(h->url) || html_link_is_working(h->url);
	h->url_image = false;
	h->url_said = t->said;
}

/*
 * Was its target written before?  A link continues in each paragraph it spans.
 */
static bool
link_is_said(struct html *h)
{
	bool said = h->url_said != NULL && *h->url_said;

	if (h->url_said != NULL)
		*h->url_said = true;
	return said;
}

void
html_link_close(struct html *h)
{
	struct str url = h->url, text = S("");
	bool mismatch, said;

	if (!h->in_link)
		return;
	h->in_link = false;
	if (h->url_new) {
		/* No text in it: only an image makes it a link. */
		h->url_new = false;
		if (!h->url_image)
			return;
	} else {
		text = html_link_collapse(h->a,
		    str_from(buf_view(&h->out), h->url_at));
	}
	if (html_link_is_working(url)) {
		html_link_keep(h, text, S(""), true);
		return;
	}
	mismatch = h->links_n < LIMIT_MIME_LINKS &&
	    html_link_mismatch(h->a, text, url);
	said = link_is_said(h);
	if (!said || mismatch)
		html_link_keep(h, text, url, mismatch);
	if (said ||
	    (text.n > 0 && !mismatch && html_link_says_target(text, url)))
		return;
	if (text.n == 0)
		html_out_word(h, S("<"));
	else
		html_out_behind(h, S(" <"));
	html_out_behind(h, url);
	html_out_behind(h, S(">"));
}
