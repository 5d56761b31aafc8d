/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the catalogue of skills: tools/skillgen FILE... > skills.c, from the
 * top folder, the files being skills/NAME/SKILL.md and what lies beside them.
 * Operations, commands, error codes and warnings stand in them as markers, and
 * come from the program's own tables: what a skill says cannot drift from what
 * is there. Refuses what is no valid skill, and an operation of a skill that is
 * none.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "door/argv.h"
#include "door/usage.h"
#include "net/sha256.h"
#include "op/op.h"
#include "skill/internal.h"

#include <errno.h>
#include <fcntl.h>

enum {
	SKILLS = 32,
	FILES = 32
};

/* The generator is linked with what looks for it, and has none yet. */
const struct skill skills_all[] = { { 0 } };
const struct skill skills_home[] = { { 0 } };

struct made {
	struct str name, file;
	struct skill_front front;
	struct str path[FILES], text[FILES];
	size_t files;
};

struct gen {
	struct arena *a;
	struct made v[SKILLS];
	size_t n;
	struct buf out;
	int texts;
};

_Noreturn static void
die(struct str path, const char *why)
{
	(void)fprintf(stderr, "%.*s: %s\n", STR_ARG(path), why);
	exit(1);
}

static struct str
load(struct gen *g, const char *path)
{
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct err e = { 0 };
	struct str text;

	if (fd < 0)
		die(str_of(path), strerror(errno));
	if (path_read(fd, LIMIT_SKILL, g->a, &text, &e) < 0)
		die(str_of(path), e.say);
	return text;
}

/* The first operation with that result: it is described once. */
static const struct op *
first_with_result(const struct op *op)
{
	size_t i = 0;

	while (op_table[i]->result != op->result)
		i++;
	return op_table[i];
}

/* Every operation takes it, so the text says so once. */
static bool
is_common(const struct arg_spec *s)
{
	return str_eq(str_of(s->name), S("lease"));
}

/* So of these members of the replies. */
static bool
is_common_member(const struct field *f)
{
	struct str name = str_of(f->name);

	return str_starts(name, S("warning")) ||
	    str_eq(name, S("resolution")) || str_eq(name, S("thread_id_kind"));
}

static void
put_op(struct buf *b, const struct op *op)
{
	const struct op *first = first_with_result(op);
	const char *gap = "";

	buf_fmt(b, "- `%s(", op->name);
	for (const struct arg_spec *s = op->args; s->name != NULL; s++) {
		if (is_common(s))
			continue;
		buf_fmt(b, "%s%s%s", gap, s->name,
		    s->flags & ARG_REQUIRED ? "" : "?");
		gap = ", ";
	}
	buf_fmt(b, ")`: %s. Answers", op->summary);
	if (first != op) {
		buf_fmt(b, " as `%s`.\n", first->name);
		return;
	}
	gap = " ";
	for (const struct field *f = op->result; f->name != NULL; f++) {
		if (is_common_member(f))
			continue;
		buf_fmt(b, "%s`%s`", gap, f->name);
		gap = ", ";
	}
	buf_text(b, ".\n");
}

static bool
is_of(const struct made *m, const struct op *op)
{
	return op->skill != NULL && !m->front.home &&
	    (m->front.whole || str_eq(str_of(op->skill), m->name));
}

static void
put_operations(const struct made *m, struct buf *b)
{
	size_t n = b->n;

	for (size_t i = 0; op_table[i] != NULL; i++)
		if (is_of(m, op_table[i]))
			put_op(b, op_table[i]);
	if (b->n == n)
		buf_text(b, "- There are none yet.\n");
}

/* As it is typed; a lease has a name of its own here. */
static void
put_command(struct buf *b, const struct op *op)
{
	struct str name = argv_spell(b->a, op->name);

	buf_fmt(b, "emcli %.*s", STR_ARG(name));
	for (const struct arg_spec *s = op->args; s->name != NULL; s++) {
		struct str arg = usage_arg(b->a, s);

		if (str_eq(str_of(s->name), S("lease")))
			arg = S("--lease LEASE");
		buf_fmt(b, " %.*s", STR_ARG(arg));
	}
	buf_char(b, '\n');
}

static void
put_commands(const struct made *m, struct buf *b)
{
	buf_fmt(b, "```sh\nemcli load-skill --skill %.*s\n", STR_ARG(m->name));
	for (size_t i = 0; op_table[i] != NULL; i++)
		if (is_of(m, op_table[i]))
			put_command(b, op_table[i]);
	buf_text(b, "```\n");
}

