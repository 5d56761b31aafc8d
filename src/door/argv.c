/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small parser: getopt_long(3) accepts --acc for --account and reorders
 * words, and both would let a mistyped call do something.
 */
#include "door/argv.h"

#include "base/limits.h"
#include "base/near.h"
#include "base/path.h"
#include "door/out.h"

/* The position in the command line. */
struct reader {
	int argc;
	char **argv;
	int next;
	struct arena *a;
	struct args *out;
	const struct arg_spec *last; /* the option before this word, or NULL */
};

struct str
argv_spell(struct arena *a, const char *name)
{
	char *p = str_c(a, str_of(name));

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == '_')
			p[i] = '-';
	return str_of(p);
}

struct str
argv_spell_upper(struct arena *a, const char *name)
{
	char *p = str_c(a, argv_spell(a, name));

	for (size_t i = 0; p[i] != '\0'; i++)
		p[i] = (char)toupper((unsigned char)p[i]);
	return str_of(p);
}

/* "-" alone is a word: it names standard input. */
static bool
is_option(struct str word)
{
	return word.n > 1 && word.p[0] == '-';
}

/* The option of that name (without "--"); *file for --NAME-file. */
static struct arg *
argv_find(const struct reader *r, struct str name, bool *file)
{
	struct arg *arg = args_find(r->out, name);

	*file = false;
	if (str_has_char(name, '_'))
		return NULL;
	if (arg != NULL)
		return arg->spec->flags & ARG_POSITIONAL ? NULL : arg;
	if (!str_ends(name, S("-file")))
		return NULL;
	arg = args_find(r->out, str_first(name, name.n - 5));
	if (arg == NULL || arg->spec->type != ARG_LONG_TEXT)
		return NULL;
	*file = true;
	return arg;
}

/* Is a word in the place of a value the name of one of our options? */
static bool
argv_is_known(const struct reader *r, struct str word)
{
	struct str name, value;
	bool file;

	if (!str_starts(word, S("--")))
		return false;
	(void)str_cut(str_from(word, 2), '=', &name, &value);
	return str_eq(name, S("help")) || argv_find(r, name, &file) != NULL;
}

static int
argv_unknown(const struct reader *r, struct str name, struct err *e)
{
	struct strs known = { 0 };
	struct str best;

	for (size_t i = 0; i < r->out->n; i++) {
		const struct arg_spec *s = r->out->v[i].spec;
		struct str spelt = argv_spell(r->a, s->name);

		if (s->flags & ARG_POSITIONAL)
			continue;
		str_push(r->a, &known, spelt);
		if (s->type == ARG_LONG_TEXT)
			str_push(r->a, &known,
			    str_fmt(r->a, "%s-file", spelt.p));
	}
	best = near_pick(name, &known);
	name = out_quote(r->a, str_fmt(r->a, "--%.*s", STR_ARG(name)));
	if (best.n > 0)
		return err_set(e, ERR_USAGE,
		    "unknown option %.*s: did you mean --%.*s?", STR_ARG(name),
		    STR_ARG(best));
	return err_set(e, ERR_USAGE, "unknown option %.*s", STR_ARG(name));
}

static int
argv_add(const struct reader *r, struct arg *arg, bool file, struct str value,
    struct err *e)
{
	if (arg->text.n > 0 && !(arg->spec->flags & ARG_MANY))
		return err_set(e, ERR_USAGE, "%s is given twice", arg->shown);
	/* The gate opens other files: there are rules about them. */
	if (file && str_eq(value, S("-"))) {
		file = false;
		if (path_read(STDIN_FILENO, LIMIT_ARGV, r->a, &value, e) < 0)
			return -1;
	}
	arg->file = file;
	return args_add(r->out, r->a, arg, value, e);
}

static int
argv_missing(const struct reader *r, struct str spelt, struct err *e)
{
	struct str word;

	if (r->next >= r->argc)
		return err_set(e, ERR_USAGE, "--%.*s needs a value",
		    STR_ARG(spelt));
	word = out_quote(r->a, str_of(r->argv[r->next]));
	return err_set(e, ERR_USAGE,
	    "--%.*s needs a value; if %.*s is meant, put \"=\" before it",
	    STR_ARG(spelt), STR_ARG(word));
}

