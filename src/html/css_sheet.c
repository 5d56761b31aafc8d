/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Style sheets, CSS Syntax 3 section 5: a rule is kept if it can hide or show
 * something, under the id, class or type that its last compound requires.
 * At-rules nest; their depth is limited.
 */
#include <string.h>

#include "base/limits.h"
#include "html/css_select.h"

#define DEPTH 32
#define IMPORTS 4 /* nested sheets */
#define LAYERS 1023
#define SPECIFICITY_MAX ((1ULL << 25) - 1)

enum level_kind {
	LEVEL_CONDITION,
	LEVEL_RULE,
	LEVEL_FRAMES,
	LEVEL_FRAME,
};

/* One "{": a style rule, a condition, or something to skip. */
struct level {
	enum level_kind kind;
	enum css_match holds;
	struct str head;
	bool read; /* the selectors were read */
	bool own;  /* and belong to this level */
	bool other;
	const struct css_selector *list;
	struct css_frames *frames;
	unsigned layer;
	size_t begin; /* start of its declarations in the block */
};

struct reader {
	struct css_sheet *sheet;
	struct css_block *block;
	struct level at[DEPTH];
	size_t depth;
	size_t beyond; /* levels beyond DEPTH */
	size_t imports;
	bool began; /* a rule was seen: imports no longer count */
};

static uint64_t
css_sheet_rank_of(const struct css_sheet *sheet, const struct css_selector *s,
    unsigned layer)
{
	uint64_t specificity =
	    s->specificity > SPECIFICITY_MAX ? SPECIFICITY_MAX : s->specificity;

	return ((uint64_t)layer << CSS_RANK_LAYER) + (specificity << 24) +
	    sheet->order + 2;
}

static void
css_sheet_keep(struct css_sheet *sheet, const struct level *l,
    const struct css_selector *s, const struct css_decl *d, size_t n)
{
	struct css_rule *r;

	if (sheet->rules == LIMIT_CSS_RULES) {
		sheet->over = sheet->opaque = true;
		return;
	}
	sheet->rules++;
	r = arena_new(sheet->a, struct css_rule);
	r->s = s;
	r->maybe = l->holds == CSS_MAYBE;
	r->rank = css_sheet_rank_of(sheet, s, l->layer);
	r->d = d;
	r->ds = n;
	css_bucket_put(sheet, r);
}

static void
css_sheet_read_selectors(struct reader *r, size_t depth)
{
	struct level *l = &r->at[depth];
	struct css_reader in = { .a = r->sheet->a };
	enum css_read is;

	if (l->read)
		return;
	l->read = true;
	if (depth > 0 && r->at[depth - 1].kind == LEVEL_RULE) {
		css_sheet_read_selectors(r, depth - 1);
		in.parent = r->at[depth - 1].list;
		l->other |= r->at[depth - 1].other;
		if (!l->own) {
			l->list = in.parent;
			return;
		}
		/* Rules in an unmatched block do not match either. */
		if (in.parent == NULL)
			return;
	}
	is = css_select_read(&in, l->head, &l->list);
	if (is != CSS_READ_GOOD)
		l->list = NULL;
	l->other |= is == CSS_READ_OTHER;
	r->sheet->structural |= in.structural;
	r->sheet->siblings |= in.siblings;
	r->sheet->whole |= in.whole;
}

static bool
css_sheet_may_hide(const struct css_decl *d, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (d[i].prop != CSS_CUSTOM && !css_decl_is_harmless(&d[i]) &&
		    (d[i].kind != CSS_COLOURS || d[i].prop == CSS_COLOR))
			return true;
	return false;
}

/* Takes the declarations of the innermost level out of the block. */
static const struct css_decl *
css_sheet_take(struct reader *r, const struct level *l, size_t *n)
{
	struct css_decl *d = NULL;

	*n = r->block->n - l->begin;
	r->block->n = l->begin;
	if (*n > 0 && l->holds != CSS_NO) {
		d = arena_array(r->sheet->a, *n, sizeof(*d));
		memcpy(d, r->block->d + l->begin, *n * sizeof(*d));
	}
	return d;
}

