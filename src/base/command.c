/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that the operator names.  Root runs none that others could have
 * written, nor one that it would have to look for; the same holds for what the
 * arguments name, since an interpreter runs that.
 */
#include "base/command.h"

#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"

static const char command_blanks[] = " \t";

const char command_hint[] =
    "no shell runs it: name a program and its arguments, and put the rest into "
    "a script";

const char command_dir[] = "/";

bool
command_word(const char **at, struct str *word)
{
	*at += strspn(*at, command_blanks);
	*word = (struct str){ *at, strcspn(*at, command_blanks) };
	*at += word->n;
	return word->n > 0;
}

int
command_split(const char *what, char *line, char *argv[COMMAND_WORDS + 1],
    struct err *e)
{
	size_t n = 0;

	for (line += strspn(line, command_blanks); *line != '\0';
	     line += strspn(line, command_blanks)) {
		if (n == COMMAND_WORDS) {
			(void)err_set(e, ERR_CONFIG,
			    "%s has more than %d words", what, COMMAND_WORDS);
			return err_hint(e, command_hint);
		}
		argv[n++] = line;
		line += strcspn(line, command_blanks);
		if (*line != '\0')
			*line++ = '\0';
	}
	argv[n] = NULL;
	if (n > 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "%s names no program", what);
	return err_hint(e, command_hint);
}

/* Nothing is there, and only root and the user can put something there. */
static bool
command_trust_none(const char *path, const char *apart, uint32_t user,
    struct arena *a)
{
	char *at = str_c(a, str_of(path)), *slash;
	struct str why;
	struct stat st;

	while (lstat(at, &st) < 0) {
		slash = strrchr(at, '/');
		if (slash == at && at[1] == '\0')
			return false;
		slash[slash == at] = '\0';
	}
	/* In a folder such as /tmp each may. */
	return strcmp(at, path) != 0 && S_ISDIR(st.st_mode) &&
	    path_trust_is(&st, user) &&
	    path_trust_apart(at, apart, user, a, &why) == 0;
}

/* Its program, or an argument, which may be what the program runs. */
static int
command_trust_path(const char *what, struct str word, bool first,
    const char *apart, uint32_t user, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const char *path = str_c(a, word);
	struct str why = { 0 };

	if (path_trust_apart(path, apart, user, a, &why) == 0 ||
	    (!first && command_trust_none(path, apart, user, a)))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "%s of %s is missing, or others than %s can change it",
	    first ? "the program" : "what an argument names", what,
	    user == 0 ? "root" : "root and the user that runs it");
	(void)err_because(e, "%.*s", STR_ARG(why));
	return err_hint(e,
	    "install it where only root can write, such as /usr/local/bin");
}

static int
command_trust_word(const char *what, struct str word, bool first,
    const char *apart, uint32_t user, struct err *e)
{
	if (str_starts(word, S("/")))
		return command_trust_path(what, word, first, apart, user, e);
	if (!first && !str_starts(word, S("./")) && !str_starts(word, S("../")))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    first ? "%s does not begin with the whole path of its program"
		  : "an argument of %s is a path from wherever emcli is run",
	    what);
	return err_hint(e,
	    "root and the broker do not look for a program: write where it is, "
	    "such as /usr/bin/pass");
}

int
command_trust(const char *what, const char *line, const char *apart,
    uint32_t user, struct err *e)
{
	const char *at = line;
	bool first = true;
	struct str word;

	while (command_word(&at, &word) || first) {
		if (command_trust_word(what, word, first, apart, user, e) < 0)
			return -1;
		first = false;
	}
	return 0;
}