/* "--name", "--name=value": the word before r->next. */
static int
argv_read_option(struct reader *r, struct str word, struct err *e)
{
	struct str name, value;
	bool joined = str_cut(str_from(word, 2), '=', &name, &value);
	bool file;
	struct arg *arg = argv_find(r, name, &file);

	if (arg == NULL)
		return argv_unknown(r, name, e);
	r->last = arg->spec;
	if (arg->spec->type == ARG_FLAG) {
		if (joined)
			return err_set(e, ERR_USAGE, "--%.*s takes no value",
			    STR_ARG(name));
		return argv_add(r, arg, false, S("true"), e);
	}
	if (!joined) {
		if (r->next >= r->argc ||
		    argv_is_known(r, str_of(r->argv[r->next])))
			return argv_missing(r, name, e);
		value = str_of(r->argv[r->next++]);
	}
	if (argv_add(r, arg, file, value, e) < 0)
		return -1;
	if (joined || !(arg->spec->flags & ARG_MANY))
		return 0;
	while (r->next < r->argc && !is_option(str_of(r->argv[r->next])))
		if (argv_add(r, arg, file, str_of(r->argv[r->next++]), e) < 0)
			return -1;
	return 0;
}

/* A word that follows no option: the next positional argument with room. */
static int
argv_read_word(struct reader *r, struct str word, struct err *e)
{
	struct str q = out_quote(r->a, word);

	for (size_t i = 0; i < r->out->n; i++) {
		struct arg *arg = &r->out->v[i];
		unsigned flags = arg->spec->flags;

		if (!(flags & ARG_POSITIONAL))
			continue;
		if (arg->text.n == 0 || flags & ARG_MANY)
			return args_add(r->out, r->a, arg, word, e);
	}
	if (r->last == NULL)
		return err_set(e, ERR_USAGE, "unexpected word %.*s",
		    STR_ARG(q));
	return err_set(e, ERR_USAGE, "unexpected word %.*s: --%.*s takes %s",
	    STR_ARG(q), STR_ARG(argv_spell(r->a, r->last->name)),
	    r->last->type == ARG_FLAG ? "no value"
				      : "one value, quoted as one word");
}

static int
argv_read_all(struct reader *r, bool *help, struct err *e)
{
	bool words_only = false;

	while (r->next < r->argc) {
		struct str word = str_of(r->argv[r->next++]);
		int res;

		if (words_only || !is_option(word)) {
			res = argv_read_word(r, word, e);
		} else if (str_eq(word, S("--help")) || str_eq(word, S("-h"))) {
			*help = true;
			return 0;
		} else if (str_eq(word, S("--"))) {
			words_only = true;
			res = 0;
		} else if (!str_starts(word, S("--"))) {
			res = err_set(e, ERR_USAGE,
			    "unknown option %.*s: options begin with --",
			    STR_ARG(out_quote(r->a, word)));
		} else {
			res = argv_read_option(r, word, e);
		}
		if (res < 0)
			return -1;
	}
	return 0;
}

/* Errors from below name options as they are typed. */
void
argv_spell_all(struct args *args, struct arena *a)
{
	for (size_t i = 0; i < args->n; i++) {
		struct arg *arg = &args->v[i];
		bool option = !(arg->spec->flags & ARG_POSITIONAL);
		struct str name = argv_spell(a, arg->spec->name);

		arg->shown =
		    str_fmt(a, "%s%.*s", option ? "--" : "", STR_ARG(name)).p;
	}
}

int
argv_parse(const struct arg_spec *table, int argc, char **argv, struct arena *a,
    struct args *out, bool *help, struct err *e)
{
	struct reader r = { .argc = argc, .argv = argv, .a = a, .out = out };
	size_t total = 0;

	args_init(out, table, a);
	argv_spell_all(out, a);
	*help = false;
	for (int i = 0; i < argc; i++) {
		total += str_of(argv[i]).n;
		if (total > LIMIT_ARGV)
			return err_set(e, ERR_LIMIT,
			    "the command line is longer than %lu bytes",
			    LIMIT_ARGV);
	}
	return argv_read_all(&r, help, e);
}
