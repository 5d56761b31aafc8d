/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Animations, CSS Animations 1.  A person sees the end of an animation: one
 * that ends and persists counts as its last keyframe, one that does not persist
 * does not count.  In an endless one, each keyframe is seen; in a slow or
 * paused one, it is unknown which.
 */
#include <string.h>

#include "html/css.h"

#define SOON 60.0 /* s: a person waits no longer than this */
#define STATES_MAX 16
#define FOREVER 1e9

/* Bits of css_words.word. */
#define STAY_AFTER 1
#define STAY_BEFORE 2
#define WAY_BACK 1
#define WAY_TURNS 2

static const struct css_words ways[] = {
	{ SI("normal"), 0 },
	{ SI("reverse"), WAY_BACK },
	{ SI("alternate"), WAY_TURNS },
	{ SI("alternate-reverse"), WAY_BACK | WAY_TURNS },
	{ SI(""), 0 },
};

static const struct css_words stays[] = {
	{ SI("none"), 0 },
	{ SI("forwards"), STAY_AFTER },
	{ SI("backwards"), STAY_BEFORE },
	{ SI("both"), STAY_AFTER | STAY_BEFORE },
	{ SI(""), 0 },
};

static const struct css_words pauses[] = {
	{ SI("running"), 0 },
	{ SI("auto"), 0 },
	{ SI("paused"), 1 },
	{ SI(""), 0 },
};

/* Seconds; false if it is not a time. */
static bool
css_motion_read_time(const struct css_token *t, double *s)
{
	if (t->kind != CSS_T_NUMBER ||
	    (!str_eq_case(t->text, S("s")) && !str_eq_case(t->text, S("ms"))))
		return false;
	*s = t->text.n == 2 ? t->n / 1000 : t->n;
	return true;
}

/*
 * One word of a list; several, or a function, are unknown; others are dropped.
 */
static void
css_motion_put_word(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value, const struct css_words *list)
{
	struct css_token t = css_words_only(value);
	const struct css_words *w = css_words_find(t.text, list);

	if (t.kind == CSS_T_WORD && w != NULL)
		css_decl_put(b, d, p, CSS_NUMBER, w->word);
	else if (t.kind == CSS_T_END || t.kind == CSS_T_CALL ||
	    (p == CSS_ANIM_PAUSE && t.kind == CSS_T_WORD))
		css_decl_unknown(b, d, p); /* or a timeline's name */
}

void
css_motion_way(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	css_motion_put_word(b, p, d, value, ways);
}

void
css_motion_stay(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	css_motion_put_word(b, p, d, value, stays);
}

void
css_motion_pause(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	css_motion_put_word(b, p, d, value, pauses);
}

void
css_motion_time(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);
	double s = 0;

	if (t.kind == CSS_T_END || t.kind == CSS_T_CALL)
		css_decl_unknown(b, d, p);
	else if (css_motion_read_time(&t, &s) &&
	    (s >= 0 || p == CSS_ANIM_DELAY))
		css_decl_put(b, d, p, CSS_NUMBER, s);
}

void
css_motion_count(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value);

	if (t.kind == CSS_T_END || t.kind == CSS_T_CALL)
		css_decl_unknown(b, d, p);
	else if (str_eq_case(t.text, S("infinite")))
		css_decl_put(b, d, p, CSS_NUMBER, FOREVER);
	else if (t.kind == CSS_T_NUMBER && t.text.n == 0 && t.n >= 0)
		css_decl_put(b, d, p, CSS_NUMBER, t.n);
}

void
css_motion_name(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	d->text = value;
	css_decl_put(b, d, p, CSS_TEXT, 0);
}

/* The values of one layer of the shorthand. */
struct layer {
	double time, delay, count;
	unsigned way, stay, pause;
	size_t times, names;
	bool bad;
};

