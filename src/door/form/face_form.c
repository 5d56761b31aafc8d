/* SPDX-License-Identifier: Apache-2.0 */
/* A page's questions as a form. */
#include "door/form/face_tui.h"

#include <limits.h>
#include <wchar.h>
#include <wctype.h>

enum {
	LABEL = 2,
	INPUT = 27,       /* the column fields begin in */
	VALUE_MAX = 4096, /* a path */
	CTRL_A = 1,
	CTRL_E = 5,
	CTRL_H = 8,
	CTRL_U = 21,
	RUBOUT = 127
};

static const struct flow_step *
step_at(const struct tui *t, int i)
{
	return &flow_step[t->key[i]];
}

int
face_form_count(const struct flow *f, enum flow_page at)
{
	int n = 0;

	for (int k = 0; k < FLOW_STEPS; k++)
		n += flow_step[k].page == at && flow_asked(f, (enum flow_key)k);
	return n;
}

static void
face_form_show_stars(struct tui *t, int i)
{
	char stars[33] = "";
	size_t n = 0;

	for (size_t k = 0; k < t->typed_n && n < sizeof(stars) - 1; k++)
		if (((unsigned char)t->typed[k] & 0xc0) != 0x80)
			stars[n++] = '*';
	stars[n] = '\0';
	if (n == 0 && t->f->password != NULL)
		(void)set_field_buffer(t->field[i], 0, "(as before)");
	else if (n == 0 && t->f->hint[t->key[i]].n > 0)
		(void)set_field_buffer(t->field[i], 0, "(as it is)");
	else
		(void)set_field_buffer(t->field[i], 0, stars);
}

/* What a field holds, without the blanks that fill it up. */
static struct str
face_form_content(const struct tui *t, int i)
{
	return str_dup(t->f->a, str_trim(str_of(field_buffer(t->field[i], 0))));
}

static void
face_form_fill(struct tui *t, int i)
{
	struct str v = flow_get(t->f, t->key[i]);

	if (step_at(t, i)->kind == FLOW_PASSWORD_KIND)
		face_form_show_stars(t, i);
	else
		(void)set_field_buffer(t->field[i], 0, str_c(t->f->a, v));
	/* Which a field may show otherwise than it is. */
	t->shown[i] = face_form_content(t, i);
}

void
face_form_open(struct tui *t, enum flow_page at, int top)
{
	int width = COLS - INPUT - 2, room = LINES - top;

	t->n = 0;
	for (enum flow_key k = flow_next(t->f, at, FLOW_STEPS);
	     k != FLOW_STEPS && t->n < FACE_FIELDS;
	     k = flow_next(t->f, at, k)) {
		FIELD *one;

		if (!flow_asked(t->f, k) || t->n >= room)
			continue;
		one = new_field(1, width, t->n, INPUT, 0, 0);
		if (one == NULL)
			err_bug("no memory for a form");
		(void)field_opts_off(one, O_STATIC | O_AUTOSKIP | O_BLANK);
		(void)set_max_field(one, VALUE_MAX);
		(void)set_field_back(one, A_UNDERLINE);
		t->key[t->n] = k;
		t->field[t->n] = one;
		face_form_fill(t, t->n);
		(void)mvaddstr(top + t->n, LABEL, flow_step[k].title);
		t->n++;
	}
	t->field[t->n] = NULL;
	t->form = new_form(t->field);
	t->window = derwin(stdscr, t->n > 0 ? t->n : 1, COLS, top, 0);
	if (t->form == NULL || t->window == NULL)
		err_bug("no memory for a form");
	(void)set_form_win(t->form, stdscr);
	(void)set_form_sub(t->form, t->window);
	(void)post_form(t->form);
	/* What it draws over the labels is theirs again. */
	for (int i = 0; i < t->n; i++)
		(void)mvaddstr(top + i, LABEL, step_at(t, i)->title);
}

void
face_form_close(struct tui *t)
{
	if (t->form == NULL)
		return;
	(void)unpost_form(t->form);
	(void)free_form(t->form);
	for (int i = 0; i < t->n; i++)
		(void)free_field(t->field[i]);
	(void)delwin(t->window);
	t->form = NULL;
	t->n = 0;
}

void
face_form_focus(struct tui *t, int i)
{
	if (i < 0 || i >= t->n)
		i = 0;
	t->at = i;
	t->fresh = true;
	(void)set_current_field(t->form, t->field[i]);
	(void)form_driver(t->form, REQ_BEG_FIELD);
	face_screen_help(step_at(t, i)->help);
	(void)pos_form_cursor(t->form);
}

int
face_form_column(const struct tui *t)
{
	return t->fresh ? -1 : t->form->curcol;
}

void
face_form_resume(struct tui *t, int column)
{
	int rc = E_OK;

	t->fresh = column < 0;
	while (rc == E_OK && face_form_column(t) < column)
		rc = form_driver(t->form, REQ_NEXT_CHAR);
	(void)pos_form_cursor(t->form);
}

int
face_form_first(const struct tui *t)
{
	for (int i = 0; i < t->n; i++)
		if (flow_missing(t->f, t->key[i]))
			return i;
	return 0;
}

/* What nobody touched goes on following from other answers. */
static bool
face_form_touched(struct tui *t, int i)
{
	return step_at(t, i)->kind != FLOW_PASSWORD_KIND &&
	    !str_eq(face_form_content(t, i), t->shown[i]);
}