/* "from, 50%": each is a keyframe of its own. */
static void
css_sheet_keep_frames(struct reader *r, const struct level *l,
    const struct css_decl *d, size_t n)
{
	size_t i = 0;

	while (i < l->head.n) {
		size_t end = css_text_span(l->head, i, ",");
		struct str one = { l->head.p + i, end - i };
		struct css_token t = css_words_only(css_text_trim(one));
		struct css_frame *f = arena_new(r->sheet->a, struct css_frame);

		i = end + 1;
		if (t.kind == CSS_T_WORD && str_eq_case(t.text, S("to")))
			f->at = 100;
		else if (t.kind == CSS_T_NUMBER && str_eq(t.text, S("%")))
			f->at = t.n;
		else if (!str_eq_case(t.text, S("from")))
			continue;
		f->d = d;
		f->n = n;
		/* In order: with two at one time the last counts. */
		*l->frames->end = f;
		l->frames->end = &f->next;
	}
}

/* Ends a run of declarations at the innermost level. */
static void
css_sheet_flush(struct reader *r)
{
	struct level *l = &r->at[r->depth - 1];
	const struct css_decl *d;
	size_t n;

	r->sheet->opaque |= r->block->over;
	d = css_sheet_take(r, l, &n);
	if (d == NULL)
		return;
	if (l->kind == LEVEL_FRAME) {
		css_sheet_keep_frames(r, l, d, n);
		return;
	}
	r->sheet->order++;
	css_sheet_read_selectors(r, r->depth - 1);
	r->sheet->doubtful |= l->other && css_sheet_may_hide(d, n);
	for (const struct css_selector *s = l->list; s != NULL; s = s->next)
		if (!s->never)
			css_sheet_keep(r->sheet, l, s, d, n);
}

/* The layer with that name, numbered by order of appearance. */
static unsigned
css_sheet_layer_of(struct css_sheet *sheet, struct str name)
{
	name = css_text_trim(name);
	for (size_t i = 0; i < sheet->layers.n && name.n > 0; i++)
		if (str_eq(sheet->layers.v[i], name))
			return (unsigned)i;
	if (sheet->layers.n < LAYERS - 1)
		str_push(sheet->a, &sheet->layers, name);
	return (unsigned)(sheet->layers.n - 1);
}

static bool
css_sheet_is_at(struct str head, struct str name)
{
	return str_starts_case(head, name) &&
	    (head.n == name.n || !css_text_is_name(head.p[name.n]));
}

static void
css_sheet_open_frames(struct reader *r, struct level *l, struct str name)
{
	name = css_text_trim(name);
	if (name.n > 1 && (name.p[0] == '"' || name.p[0] == '\''))
		name = (struct str){ name.p + 1, name.n - 2 };
	l->kind = LEVEL_FRAMES;
	l->frames = arena_new(r->sheet->a, struct css_frames);
	l->frames->name = name;
	l->frames->end = &l->frames->frame;
	l->frames->maybe = l->holds == CSS_MAYBE;
	if (l->holds == CSS_NO)
		return;
	l->frames->next = r->sheet->frames;
	r->sheet->frames = l->frames;
}

