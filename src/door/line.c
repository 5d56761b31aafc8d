/* A command line: its words, and what is said if no command begins so. */
#include "door/line.h"

#include "base/limits.h"
#include "base/near.h"
#include "door/internal.h"
#include "door/out.h"

bool
line_is_word(const struct line *l, const char *word, const char *option)
{
	return l->argc > 0 &&
	    (str_eq(str_of(l->argv[0]), str_of(word)) ||
		(option != NULL && str_eq(str_of(l->argv[0]), str_of(option))));
}

struct str
line_join(const struct line *l, int n)
{
	struct buf b;

	buf_init(&b, l->a, LIMIT_ARGV);
	for (int i = 0; i < n && i < l->argc; i++) {
		if (i > 0)
			buf_char(&b, ' ');
		buf_text(&b, l->argv[i]);
	}
	return buf_view(&b);
}

/* How many words of the line begin a command? */
static int
line_known_words(const struct line *l, const struct strs *all)
{
	int n = 0;

	while (n < l->argc && n < LINE_WORDS) {
		struct strs next = { 0 };

		words_next(l->a, all, line_join(l, n), &next);
		if (!str_among(&next, str_of(l->argv[n])))
			break;
		n++;
	}
	return n;
}

int
line_unknown(const struct line *l, struct err *e)
{
	struct strs all = { 0 }, next = { 0 };
	struct str head, word, best;
	int n;

	words_all(l->a, &all);
	n = line_known_words(l, &all);
	head = line_join(l, n);
	words_next(l->a, &all, head, &next);
	if (n > 0)
		head = str_fmt(l->a, "%.*s ", STR_ARG(head));
	if (n >= l->argc) {
		(void)err_set(e, ERR_USAGE,
		    "%.*sneeds another word: see emcli help %.*s",
		    STR_ARG(head), STR_ARG(str_trim(head)));
		out_complain(e, false);
		return 2;
	}
	word = str_of(l->argv[n]);
	best = near_pick(word, &next);
	word = out_quote(l->a, word);
	if (best.n > 0)
		(void)err_set(e, ERR_USAGE,
		    "unknown command %.*s: did you mean emcli %.*s%.*s?",
		    STR_ARG(word), STR_ARG(head), STR_ARG(best));
	else
		(void)err_set(e, ERR_USAGE,
		    "unknown command %.*s: see emcli help", STR_ARG(word));
	return -1;
}
