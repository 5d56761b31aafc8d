/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The look of an element: the browser's defaults, legacy attributes (HTML 15),
 * the style sheets and its own style attribute, in that order.
 */
#include <string.h>

#include "html/tree.h"

#define COLOUR_LINK 0x0000EEFF
#define WORK_STYLE 64 /* computing a style, in steps of matching */

static struct str
html_style_attr(struct html *h, const struct html_tag *t, enum html_attr which)
{
	struct str s = t->attr[which];

	if (s.n == 0 || memchr(s.p, '&', s.n) == NULL)
		return s;
	return html_element_value(h->a, s);
}

static void
html_style_hint(struct html *h, enum css_prop p, enum css_kind kind, double n)
{
	struct css_decl d = { .prop = (unsigned char)p,
		.kind = (unsigned char)kind,
		.n = n };

	css_set_put(&h->set, &d, CSS_RANK_HINT);
}

static void
html_style_hint_colour(struct html *h, enum css_prop p, uint32_t rgba)
{
	struct css_decl d = { .prop = (unsigned char)p,
		.kind = CSS_COLOURS,
		.colours = 1,
		.colour = { rgba } };

	css_set_put(&h->set, &d, CSS_RANK_HINT);
}

static void
html_style_hint_legacy(struct html *h, enum css_prop p,
    const struct html_tag *t, enum html_attr which)
{
	uint32_t rgba = 0;

	if (t->attr[which].n > 0 &&
	    css_colour_legacy(html_style_attr(h, t, which), &rgba))
		html_style_hint_colour(h, p, rgba);
}

/* "20", "20px", "100%": HTML 2.4.4.4; digits, the rest is ignored. */
static void
html_style_hint_length(struct html *h, enum css_prop p,
    const struct html_tag *t, enum html_attr which)
{
	struct str s = css_text_trim(html_style_attr(h, t, which));
	struct css_token v;

	if (s.n == 0)
		return;
	v = css_token_next(&s);
	if (v.kind == CSS_T_NUMBER && v.n >= 0)
		html_style_hint(h, p,
		    str_starts(v.text, S("%")) ? CSS_PERCENT : CSS_PX, v.n);
}

static bool
is_quirky(const struct html *h, const struct html_element *e)
{
	return h->quirks && html_is(e, HTML_N_TABLE) && h->depth > 2;
}

/*
 * Without a doctype a table has the body's colour and the default font size:
 * HTML 15.3.8.
 */
static void
html_style_quirk(struct html *h)
{
	const struct css_style *body = &h->node[1]->style;

	for (size_t i = 0; i < body->fgs; i++) {
		struct css_decl d = { .prop = CSS_COLOR,
			.kind = CSS_COLOURS,
			.colours = 1,
			.maybe = i > 0,
			.colour = { body->fg[i] } };

		css_set_put(&h->set, &d, 0);
	}
	html_style_hint(h, CSS_FONT_SIZE, CSS_PX, 16);
}

/*
 * Readers that show mail within their own page have a doctype: table text that
 * is visible here may not be visible there.
 */
static bool
html_style_is_unsure(const struct css_style *s, const struct css_style *from)
{
	struct css_style other = *s;

	if (s->hidden)
		return false;
	memcpy(other.fg, from->fg, sizeof(other.fg));
	other.fgs = from->fgs;
	other.fg_unknown = from->fg_unknown;
	css_ink_contrast(&other);
	return other.hidden;
}