static void
css_motion_read_word(struct layer *l, struct str word)
{
	const struct css_words *w;

	if (str_eq_case(word, S("infinite")))
		l->count = FOREVER;
	else if (str_eq_case(word, S("none")))
		return; /* neither a name nor a fill mode */
	else if ((w = css_words_find(word, ways)) != NULL)
		l->way = w->word;
	else if ((w = css_words_find(word, stays)) != NULL)
		l->stay = w->word;
	else if ((w = css_words_find(word, pauses)) != NULL)
		l->pause = w->word;
	else
		l->names++; /* or a timing function */
}

static void
css_motion_read_layer(struct layer *l, struct str s)
{
	for (;;) {
		struct css_token t = css_token_next(&s);
		double n = 0;

		if (t.kind == CSS_T_END)
			return;
		if (css_motion_read_time(&t, &n)) {
			*(l->times++ == 0 ? &l->time : &l->delay) = n;
		} else if (t.kind == CSS_T_NUMBER) {
			l->bad |= t.text.n > 0 || t.n < 0;
			l->count = t.n;
		} else if (t.kind == CSS_T_WORD) {
			css_motion_read_word(l, t.text);
		} else {
			l->bad |=
			    t.kind != CSS_T_CALL && t.kind != CSS_T_STRING;
		}
	}
}

/* The shorthand.  With several layers only the names are known. */
void
css_motion_all(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct layer l = { .count = 1 };
	bool several = css_text_span(value, 0, ",") < value.n;
	enum css_kind kind = several ? CSS_UNKNOWN : CSS_NUMBER;

	if (!several)
		css_motion_read_layer(&l, value);
	if (l.bad || l.times > 2 || l.time < 0 || l.names > 3)
		return;
	css_motion_name(b, p, d, value);
	css_decl_put(b, d, CSS_ANIM_TIME, kind, l.time);
	css_decl_put(b, d, CSS_ANIM_DELAY, CSS_NUMBER, l.delay);
	css_decl_put(b, d, CSS_ANIM_COUNT, CSS_NUMBER, l.count);
	css_decl_put(b, d, CSS_ANIM_WAY, CSS_NUMBER, l.way);
	css_decl_put(b, d, CSS_ANIM_STAY, CSS_NUMBER, l.stay);
	css_decl_put(b, d, CSS_ANIM_PAUSE, CSS_NUMBER, l.pause);
}

/* Does the text contain the name as a whole word? */
static bool
css_motion_is_named(struct str text, struct str name)
{
	while (text.n >= name.n && name.n > 0) {
		ptrdiff_t at = str_find(text, name);
		size_t end;

		if (at < 0)
			return false;
		end = (size_t)at + name.n;
		if ((at == 0 || !css_text_is_name(text.p[at - 1])) &&
		    (end == text.n || !css_text_is_name(text.p[end])))
			return true;
		text = str_from(text, end);
	}
	return false;
}

/* The number of a property; false if it is unknown. */
static bool
css_motion_value(const struct css_set *set, enum css_prop p, double none,
    double *n)
{
	const struct css_decl *d = &set->d[p];

	*n = none;
	if (!(set->has >> p & 1))
		return true;
	if (d->kind == CSS_NUMBER)
		*n = d->n;
	return d->kind == CSS_NUMBER || d->kind == CSS_INITIAL;
}

/* The animation of an element, from its properties. */
struct course {
	double time, delay, count, way, stay, pause;
	bool known;
};

static void
css_motion_read_course(const struct css_set *set, struct course *c)
{
	c->known = css_motion_value(set, CSS_ANIM_TIME, 0, &c->time);
	c->known &= css_motion_value(set, CSS_ANIM_DELAY, 0, &c->delay);
	c->known &= css_motion_value(set, CSS_ANIM_COUNT, 1, &c->count);
	c->known &= css_motion_value(set, CSS_ANIM_WAY, 0, &c->way);
	c->known &= css_motion_value(set, CSS_ANIM_STAY, 0, &c->stay);
	c->known &= css_motion_value(set, CSS_ANIM_PAUSE, 0, &c->pause);
}