static void
put_errors(const struct made *m, struct buf *b)
{
	(void)m;
	buf_text(b, "| code | means | do |\n|---|---|---|\n");
	for (int k = ERR_NONE + 1; k < ERR_KINDS; k++)
		buf_fmt(b, "| `%s` | %s | %s |\n", err_code((enum err_kind)k),
		    err_means((enum err_kind)k), err_advice((enum err_kind)k));
}

static void
put_warnings(const struct made *m, struct buf *b)
{
	(void)m;
	buf_text(b, "| code | means |\n|---|---|\n");
	for (int i = 0; i < WARNINGS; i++)
		buf_fmt(b, "| `%s` | %s |\n", warning_table[i].code,
		    warning_table[i].help);
}

static const struct marker {
	struct str line;
	void (*put)(const struct made *m, struct buf *b);
} markers[] = {
	{ SI("<!-- operations -->"), put_operations },
	{ SI("<!-- commands -->"), put_commands },
	{ SI("<!-- errors -->"), put_errors },
	{ SI("<!-- warnings -->"), put_warnings },
};

/* The text with what its markers stand for. */
static struct str
expand(struct gen *g, const struct made *m, struct str text)
{
	struct str line;
	struct buf b;

	buf_init(&b, g->a, 4 * LIMIT_SKILL);
	while (text.n > 0) {
		bool done = false;

		(void)str_cut(text, '\n', &line, &text);
		for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]);
		     i++) {
			if (!str_eq(line, markers[i].line))
				continue;
			markers[i].put(m, &b);
			done = true;
		}
		if (!done)
			buf_fmt(&b, "%.*s\n", STR_ARG(line));
	}
	return buf_view(&b);
}

static struct made *
find(struct gen *g, struct str name)
{
	for (size_t i = 0; i < g->n; i++)
		if (str_eq(g->v[i].name, name))
			return &g->v[i];
	if (g->n == SKILLS)
		die(name, "too many skills");
	g->v[g->n].name = name;
	return &g->v[g->n++];
}

/* "skills/NAME/REST" */
static void
take(struct gen *g, const char *path)
{
	struct str top, name, rest = str_of(path), text = load(g, path);
	struct err e = { 0 };
	struct made *m;

	(void)str_cut(rest, '/', &top, &rest);
	(void)str_cut(rest, '/', &name, &rest);
	m = find(g, name);
	if (!str_eq(rest, S("SKILL.md"))) {
		if (m->files + 1 == FILES)
			die(str_of(path), "too many files");
		m->path[m->files] = rest;
		m->text[m->files++] = text;
		return;
	}
	/* Read as it is first, for what it says of itself. */
	if (skill_front_read(text, name, g->a, &m->front, &e) < 0)
		die(str_of(path), e.say);
	m->file = expand(g, m, text);
	if (skill_front_read(m->file, name, g->a, &m->front, &e) < 0)
		die(str_of(path), e.say);
	if (m->front.body.n > LIMIT_SKILL_BODY)
		die(str_of(path), "the text is too long for a model");
}

static int
by_name(const void *x, const void *y)
{
	const struct made *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

/* A literal. */
static void
put_quoted(struct buf *b, struct str s)
{
	buf_char(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '"' || c == '\\' || c == '?' || c < 0x20 || c > 0x7e)
			buf_fmt(b, "\\%03o", (unsigned)c);
		else
			buf_char(b, (char)c);
	}
	buf_char(b, '"');
}

/* Bytes rather than a literal, which may have 4095 of them. */
static int
put_text(struct gen *g, struct str s)
{
	buf_fmt(&g->out, "\nstatic const char text_%d[] = {", ++g->texts);
	for (size_t i = 0; i < s.n; i++)
		buf_fmt(&g->out, "%s%d,", i % 16 == 0 ? "\n" : "",
		    (int)(signed char)s.p[i]);
	buf_text(&g->out, "\n0\n};\n");
	return g->texts;
}

static void
put_digest(struct buf *b, struct str text)
{
	unsigned char hash[32];

	sha256_of(text, hash);
	buf_text(b, "\"sha256:");
	for (size_t i = 0; i < sizeof(hash); i++)
		buf_fmt(b, "%02x", (unsigned)hash[i]);
	buf_char(b, '"');
}