/* Relevant parts of browsers' default style sheets. */
static void
html_style_nature(struct html *h, const struct html_tag *t)
{
	static const struct {
		unsigned char prop, kind;
		double n; /* 0: nothing */
	} table[HTML_NAMES] = {
		[HTML_N_BIG] = { CSS_FONT_SIZE, CSS_WORD, CSS_LARGER },
		[HTML_N_CODE] = { CSS_FONT_SIZE, CSS_PERCENT, 81.25 },
		[HTML_N_DIALOG] = { CSS_DISPLAY, CSS_WORD, CSS_HIDE },
		[HTML_N_H1] = { CSS_FONT_SIZE, CSS_EM, 2 },
		[HTML_N_H2] = { CSS_FONT_SIZE, CSS_EM, 1.5 },
		[HTML_N_H3] = { CSS_FONT_SIZE, CSS_EM, 1.17 },
		[HTML_N_H5] = { CSS_FONT_SIZE, CSS_EM, 0.83 },
		[HTML_N_H6] = { CSS_FONT_SIZE, CSS_EM, 0.67 },
		[HTML_N_LISTING] = { CSS_WHITE_SPACE, CSS_WORD, CSS_PRE },
		[HTML_N_PRE] = { CSS_WHITE_SPACE, CSS_WORD, CSS_PRE },
		[HTML_N_SMALL] = { CSS_FONT_SIZE, CSS_WORD, CSS_SMALLER },
		[HTML_N_SUB] = { CSS_FONT_SIZE, CSS_WORD, CSS_SMALLER },
		[HTML_N_SUP] = { CSS_FONT_SIZE, CSS_WORD, CSS_SMALLER },
		[HTML_N_TEXTAREA] = { CSS_WHITE_SPACE, CSS_WORD, CSS_PRE },
		[HTML_N_XMP] = { CSS_WHITE_SPACE, CSS_WORD, CSS_PRE },
	};
	const struct html_element *e = t->kind;
	size_t i = (size_t)(e - html_element_table);

	if (table[i].n > 0)
		html_style_hint(h, (enum css_prop)table[i].prop,
		    (enum css_kind)table[i].kind, table[i].n);
	if (html_is(e, HTML_N_DIALOG) && t->attr[HTML_A_OPEN].p != NULL)
		html_style_hint(h, CSS_DISPLAY, CSS_WORD, CSS_BLOCK);
	if (html_is(e, HTML_N_A) && t->attr[HTML_A_HREF].p != NULL)
		html_style_hint_colour(h, CSS_COLOR, h->link_colour);
	if (html_is(e, HTML_N_MARK)) {
		html_style_hint_colour(h, CSS_BG_COLOR, 0xFFFF00FF);
		html_style_hint_colour(h, CSS_COLOR, 0x000000FF);
	}
	if (html_is(e, HTML_N_BUTTON)) {
		html_style_hint_colour(h, CSS_BG_COLOR, 0xEFEFEFFF);
		html_style_hint_colour(h, CSS_COLOR, 0x000000FF);
	}
	if (is_quirky(h, e))
		html_style_quirk(h);
	if (html_is(e, HTML_N_BDO))
		html_style_hint(h, CSS_BIDI, CSS_WORD, CSS_HIDE);
}

static void
html_style_font(struct html *h, const struct html_tag *t)
{
	static const double px[] = { 10, 13, 16, 18, 24, 32, 48 };
	struct str s = css_text_trim(html_style_attr(h, t, HTML_A_SIZE));
	struct css_token v;
	int n;

	html_style_hint_legacy(h, CSS_COLOR, t, HTML_A_COLOR);
	if (s.n == 0)
		return;
	n = s.p[0] == '+' || s.p[0] == '-' ? 3 : 0;
	v = css_token_next(&s);
	if (v.kind != CSS_T_NUMBER || v.n > 100 || v.n < -100)
		return;
	n += (int)v.n;
	n = n < 1 ? 1 : n > 7 ? 7 : n;
	html_style_hint(h, CSS_FONT_SIZE, CSS_PX, px[n - 1]);
}