/* "@media ..." and similar; the content is skipped if the result is NO. */
static void
css_sheet_open_at_rule(struct reader *r, struct level *l, struct str head)
{
	static const struct str maybes[] = { SI("@container"), SI("@scope") };
	enum css_match it = CSS_NO;

	if (css_sheet_is_at(head, S("@media")))
		it = css_media_holds(str_from(head, 6));
	else if (css_sheet_is_at(head, S("@supports")))
		it = css_media_supports(r->block, str_from(head, 9));
	else if (css_sheet_is_at(head, S("@layer")))
		it = CSS_YES;
	for (size_t i = 0; i < sizeof(maybes) / sizeof(maybes[0]); i++)
		if (css_sheet_is_at(head, maybes[i]))
			it = CSS_MAYBE;
	if (css_sheet_is_at(head, S("@layer"))) {
		/* A nested layer is weaker than the outer layer's own rules. */
		if (l->layer != LAYERS)
			it = CSS_MAYBE;
		l->layer = css_sheet_layer_of(r->sheet, str_from(head, 6));
	}
	r->sheet->registered |= css_sheet_is_at(head, S("@property"));
	if (css_sheet_is_at(head, S("@keyframes")))
		css_sheet_open_frames(r, l, str_from(head, 10));
	else if (css_sheet_is_at(head, S("@-webkit-keyframes")))
		css_sheet_open_frames(r, l, str_from(head, 18));
	else
		l->holds = it < l->holds ? it : l->holds;
}

/* "<!--" and "-->" are ignored in a sheet. */
static struct str
css_sheet_without_comment_marks(struct str s)
{
	for (;;) {
		s = css_text_trim(s);
		if (str_starts(s, S("<!--")))
			s = str_from(s, 4);
		else if (str_starts(s, S("-->")))
			s = str_from(s, 3);
		else
			return s;
	}
}

static void
css_sheet_open_level(struct reader *r, struct str head)
{
	struct level *up = r->depth > 0 ? &r->at[r->depth - 1] : NULL;
	struct level *l = &r->at[r->depth];
	bool in_rule = up != NULL && up->kind == LEVEL_RULE;

	if (r->depth == DEPTH) {
		r->beyond++;
		r->sheet->doubtful |= up->holds != CSS_NO;
		return;
	}
	head = up != NULL ? css_text_trim(head)
			  : css_sheet_without_comment_marks(head);
	if (in_rule)
		css_sheet_flush(r);
	*l = (struct level){ .kind = in_rule ? LEVEL_RULE : LEVEL_CONDITION,
		.holds = up != NULL ? up->holds : CSS_YES,
		.layer = up != NULL ? up->layer : LAYERS,
		.begin = r->block->n };
	r->depth++;
	if (head.n > 0 && head.p[0] == '@') {
		css_sheet_open_at_rule(r, l, head);
		r->began |= !css_sheet_is_at(head, S("@layer"));
		return;
	}
	r->began = true;
	l->head = head;
	l->own = true;
	l->kind = LEVEL_RULE;
	if (up != NULL && up->kind == LEVEL_FRAMES) {
		l->kind = LEVEL_FRAME;
		l->frames = up->frames;
	}
}

static void
css_sheet_close_level(struct reader *r)
{
	if (r->beyond > 0) {
		r->beyond--;
		return;
	}
	if (r->depth == 0)
		return;
	if (r->at[r->depth - 1].kind == LEVEL_RULE ||
	    r->at[r->depth - 1].kind == LEVEL_FRAME)
		css_sheet_flush(r);
	r->depth--;
}

static void css_sheet_add_text(struct css_sheet *sheet, struct str text,
    enum css_match holds, size_t imports);

/* A sheet inside the mail; others are not fetched. */
static void
css_sheet_import(struct reader *r, struct str s, enum css_match holds)
{
	struct css_token t = css_token_next(&s);
	struct str url = css_text_trim(t.args), text;
	enum css_match it = css_media_holds(s);

	if (url.n > 1 && (url.p[0] == '"' || url.p[0] == '\''))
		url = css_text_trim((struct str){ url.p + 1, url.n - 2 });
	if (!str_starts_case(url, S("data:")) || it == CSS_NO)
		return;
	if (r->imports == IMPORTS)
		r->sheet->doubtful = true;
	else if (css_data_read(r->sheet->a, url, &text))
		css_sheet_add_text(r->sheet, text, it < holds ? it : holds,
		    r->imports + 1);
}

