/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen: opened so that every failure leads to plain prompts, and left
 * empty, so that neither the scrollback nor another screen keeps a key.
 */
#include "base/utf8.h"
#include "door/form/face_terminal.h"
#include "door/form/face_tui.h"
#include "door/out.h"

#include <term.h>

enum {
	MARGIN = 2
};

/* newterm(3X) takes terminals that cannot be drawn on, dumb ones among them. */
static bool
face_screen_can_draw(const char *type)
{
	int rc = 0;
	bool good;

	if (setupterm(type, STDOUT_FILENO, &rc) != OK)
		return false;
	good = tigetstr("cup") != NULL && tigetstr("clear") != NULL;
	(void)del_curterm(cur_term);
	return good;
}

/* Never initscr(3X), which ends the process when it fails. */
static SCREEN *
face_screen_start(void)
{
	const char *type = face_terminal_begin();
	SCREEN *s = NULL;

	if (face_screen_can_draw(type))
		s = newterm(type, stdout, stdin);
	face_terminal_end();
	return s;
}

bool
face_screen_open(struct tui *t)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	t->screen = face_screen_start();
	if (t->screen == NULL)
		return false;
	/* Interrupts come as keys, so that nothing is left half done. */
	(void)raw();
	(void)noecho();
	(void)nonl();
	(void)keypad(stdscr, TRUE);
	(void)set_escdelay(100);
	return true;
}

void
face_screen_blot(void)
{
	for (int row = 0; row < LINES; row++)
		(void)mvhline(row, 0, '.', COLS);
	(void)wrefresh(stdscr);
	(void)werase(stdscr);
	(void)wrefresh(stdscr);
}

void
face_screen_close(struct tui *t)
{
	(void)werase(stdscr);
	(void)wrefresh(stdscr);
	(void)endwin();
	delscreen(t->screen);
	t->screen = NULL;
}

bool
face_screen_small(void)
{
	return LINES < FACE_LINES_MIN || COLS < FACE_COLUMNS_MIN;
}

/* The next line of at most `width` bytes, cut between words where it can be. */
static struct str
face_screen_next_line(struct str *rest, size_t width)
{
	struct str line, more;
	size_t n;

	(void)str_cut(*rest, '\n', &line, &more);
	if (line.n <= width) {
		*rest = more;
		return line;
	}
	n = width;
	while (n > width / 2 && line.p[n] != ' ')
		n--;
	if (line.p[n] != ' ')
		n = utf8_first(line, width).n;
	line.n = n;
	*rest = str_from(*rest, n);
	while (rest->n > 0 && rest->p[0] == ' ')
		*rest = str_from(*rest, 1);
	return line;
}

static void
face_screen_put(int row, int col, struct str s)
{
	if (row < LINES)
		(void)mvaddnstr(row, col, s.p != NULL ? s.p : "", (int)s.n);
}

/* At most `room` lines from the t->scroll-th on; the row behind them. */
static int
face_screen_put_text(struct tui *t, struct str text, int row, int room)
{
	size_t width = (size_t)(COLS - 2 * MARGIN);
	int i = 0, shown = 0;

	while (text.n > 0) {
		struct str line = face_screen_next_line(&text, width);

		if (i++ < t->scroll)
			continue;
		if (shown == room) {
			face_screen_put(row + room - 1, COLS - 12,
			    S(" PgDn: more"));
			break;
		}
		face_screen_put(row + shown++, MARGIN, line);
	}
	if (shown == 0 && t->scroll > 0)
		t->scroll = 0;
	return row + shown;
}

static int
face_screen_put_key(struct str plain, void *ctx)
{
	int *row = ctx;

	face_screen_put(*row, MARGIN + 18, plain);
	return 0;
}

static int
face_screen_put_keys(struct tui *t, int row)
{
	const struct secret *key;
	const char *name;

	row++;
	for (size_t i = 0; (key = flow_text_key(t->f, i, &name)) != NULL; i++) {
		face_screen_put(row, MARGIN, str_of(name));
		(void)attron(A_BOLD);
		(void)secret_lend(key, face_screen_put_key, &row);
		(void)attroff(A_BOLD);
		row++;
	}
	return row;
}

static int
face_screen_put_why(struct tui *t, const struct err *why, int row)
{
	struct str say = out_line(t->f->a, str_of(why->say));
	size_t width = (size_t)(COLS - 2 * MARGIN);

	if (why->kind == ERR_NONE)
		return row;
	(void)attron(A_BOLD);
	while (say.n > 0 && row < LINES)
		face_screen_put(row++, MARGIN,
		    face_screen_next_line(&say, width));
	(void)attroff(A_BOLD);
	return row + 1;
}

static void
face_screen_put_title(enum flow_page at)
{
	(void)attron(A_REVERSE);
	(void)mvhline(0, 0, ' ', COLS);
	face_screen_put(0, MARGIN, str_of(flow_text_title(at)));
	(void)attroff(A_REVERSE);
}

int
face_screen_draw(struct tui *t, enum flow_page at, const struct err *why,
    int fields, const char *legend)
{
	int row, room;

	(void)werase(stdscr);
	if (face_screen_small()) {
		face_screen_put(0, 0, S("The window is too small."));
		return 0;
	}
	face_screen_put_title(at);
	row = face_screen_put_why(t, why, 2);
	/* Keys, fields, help and legend, with lines between. */
	room = LINES - row - fields - 5 - (at == FLOW_PAGE_SHOW ? 4 : 0);
	row = face_screen_put_text(t, flow_text(t->f, at), row,
	    room < 1 ? 1 : room);
	if (at == FLOW_PAGE_SHOW)
		row = face_screen_put_keys(t, row);
	face_screen_put(LINES - 1, MARGIN,
	    utf8_first(str_of(legend), (size_t)(COLS - 2 * MARGIN)));
	return row > 2 ? row + 1 : row;
}

void
face_screen_help(const char *help)
{
	struct str rest = str_of(help);

	for (int row = LINES - 4; row < LINES - 1; row++) {
		(void)mvhline(row, 0, ' ', COLS);
		face_screen_put(row, MARGIN,
		    face_screen_next_line(&rest, (size_t)(COLS - 2 * MARGIN)));
	}
}