static void
html_style_hints(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;
	bool body = html_is(e, HTML_N_BODY);
	bool t_like =
	    t->kind != NULL && t->kind->name[0] == 't'; /* a table's */
	uint32_t rgba = 0;

	if (html_is(e, HTML_N_FONT))
		html_style_font(h, t);
	if (body) {
		html_style_hint_legacy(h, CSS_COLOR, t, HTML_A_TEXT);
		if (t->attr[HTML_A_LINK].n > 0 &&
		    css_colour_legacy(html_style_attr(h, t, HTML_A_LINK),
			&rgba))
			h->link_colour = rgba;
	}
	if (t_like || body || html_is(e, HTML_N_MARQUEE)) {
		html_style_hint_legacy(h, CSS_BG_COLOR, t, HTML_A_BGCOLOR);
		if (t->attr[HTML_A_BACKGROUND].n > 0)
			html_style_hint(h, CSS_BG_IMAGE,
			    str_starts_case(css_text_trim(html_style_attr(h, t,
						HTML_A_BACKGROUND)),
				S("data:"))
				? CSS_UNKNOWN
				: CSS_WORD,
			    CSS_IMAGE);
	}
	/* For parts of a table, width and height are minimums. */
	if (html_is(e, HTML_N_IMG)) {
		html_style_hint_length(h, CSS_WIDTH, t, HTML_A_WIDTH);
		html_style_hint_length(h, CSS_HEIGHT, t, HTML_A_HEIGHT);
	}
	if (t->attr[HTML_A_DIR].n > 0)
		html_style_hint(h, CSS_DIRECTION, CSS_WORD,
		    str_eq_case(css_text_trim(
				    html_style_attr(h, t, HTML_A_DIR)),
			S("rtl"))
			? CSS_RTL
			: CSS_NONE);
	/* A display set by the author overrides it. */
	if (t->attr[HTML_A_HIDDEN].p != NULL)
		html_style_hint(h, CSS_DISPLAY, CSS_WORD, CSS_HIDE);
	/* HTML 15.3.4: closed, unless it is a dialog with `open`. */
	if (t->attr[HTML_A_POPOVER].p != NULL &&
	    !(html_is(e, HTML_N_DIALOG) && t->attr[HTML_A_OPEN].p != NULL))
		html_style_hint(h, CSS_DISPLAY, CSS_WORD, CSS_HIDE);
}

static bool
html_style_has_hint(const struct html_tag *t)
{
	static const uint32_t which = 1U << HTML_A_DIR | 1U << HTML_A_TEXT |
	    1U << HTML_A_LINK | 1U << HTML_A_SIZE | 1U << HTML_A_COLOR |
	    1U << HTML_A_WIDTH | 1U << HTML_A_HIDDEN | 1U << HTML_A_HEIGHT |
	    1U << HTML_A_BGCOLOR | 1U << HTML_A_BACKGROUND |
	    1U << HTML_A_POPOVER;

	return (t->has & which) != 0;
}

/* Elements that their hidden attribute hides. */
static bool
is_by_attribute(const struct html *h, const struct html_tag *t)
{
	return (t->attr[HTML_A_HIDDEN].p != NULL ||
		   t->attr[HTML_A_POPOVER].p != NULL) &&
	    h->set.rank[CSS_DISPLAY] == CSS_RANK_HINT;
}

/* Browser defaults and legacy attributes. */
static void
html_style_gather_nature(struct html *h, const struct html_tag *t)
{
	if (t->kind != NULL && (t->kind->is & HTML_LOOKS))
		html_style_nature(h, t);
	if (html_style_has_hint(t))
		html_style_hints(h, t);
}

/* All declarations for an element, in the order of the cascade. */
static void
html_style_gather(struct html *h, struct html_node *n, const struct html_tag *t)
{
	struct css_set *set = &h->set;

	set->a = h->a;
	set->has = 0;
	set->maybes = set->customs = 0;
	set->unknown = set->later = set->reverts = false;
	html_style_gather_nature(h, t);
	if (h->sheet.rules > 0 || h->sheet.opaque)
		css_bucket_apply(&h->sheet, set, &n->e, &h->work);
	html_inline_put(h, t->attr[HTML_A_STYLE]);
	if (css_set_revert(set))
		html_style_gather_nature(h, t);
}

