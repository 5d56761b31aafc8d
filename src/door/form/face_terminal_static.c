/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminals of this machine, and those that are built in.  No locale is
 * set: for a charset that is not UTF-8 the C library would load a converter,
 * and face_wide_static.c knows no other charset.
 */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "door/form/face_terminal.h"

#include <term.h>

/* TERMINFO is ours. */
static bool terminal_built_in;

/* Does this machine know the terminal? */
static bool
face_terminal_known(void)
{
	int rc = 0;

	if (setupterm(NULL, STDOUT_FILENO, &rc) != OK)
		return false;
	(void)del_curterm(cur_term);
	return true;
}

static const struct face_terminal *
face_terminal_named(const char *name)
{
	const struct face_terminal *t = terminals_all;

	while (t->name != NULL && strcmp(t->name, name) != 0)
		t++;
	return t->name != NULL ? t : NULL;
}

/* Terminals that do what another does, by how their names begin. */
static const struct face_terminal *
face_terminal_like(const char *name)
{
	static const char *const like[][2] = {
		{ "alacritty", "xterm-256color" },
		{ "contour", "xterm-256color" },
		{ "foot", "xterm-256color" },
		{ "ghostty", "xterm-256color" },
		{ "gnome", "xterm-256color" },
		{ "kitty", "xterm-256color" },
		{ "konsole", "xterm-256color" },
		{ "linux", "linux" },
		{ "rxvt", "rxvt-unicode-256color" },
		{ "screen", "screen-256color" },
		{ "st-", "xterm-256color" },
		{ "tmux", "tmux-256color" },
		{ "vt", "vt100" },
		{ "wezterm", "xterm-256color" },
		{ "xterm", "xterm-256color" },
	};

	for (size_t i = 0; i < sizeof(like) / sizeof(like[0]); i++)
		if (strncmp(name, like[i][0], strlen(like[i][0])) == 0)
			return face_terminal_named(like[i][1]);
	return NULL;
}

const char *
face_terminal_begin(void)
{
	const struct face_terminal *t;
	const char *name = getenv("TERM");

	if (name == NULL || face_terminal_known())
		return NULL;
	t = face_terminal_named(name);
	if (t == NULL)
		t = face_terminal_like(name);
	if (t == NULL || setenv("TERMINFO", t->entry, 1) < 0)
		return NULL;
	terminal_built_in = true;
	return t->name;
}

/* What was in it before was of no use. */
void
face_terminal_end(void)
{
	if (terminal_built_in)
		(void)unsetenv("TERMINFO");
	terminal_built_in = false;
}