static void
put_lists(struct gen *g, const struct made *m, size_t k)
{
	int text[FILES];

	for (size_t i = 0; i < m->files; i++)
		text[i] = put_text(g, expand(g, m, m->text[i]));
	buf_fmt(&g->out, "\nstatic const struct skill_file files_%zu[] = {\n",
	    k);
	for (size_t i = 0; i < m->files; i++) {
		buf_text(&g->out, "	{ ");
		put_quoted(&g->out, m->path[i]);
		buf_fmt(&g->out, ", { text_%d, sizeof(text_%d) - 1 }, ",
		    text[i], text[i]);
		put_digest(&g->out, expand(g, m, m->text[i]));
		buf_text(&g->out, " },\n");
	}
	buf_fmt(&g->out,
	    "	{ 0 },\n};\n\nstatic const char *const ops_%zu[] = {\n", k);
	for (size_t i = 0; op_table[i] != NULL; i++)
		if (is_of(m, op_table[i]))
			buf_fmt(&g->out, "	\"%s\",\n", op_table[i]->name);
	buf_text(&g->out, "	NULL,\n};\n");
}

/* Is it of use only where mail may be marked and moved? */
static bool
organises(const struct made *m)
{
	bool any = false;

	for (size_t i = 0; op_table[i] != NULL; i++)
		any = any ||
		    (is_of(m, op_table[i]) &&
			op_table[i]->effect == EFFECT_ORGANISE);
	return any && !m->front.whole;
}

/* Is it of use only where something can be sent? */
static bool
submits(const struct made *m)
{
	bool all = true, any = false;

	for (size_t i = 0; op_table[i] != NULL; i++) {
		if (!is_of(m, op_table[i]))
			continue;
		any = true;
		all = all && (op_table[i]->needs & NEED_SUBMIT);
	}
	return any && all;
}

static void
put_skill(struct gen *g, const struct made *m, size_t k, struct buf *row)
{
	/* The body ends where the file does, but for the last line's end. */
	size_t at = (size_t)(m->front.body.p - m->file.p);
	int text = put_text(g, m->file);

	put_lists(g, m, k);
	buf_text(row, "	{ ");
	put_quoted(row, m->name);
	buf_text(row, ", ");
	put_quoted(row, m->front.label);
	buf_text(row, ",\n	    ");
	put_quoted(row, m->front.description);
	buf_fmt(row,
	    ",\n	    { text_%d + %zu, %zu }, { text_%d, %zu },\n	    ",
	    text, at, m->front.body.n, text, m->file.n);
	put_digest(row, m->file);
	buf_fmt(row, ", ops_%zu, files_%zu, %s, %s, %s, false },\n", k, k,
	    submits(m) ? "true" : "false", organises(m) ? "true" : "false",
	    m->front.whole ? "true" : "false");
}

/* Loading metadata that is malformed is no skill that is always loaded. */
static void
check_ops(const struct gen *g)
{
	for (size_t i = 0; op_table[i] != NULL; i++) {
		const struct op *op = op_table[i];
		bool found = op->skill == NULL;

		for (size_t k = 0; !found && k < g->n; k++)
			found = !g->v[k].front.whole && !g->v[k].front.home &&
			    str_eq(str_of(op->skill), g->v[k].name);
		if (!found)
			die(str_of(op->name), "its skill is none");
	}
}

int
main(int argc, char **argv)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	static struct gen g;
	struct buf rows, homes;

	g.a = a;
	buf_init(&g.out, a, LIMIT_MESSAGE);
	buf_init(&rows, a, LIMIT_MESSAGE);
	buf_init(&homes, a, LIMIT_MESSAGE);
	for (int i = 1; i < argc; i++)
		take(&g, argv[i]);
	check_ops(&g);
	qsort(g.v, g.n, sizeof(g.v[0]), by_name);
	buf_text(&g.out, "#include \"skill/internal.h\"\n");
	for (size_t i = 0; i < g.n; i++) {
		if (g.v[i].file.n == 0)
			die(g.v[i].name, "there is no SKILL.md");
		put_skill(&g, &g.v[i], i, g.v[i].front.home ? &homes : &rows);
	}
	buf_fmt(&g.out,
	    "\nconst struct skill skills_all[] = {\n%.*s	{ 0 },\n};\n",
	    STR_ARG(buf_view(&rows)));
	buf_fmt(&g.out,
	    "\nconst struct skill skills_home[] = {\n%.*s	{ 0 },\n};\n",
	    STR_ARG(buf_view(&homes)));
	if (g.out.over || rows.over || homes.over ||
	    fwrite(g.out.p, 1, g.out.n, stdout) != g.out.n ||
	    fflush(stdout) != 0)
		die(S("skills"), "cannot be written");
	return 0;
}