/* Fills in values that are known only at the element. */
static void
html_style_fill_in(struct html *h, struct html_node *n,
    const struct css_style *from)
{
	struct css_var_env e = { .a = h->a,
		.block = &h->block,
		.work = &h->work,
		.em = from->font,
		.registered = h->sheet.registered };

	e.vars = css_var_scope(&e, &h->set, from->vars);
	css_var_fill_set(&e, &h->set, from);
	css_set_list(h->a, &h->set, &n->list);
	css_motion_read(&h->sheet, &h->set, &e, &n->list);
	css_style_compute(&n->style, from, &n->list);
	n->style.vars = e.vars;
}

static void
html_style_compute(struct html *h, struct html_node *n,
    const struct css_style *from)
{
	if (h->set.customs > 0 || h->set.later || h->sheet.frames != NULL) {
		html_style_fill_in(h, n, from);
		return;
	}
	css_set_list(h->a, &h->set, &n->list);
	css_style_compute(&n->style, from, &n->list);
}

/* Other reasons to hide it besides its style. */
static void
html_style_hide(struct html_node *n, struct html_node *up,
    const struct html_tag *t)
{
	bool summary = html_is(n->kind, HTML_N_SUMMARY);

	if (str_eq_case(t->attr[HTML_A_HIDDEN], S("until-found")))
		css_style_gone(&n->style, HTML_HIDDEN_ATTRIBUTE);
	if (n->kind != NULL && (n->kind->is & HTML_DROP))
		css_style_gone(&n->style, HTML_HIDDEN_DISPLAY);
	if (n->kind != NULL && (n->kind->is & HTML_FOREIGN))
		css_style_gone(&n->style, HTML_HIDDEN_UNKNOWN);
	/* In closed details only the first summary is visible. */
	if (up != NULL && up->closed_details) {
		if (!summary || up->summarized)
			css_style_gone(&n->style, HTML_HIDDEN_DISPLAY);
		up->summarized |= summary;
	}
}

void
html_style_of(struct html *h, struct html_node *n, struct html_node *up,
    const struct html_tag *t)
{
	struct css_style root;
	const struct css_style *from = up != NULL ? &up->style : &root;
	bool by_attribute;

	if (up == NULL)
		css_style_root(&root);
	n->e.id = html_style_attr(h, t, HTML_A_ID);
	n->e.class = html_style_attr(h, t, HTML_A_CLASS);
	html_style_gather(h, n, t);
	by_attribute = is_by_attribute(h, t);
	html_style_compute(h, n, from);
	if (by_attribute && n->style.gone && !from->gone)
		n->style.why = n->style.gone_why = HTML_HIDDEN_ATTRIBUTE;
	if (is_quirky(h, t->kind))
		n->style.unsure |= html_style_is_unsure(&n->style, from);
	n->style.doubtful |= n->style.unsure;
	html_style_hide(n, up, t);
	if ((h->set.has & (HTML_FALL_HEIGHTS | HTML_FALL_PLACES)) ||
	    t->attr[HTML_A_HEIGHT].n > 0)
		html_fall_measure(h, n, t);
	n->closed_details =
	    html_is(n->kind, HTML_N_DETAILS) && t->attr[HTML_A_OPEN].p == NULL;
}

void
html_style_sheet(struct html *h, const struct html_tag *t, struct str s)
{
	struct str type = css_text_trim(html_style_attr(h, t, HTML_A_TYPE));
	struct str rel = html_style_attr(h, t, HTML_A_REL), url;

	if (type.n > 0 && !str_eq_case(type, S("text/css")))
		return;
	h->sheet.block = &h->block;
	if (!html_is(t->kind, HTML_N_LINK)) {
		css_sheet_add(&h->sheet, s,
		    html_style_attr(h, t, HTML_A_MEDIA));
		return;
	}
	url = css_text_trim(html_style_attr(h, t, HTML_A_HREF));
	if (str_find_case(rel, S("stylesheet")) >= 0 &&
	    str_find_case(rel, S("alternate")) < 0)
		css_sheet_link(&h->sheet, url,
		    html_style_attr(h, t, HTML_A_MEDIA));
}