/* The text before a ";" or "}". */
static void
css_sheet_statement(struct reader *r, struct str s, enum css_match holds)
{
	enum level_kind in = LEVEL_CONDITION;

	if (r->beyond > 0)
		return;
	if (r->depth > 0)
		in = r->at[r->depth - 1].kind;
	if (in == LEVEL_RULE || in == LEVEL_FRAME) {
		css_decl_read_one(r->block, s);
		return;
	}
	s = css_sheet_without_comment_marks(s);
	if (css_sheet_is_at(s, S("@layer"))) {
		s = str_from(s, 6);
		while (s.n > 0) {
			struct str name;

			(void)str_cut(s, ',', &name, &s);
			(void)css_sheet_layer_of(r->sheet, name);
		}
	} else if (css_sheet_is_at(s, S("@import")) && !r->began) {
		css_sheet_import(r, str_from(s, 7), holds);
	} else if (css_sheet_is_at(s, S("@namespace"))) {
		/* After it, selectors may be for elements other than HTML's. */
		r->sheet->over = r->sheet->opaque = true;
	}
}

/*
 * Outside of all blocks "}" ends nothing, and ";" ends only at-rules: CSS
 * Syntax 3 section 5.5.1.  The text after them is then an invalid selector.
 */
static size_t
css_sheet_head_end(struct str text, size_t i)
{
	size_t end = css_text_span(text, i, ";{}");

	while (end < text.n &&
	    (text.p[end] == '}' ||
		(text.p[end] == ';' &&
		    !str_has_char((struct str){ text.p + i, end - i }, '@'))))
		end = css_text_span(text, end + 1, ";{}");
	return end;
}

static void
css_sheet_add_text(struct css_sheet *sheet, struct str text,
    enum css_match holds, size_t imports)
{
	struct reader r; /* large, because of its levels */
	size_t i = 0, base = holds == CSS_MAYBE;

	if (holds == CSS_NO)
		return;
	if (text.n > LIMIT_CSS - sheet->bytes) {
		sheet->over = sheet->opaque = true;
		return;
	}
	sheet->bytes += text.n;
	text = css_text_plain(sheet->a, text);
	if (css_text_is_deep(text)) {
		sheet->over = sheet->opaque = true;
		return;
	}
	if (sheet->block == NULL)
		sheet->block = arena_new(sheet->a, struct css_block);
	r.sheet = sheet;
	r.block = sheet->block;
	r.block->n = 0;
	r.block->over = false;
	r.depth = r.beyond = 0;
	r.imports = imports;
	r.began = false;
	if (holds == CSS_MAYBE) {
		r.at[0] = (struct level){ .holds = CSS_MAYBE, .layer = LAYERS };
		r.depth = 1;
	}
	while (i < text.n) {
		size_t end = r.depth > base ? css_text_span(text, i, ";{}")
					    : css_sheet_head_end(text, i);
		struct str chunk = { text.p + i, end - i };
		bool ends = end == text.n || text.p[end] == '}';

		if (!ends && text.p[end] == '{') {
			css_sheet_open_level(&r, chunk);
		} else {
			css_sheet_statement(&r, chunk, holds);
			if (ends && r.depth > base)
				css_sheet_close_level(&r);
		}
		i = end + 1;
	}
	while (r.depth > 0)
		css_sheet_close_level(&r);
}

void
css_sheet_add(struct css_sheet *sheet, struct str text, struct str media)
{
	css_sheet_add_text(sheet, text, css_media_holds(media), 0);
}

void
css_sheet_link(struct css_sheet *sheet, struct str url, struct str media)
{
	struct str text;

	if (str_starts_case(url, S("data:")) &&
	    css_data_read(sheet->a, url, &text))
		css_sheet_add_text(sheet, text, css_media_holds(media), 1);
}