/* The next choice, the one before, or the next with that letter. */
static void
face_form_choose(struct tui *t, int by, wint_t letter)
{
	struct str rest = str_of(step_at(t, t->at)->choices), v[8];
	struct str now = face_form_content(t, t->at);
	int n = 0, at = 0;
	bool more = true;

	while (more && n < 8) {
		more = str_cut(rest, '|', &v[n], &rest);
		if (str_eq(v[n], now))
			at = n;
		n++;
	}
	for (int i = 0; i < n; i++) {
		at = (at + by + n) % n;
		if (letter == 0 ||
		    towlower(letter) ==
			(wint_t)tolower((unsigned char)v[at].p[0]))
			break;
	}
	(void)set_field_buffer(t->field[t->at], 0, str_c(t->f->a, v[at]));
}

static void
face_form_type_secret(struct tui *t, wint_t key)
{
	char bytes[MB_LEN_MAX];
	mbstate_t st = { 0 };
	size_t n = wcrtomb(bytes, (wchar_t)key, &st);

	if (n != (size_t)-1 && t->typed_n + n <= sizeof(t->typed)) {
		memcpy(t->typed + t->typed_n, bytes, n);
		t->typed_n += n;
	}
	secret_wipe(bytes, sizeof(bytes));
}

/* The last character, however many bytes it has. */
static void
face_form_rub_secret(struct tui *t)
{
	bool more = t->typed_n > 0;

	while (more) {
		more = ((unsigned char)t->typed[--t->typed_n] & 0xc0) == 0x80 &&
		    t->typed_n > 0;
		t->typed[t->typed_n] = 0;
	}
}

static bool
is_rub(bool special, wint_t key)
{
	return special ? key == KEY_BACKSPACE : key == RUBOUT || key == CTRL_H;
}

static void
face_form_secret_key(struct tui *t, bool special, wint_t key)
{
	if (is_rub(special, key)) {
		face_form_rub_secret(t);
	} else if (!special && key == CTRL_U) {
		secret_wipe(t->typed, sizeof(t->typed));
		t->typed_n = 0;
	} else if (!special && iswprint(key)) {
		face_form_type_secret(t, key);
	}
	face_form_show_stars(t, t->at);
	(void)form_driver(t->form, REQ_END_FIELD);
}

static void
face_form_choice_key(struct tui *t, bool special, wint_t key)
{
	if (special && key == KEY_LEFT)
		face_form_choose(t, -1, 0);
	else if ((special && key == KEY_RIGHT) || (!special && key == ' '))
		face_form_choose(t, 1, 0);
	else if (!special && iswalpha(key))
		face_form_choose(t, 1, key);
}

static void
face_form_text_key(struct tui *t, bool special, wint_t key)
{
	static const struct {
		bool special;
		wint_t key;
		int request;
	} map[] = {
		{ true, KEY_LEFT, REQ_PREV_CHAR },
		{ true, KEY_RIGHT, REQ_NEXT_CHAR },
		{ true, KEY_HOME, REQ_BEG_FIELD },
		{ true, KEY_END, REQ_END_FIELD },
		{ true, KEY_DC, REQ_DEL_CHAR },
		{ false, CTRL_A, REQ_BEG_FIELD },
		{ false, CTRL_E, REQ_END_FIELD },
		{ false, CTRL_U, REQ_CLR_FIELD },
	};

	if (is_rub(special, key)) {
		(void)form_driver(t->form, REQ_DEL_PREV);
		return;
	}
	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].special == special && map[i].key == key)
			(void)form_driver(t->form, map[i].request);
	if (!special && iswprint(key)) {
		if (t->fresh)
			(void)form_driver(t->form, REQ_CLR_FIELD);
		(void)form_driver_w(t->form, OK, (wchar_t)key);
	}
}

static void
face_form_field_key(struct tui *t, bool special, wint_t key)
{
	if (step_at(t, t->at)->kind == FLOW_PASSWORD_KIND)
		face_form_secret_key(t, special, key);
	else if (step_at(t, t->at)->choices != NULL)
		face_form_choice_key(t, special, key);
	else
		face_form_text_key(t, special, key);
	/* Now: a window made smaller loses what was only on it. */
	(void)form_driver(t->form, REQ_VALIDATION);
	t->fresh = false;
}

void
face_form_key(struct tui *t, bool special, wint_t key)
{
	if (special && (key == KEY_DOWN || key == KEY_UP || key == KEY_BTAB)) {
		int by = key == KEY_DOWN ? 1 : -1;

		face_form_focus(t, (t->at + by + t->n) % t->n);
	} else if (!special && key == '\t') {
		face_form_focus(t, (t->at + 1) % t->n);
	} else {
		face_form_field_key(t, special, key);
	}
	(void)pos_form_cursor(t->form);
}

void
face_form_keep(struct tui *t)
{
	for (int i = 0; i < t->n; i++) {
		enum flow_key k = t->key[i];

		if (!face_form_touched(t, i))
			continue;
		t->f->value[k] = face_form_content(t, i);
		t->f->set[k] = true;
	}
}

static void
face_form_take_secret(struct tui *t)
{
	if (t->typed_n == 0)
		return;
	flow_put_password(t->f, secret_new(t->typed, t->typed_n));
	secret_wipe(t->typed, sizeof(t->typed));
	t->typed_n = 0;
}

int
face_form_take(struct tui *t, struct err *why)
{
	for (int i = 0; i < t->n; i++) {
		enum flow_key k = t->key[i];
		struct str v = face_form_touched(t, i) ? face_form_content(t, i)
						       : flow_get(t->f, k);

		/* Also what was kept without being looked at. */
		if (step_at(t, i)->kind == FLOW_PASSWORD_KIND) {
			face_form_take_secret(t);
		} else if ((face_form_touched(t, i) || t->f->set[k]) &&
		    flow_put(t->f, k, v, why) < 0) {
			face_form_keep(t);
			return i;
		}
	}
	return -1;
}
