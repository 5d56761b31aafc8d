/* SPDX-License-Identifier: Apache-2.0 */
/* The flow as forms on the whole screen; a page of questions is a form. */
#include "door/form/face_tui.h"

#include <errno.h>
#include <poll.h>

#define ESCAPE 27
#define CTRL_C 3
#define CTRL_L 12

static const char legend[] = "Enter: on  Tab: next field  Space: other "
			     "choice  Esc: back  Ctrl-C: give up";
static const char waiting[] = "Esc: back   Ctrl-C: give up";

static int
open_tui(void **ctx, struct flow *f, struct err *e)
{
	struct tui *t = calloc(1, sizeof(*t));

	if (t == NULL)
		err_bug("out of memory");
	t->f = f;
	if (!face_screen_open(t)) {
		free(t);
		return err_set(e, ERR_UNSUPPORTED,
		    "the terminal cannot show forms");
	}
	*ctx = t;
	return 0;
}

static void
close_tui(void *ctx)
{
	struct tui *t = ctx;

	if (t == NULL)
		return;
	secret_wipe(t->typed, sizeof(t->typed));
	face_screen_close(t);
	free(t);
}

/* Draws the page and its form again, for whatever size the screen has now. */
static void
face_tui_draw(struct tui *t, enum flow_page at, const struct err *why,
    int focus, int column)
{
	int n = face_form_count(t->f, at);
	int top = face_screen_draw(t, at, why, n, legend);

	if (!face_screen_small()) {
		/* Whatever else there is to say, questions have to fit. */
		if (top + n > LINES - 4)
			top = LINES - 4 - n;
		face_form_open(t, at, top < 1 ? 1 : top);
		face_form_focus(t, focus < 0 ? face_form_first(t) : focus);
		face_form_resume(t, column);
	}
	(void)wrefresh(stdscr);
}

enum outcome {
	NOTHING, /* a key for the form */
	SUBMIT,
	BACK,
	QUIT,
	REDRAW,
};

static enum outcome
face_tui_meaning(struct tui *t, int kind, wint_t key)
{
	if (kind == ERR)
		return errno == EINTR ? REDRAW : QUIT;
	if (kind == KEY_CODE_YES) {
		if (key == KEY_ENTER)
			return SUBMIT;
		if (key == KEY_NPAGE || key == KEY_PPAGE) {
			t->scroll += key == KEY_NPAGE ? LINES / 2 : -LINES / 2;
			if (t->scroll < 0)
				t->scroll = 0;
			return REDRAW;
		}
		return key == KEY_RESIZE ? REDRAW : NOTHING;
	}
	switch (key) {
	case '\r':
	case '\n':
		return SUBMIT;
	case ESCAPE:
		return BACK;
	case CTRL_C:
		return QUIT;
	case CTRL_L:
		(void)clearok(stdscr, TRUE);
		return REDRAW;
	default:
		return NOTHING;
	}
}

/* One form until it is left; `focus` is the field to be in next time. */
static enum outcome
face_tui_run_form(struct tui *t, int *focus)
{
	for (;;) {
		wint_t key = 0;
		int kind;
		enum outcome o;

		errno = 0;
		kind = get_wch(&key);
		o = face_tui_meaning(t, kind, key);
		if (face_screen_small() && o == SUBMIT)
			continue;
		*focus = t->at;
		if (o != NOTHING)
			return o;
		if (t->form != NULL) {
			face_form_key(t, kind == KEY_CODE_YES, key);
			(void)wrefresh(stdscr);
		}
	}
}

static enum flow_go
face_tui_ask(void *ctx, struct flow *f, enum flow_page at, struct err *e)
{
	struct tui *t = ctx;
	struct err why = f->why;
	enum outcome o = REDRAW;
	int focus = -1, column = -1;

	t->scroll = 0;
	while (o == REDRAW || o == SUBMIT) {
		face_tui_draw(t, at, &why, focus, column);
		o = face_tui_run_form(t, &focus);
		if (o == REDRAW && t->form != NULL) {
			face_form_keep(t);
			column = face_form_column(t);
		}
		if (o == SUBMIT) {
			column = -1;
			why = (struct err){ 0 };
			focus = face_form_take(t, &why);
		}
		face_form_close(t);
		if (o != SUBMIT || focus >= 0)
			continue;
		if (flow_run_settle(f, at, &why) == 0)
			break;
		if (why.kind != ERR_USAGE) {
			*e = why;
			return FLOW_GO_FAIL;
		}
	}
	secret_wipe(t->typed, sizeof(t->typed));
	t->typed_n = 0;
	if (at == FLOW_PAGE_SHOW)
		face_screen_blot();
	if (o == BACK)
		return FLOW_GO_BACK;
	return o == QUIT ? FLOW_GO_QUIT : FLOW_GO_ON;
}

static void
face_tui_draw_lines(struct tui *t, enum flow_page at, const struct probes *p)
{
	const struct err none = { 0 };
	int row = face_screen_draw(t, at, &none, 0, waiting);
	size_t room = (size_t)(LINES - 4), from = p->n > room ? p->n - room : 0;

	if (!face_screen_small())
		for (size_t i = from; i < p->n; i++) {
			struct str line = flow_text_probe(t->f->a, &p->v[i]);

			(void)mvaddnstr(row++, 2, line.p,
			    line.n < (size_t)COLS - 4 ? (int)line.n : COLS - 4);
		}
	(void)move(row, 2);
	(void)wrefresh(stdscr);
}

/* A key while a test runs; NOTHING for those that say nothing. */
static enum outcome
face_tui_peek_key(struct tui *t)
{
	wint_t key = 0;
	enum outcome o = NOTHING;
	int kind;

	(void)nodelay(stdscr, TRUE);
	while (o == NOTHING && (kind = get_wch(&key)) != ERR)
		o = face_tui_meaning(t, kind, key);
	(void)nodelay(stdscr, FALSE);
	return o;
}

static enum flow_go
face_tui_watch(void *ctx, struct flow *f, enum flow_page at,
    struct flow_watch *w)
{
	struct tui *t = ctx;
	bool more = true;

	(void)f;
	while (more) {
		struct pollfd p[2] = {
			{ .fd = w->fd, .events = POLLIN },
			{ .fd = STDIN_FILENO, .events = POLLIN },
		};
		enum outcome o;

		face_tui_draw_lines(t, at, w->probes);
		if (poll(p, 2, -1) < 0)
			p[0].revents = 0; /* a signal: the window's size */
		o = (p[1].revents & (POLLHUP | POLLERR)) != 0
		    ? QUIT
		    : face_tui_peek_key(t);
		if (o == BACK)
			return FLOW_GO_BACK;
		if (o == QUIT)
			return FLOW_GO_QUIT;
		if (p[0].revents != 0)
			more = w->read(w);
	}
	return FLOW_GO_ON;
}

const struct flow_face face_tui = { open_tui, face_tui_ask, face_tui_watch,
	close_tui };