/* Adds the keyframes' declarations at one time, in per cent. */
static void
css_motion_add_frames(struct css_var_env *e, const struct css_frame *f,
    double at, struct css_state *s)
{
	size_t n = 0;

	for (const struct css_frame *k = f; k != NULL; k = k->next)
		n += k->at >= at && k->at <= at ? k->n : 0;
	s->d = arena_array(e->a, n, sizeof(*s->d));
	for (; f != NULL; f = f->next) {
		if (f->at < at || f->at > at)
			continue;
		*e->work -= *e->work > f->n ? f->n : *e->work;
		for (size_t i = 0; i < f->n; i++) {
			struct css_decl d = f->d[i];

			if (d.prop < CSS_PROPS &&
			    (d.kind != CSS_LATER || css_var_fill(e, &d)))
				s->d[s->n++] = d;
		}
	}
}

/* The end of the last round: 0 or 100; below 0 if it is in between. */
static double
css_motion_last(const struct course *c)
{
	unsigned long rounds = c->count < 1e6 ? (unsigned long)c->count : 0;
	unsigned way = (unsigned)c->way;
	bool back = (way & WAY_BACK) != 0;

	if ((double)rounds < c->count || rounds == 0)
		return -1;
	if ((way & WAY_TURNS) && rounds % 2 == 0)
		back = !back;
	return back ? 0 : 100;
}

/* Each keyframe on its own. */
static void
css_motion_add_all(struct css_var_env *e, const struct css_frames *f,
    struct css_list *out)
{
	double at = -1;

	while (out->states < STATES_MAX) {
		double next = 1e9;

		for (const struct css_frame *k = f->frame; k != NULL;
		     k = k->next)
			if (k->at > at && k->at < next)
				next = k->at;
		if (next > 100)
			return;
		css_motion_add_frames(e, f->frame, next,
		    &out->state[out->states++]);
		at = next;
	}
	out->unknown = true;
}

void
css_motion_read(const struct css_sheet *sheet, const struct css_set *set,
    struct css_var_env *e, struct css_list *out)
{
	const struct css_decl *name = &set->d[CSS_ANIM_NAME];
	const struct css_frames *found = NULL;
	struct course c;
	size_t n = 0;

	out->sure = out->turns = false;
	if (!(set->has >> CSS_ANIM_NAME & 1) || name->kind != CSS_TEXT)
		return;
	for (const struct css_frames *f = sheet->frames; f != NULL;
	     f = f->next) {
		*e->work -= *e->work > name->text.n ? name->text.n : *e->work;
		if (*e->work == 0 || !css_motion_is_named(name->text, f->name))
			continue;
		/* The last one with a name counts; it is the first here. */
		if (found == NULL || !str_eq(found->name, f->name))
			n++;
		found = found == NULL ? f : found;
	}
	if (found == NULL)
		return;
	css_motion_read_course(set, &c);
	c.known &= n == 1 && !found->maybe;
	out->state = arena_array(e->a, STATES_MAX, sizeof(*out->state));
	if (c.known && c.pause <= 0 && c.count < FOREVER && c.delay <= SOON &&
	    c.delay + c.time * c.count <= SOON && css_motion_last(&c) >= 0) {
		if (((unsigned)c.stay & STAY_AFTER) == 0)
			return;
		css_motion_add_frames(e, found->frame, css_motion_last(&c),
		    &out->state[0]);
		out->states = 1;
		out->sure = true;
		return;
	}
	/* An animation without a duration does not start. */
	if (c.known && c.pause <= 0 && c.time <= 0 && c.count >= FOREVER &&
	    ((unsigned)c.stay & STAY_BEFORE) == 0)
		return;
	css_motion_add_all(e, found, out);
	out->turns = c.known && c.pause <= 0 && c.count >= FOREVER &&
	    c.time > 0 && c.time <= SOON && c.delay <= SOON;
}
