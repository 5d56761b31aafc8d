/* Chooses the door for a command line. */
#include "door/door.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/near.h"
#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/cli/cli.h"
#include "door/cli/human.h"
#include "door/completion.h"
#include "door/form/face.h"
#include "door/http/http.h"
#include "door/http/standby.h"
#include "door/internal.h"
#include "door/mcp/mcp.h"
#include "door/out.h"
#include "door/remote/remote.h"
#include "door/serve/serve.h"
#include "door/serve/session.h"
#include "door/skills/skills.h"
#include "op/op.h"

enum {
	COMMAND_WORDS = 3
};

/* The broker, and what runs beside it. */
static int
door_serve(const struct env *env, const struct args *args, struct err *e)
{
	return serve(env, args, &http_ops, e);
}

static const struct operate_broker broker = { door_serve, remote_status };
/* -- commands that another process can run --------------------------------- */

/* Without --http nothing serves. */
static int
door_run_mcp(const struct far_pipe *p, int argc, char **argv,
    const struct env *env)
{
	(void)p;
	return mcp_run(argc, argv, env, NULL, NULL, NULL);
}

static int
door_run_skills(const struct far_pipe *p, int argc, char **argv,
    const struct env *env)
{
	return skills_run(p->cmd, argc, argv, env, NULL);
}

void
door_pipes(void)
{
	/* One that talks to a model and a person does so where they are. */
	static struct far_pipe v[SKILLS_COMMANDS + 2];
	size_t n = 0;

	v[n++] = (struct far_pipe){ "mcp", mcp_args, true, NULL, door_run_mcp };
	for (const struct skills_command *c = skills_table; c->name != NULL;
	     c++)
		if (c->pipe != NULL)
			v[n++] = (struct far_pipe){ c->name, c->args, false, c,
				door_run_skills };
	far_pipe_table(v);
}

static const struct cli_beside beside = { face_ask, &http_standby, &broker };

/* A command line: argv without the program's name. */
struct line {
	int argc;
	char **argv;
	struct arena *a;
};

/* The first n words with single spaces between them. */
static struct str
door_join(const struct line *l, int n)
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

/*
 * The longest operator command at the start of the line, or NULL; *words is its
 * length.
 */
static const struct op *
door_find_desk(const struct line *l, int *words)
{
	for (*words = COMMAND_WORDS; *words > 0; (*words)--) {
		struct str name = door_join(l, *words);

		for (size_t i = 0; *words <= l->argc && desk_table[i] != NULL;
		     i++)
			if (str_eq(str_of(desk_table[i]->name), name))
				return desk_table[i];
	}
	return NULL;
}

/* A command for models, or NULL; *words is the length of its name. */
static const struct skills_command *
door_find_pipe(const struct line *l, int *words)
{
	for (*words = l->argc < 2 ? l->argc : 2; *words > 0; (*words)--)
		for (size_t i = 0; skills_table[i].name != NULL; i++)
			if (str_eq(str_of(skills_table[i].name),
				door_join(l, *words)))
				return &skills_table[i];
	return NULL;
}

/* A verb on an agent's own mailbox: three words, or empty. */
static struct str
door_find_agents(const struct line *l)
{
	struct agents_command c;
	struct str name = door_join(l, COMMAND_WORDS);

	return agents_command_find(l->a, name, &c) ? name : S("");
}

/* One line for a person, the envelope for all others. */
static int
door_refuse(const struct err *e, const struct env *env)
{
	if (!isatty(STDOUT_FILENO))
		return cli_run_refuse("unknown", env, e);
	out_complain(e, false);
	return out_status(e);
}

/* How many words of the line begin a command? */
static int
door_known_words(const struct line *l, const struct strs *all)
{
	int n = 0;

	while (n < l->argc && n < COMMAND_WORDS) {
		struct strs next = { 0 };

		words_next(l->a, all, door_join(l, n), &next);
		if (!str_among(&next, str_of(l->argv[n])))
			break;
		n++;
	}
	return n;
}

static int
door_unknown(const struct line *l, const struct env *env)
{
	struct strs all = { 0 }, next = { 0 };
	struct str head, word, best;
	struct err e = { 0 };
	int n;

	words_all(l->a, &all);
	n = door_known_words(l, &all);
	head = door_join(l, n);
	words_next(l->a, &all, head, &next);
	if (n > 0)
		head = str_fmt(l->a, "%.*s ", STR_ARG(head));
	if (n >= l->argc) {
		(void)err_set(&e, ERR_USAGE,
		    "%.*sneeds another word: see emcli help %.*s",
		    STR_ARG(head), STR_ARG(str_trim(head)));
		out_complain(&e, false);
		return 2;
	}
	word = str_of(l->argv[n]);
	best = near_pick(word, &next);
	word = out_quote(l->a, word);
	if (best.n > 0)
		(void)err_set(&e, ERR_USAGE,
		    "unknown command %.*s: did you mean emcli %.*s%.*s?",
		    STR_ARG(word), STR_ARG(head), STR_ARG(best));
	else
		(void)err_set(&e, ERR_USAGE,
		    "unknown command %.*s: see emcli help", STR_ARG(word));
	return door_refuse(&e, env);
}

static int
door_help(const struct line *l, const struct env *env)
{
	struct str words;
	struct buf b;

	buf_init(&b, l->a, 1 << 20);
	words = door_join(l, l->argc);
	if (l->argc == 0)
		help_put(&b);
	else if (!help_command(&b, words))
		return door_unknown(l, env);
	return out_done(&b);
}

/* Without arguments: a short overview. */
static int
door_brief(const struct line *l)
{
	struct buf b;

	buf_init(&b, l->a, 1 << 16);
	help_brief(&b);
	return out_done(&b);
}

static int
door_schema(const struct line *l, const struct env *env)
{
	struct json *j = json_new(l->a);
	const struct op *op = NULL;
	struct buf b;

	if (l->argc > 0) {
		int words = 1;

		op = op_find(str_of(l->argv[0]));
		if (op == NULL)
			op = op_find_mail(str_of(l->argv[0]));
		if (op == NULL)
			op = door_find_desk(l, &words);
		if (op == NULL || l->argc > words)
			return door_unknown(l, env);
		op_schema_put(j, NULL, op);
	} else {
		op_schema_put_all(j, 0);
	}
	buf_init(&b, l->a, LIMIT_MESSAGE);
	out_json(&b, l->a, j);
	return out_done(&b);
}

/* A text that one word chooses: "completion bash", "manual errors". */
static int
door_part(const struct line *l, const char *choices,
    bool (*put)(struct buf *b, struct str word))
{
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, l->a, LIMIT_MESSAGE);
	if (l->argc == 1 && put(&b, str_of(l->argv[0])))
		return out_done(&b);
	(void)err_set(&e, ERR_USAGE, "give one of %s", choices);
	out_complain(&e, false);
	return 2;
}

/* A shell's script, and the values that it asks for during typing. */
static int
door_completion(const struct line *l, const struct env *env)
{
	struct buf b;

	buf_init(&b, l->a, LIMIT_MESSAGE);
	if (l->argc == 1 && completion_values_put(&b, env, str_of(l->argv[0])))
		return out_done(&b);
	return door_part(l, "bash, zsh, fish", completion_put);
}

static int
door_version(const struct line *l)
{
	struct buf b;

	buf_init(&b, l->a, 1 << 10);
	buf_text(&b, "emcli " EMCLI_VERSION "\n");
	return out_done(&b);
}

static bool
door_is_word(const struct line *l, const char *word, const char *option)
{
	return l->argc > 0 &&
	    (str_eq(str_of(l->argv[0]), str_of(word)) ||
		(option != NULL && str_eq(str_of(l->argv[0]), str_of(option))));
}

static bool
door_asks_help(const struct line *l)
{
	struct line last = { 1, l->argv + l->argc - 1, l->a };

	return door_is_word(&last, "--help", "-h");
}

/* Does a broker hold the key and the store? */
static bool
door_is_far(const struct env *usable)
{
	return usable != NULL && remote_far.is(usable);
}

/* Its model and its person are here, and the model's key is not. */
static int
door_refuse_past(void)
{
	struct err e = { 0 };

	(void)err_set(&e, ERR_UNSUPPORTED,
	    "the broker does not serve ask: the operator's model and its key "
	    "stay with the broker");
	(void)err_hint(&e,
	    "let your own model use emcli mcp, or emcli skills filter and "
	    "skills run");
	out_complain(&e, false);
	return out_status(&e);
}

/* A stream of calls, in the process that holds the key. */
static int
door_far_pipe(const struct line *l, int words, const struct env *env)
{
	const struct far_pipe *p = far_pipe_find(door_join(l, words));
	struct err e = { 0 };
	int argc = l->argc - words;
	char **argv = l->argv + words;

	if (p == NULL)
		return door_refuse_past();
	if (far_pipe_check(p, argc, argv, &e) < 0) {
		out_complain(&e, false);
		return out_status(&e);
	}
	if (p->turns)
		mcp_tell_person();
	return remote_far.pipe(env, p, argc, argv);
}

/* No command: "account --help" is about those that begin so. */
static int
door_other(struct line *l, const struct env *usable)
{
	if (l->argc > 1 && door_asks_help(l)) {
		l->argc--;
		return door_help(l, usable);
	}
	return door_unknown(l, usable);
}

/* Under the upstream program's name. */
static int
door_upstream(struct line *l, const struct env *env, const struct err *broken)
{
	static char *about[] = { "agents", "mail" };
	const struct line help = { 2, about, l->a };
	struct line last = { 1, l->argv + l->argc - 1, l->a };
	struct str name = door_find_agents(l);
	struct err e = { 0 };

	if (name.n > 0)
		return agents_run(name, l->argc - COMMAND_WORDS,
		    l->argv + COMMAND_WORDS, env, broken, human_put);
	if (l->argc == 0 || door_is_word(&last, "--help", "-h"))
		return door_help(&help, env);
	(void)err_set(&e, ERR_USAGE,
	    "as " AGENTS_UPSTREAM " it knows only agents mail: see emcli help "
	    "agents mail");
	return door_refuse(&e, broken == NULL ? env : NULL);
}

int
door_main(int argc, char **argv, const struct env *env,
    const struct err *broken)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct line l = { argc > 0 ? argc - 1 : 0, argv + 1, a };
	struct line rest = { l.argc - 1, l.argv + 1, a };
	const struct env *usable = broken == NULL ? env : NULL;
	const struct skills_command *pipe;
	const struct op *op;
	struct err bad = { 0 };
	struct str name;
	int words = 0;

	if (op_skills_check(op_table, &bad) < 0)
		err_bug("%s", bad.say);
	door_pipes();
	if (agents_is_upstream(argc, argv))
		return door_upstream(&l, env, broken);
	if (l.argc == 0 || door_is_word(&l, "-h", NULL))
		return door_brief(&l);
	if (door_is_word(&l, "help", "--help"))
		return door_help(&rest, usable);
	if (door_is_word(&l, "version", "--version") ||
	    door_is_word(&l, "-V", NULL))
		return door_version(&l);
	if (door_is_word(&l, "schema", NULL))
		return door_schema(&rest, usable);
	/* "mcp install" is an operator's command. */
	if (door_is_word(&l, "mcp", NULL) && door_find_desk(&l, &words) == NULL)
		return door_is_far(usable) && !door_asks_help(&l)
		    ? door_far_pipe(&l, 1, env)
		    : mcp_run(rest.argc, rest.argv, env, broken, http_serve,
			  &serve_session);
	if (door_is_word(&l, "completion", NULL))
		return door_completion(&rest, usable);
	if (door_is_word(&l, "manual", NULL))
		return door_part(&rest,
		    "operations, commands, agents, pipes, errors, results, "
		    "warnings",
		    manual_put);
	op = op_find(str_of(l.argv[0]));
	if (op != NULL)
		return cli_run(op, rest.argc, rest.argv, env, broken,
		    &remote_far);
	pipe = door_find_pipe(&l, &words);
	if (pipe != NULL && door_is_far(usable) && !door_asks_help(&l))
		return door_far_pipe(&l, words, env);
	if (pipe != NULL)
		return skills_run(pipe, l.argc - words, l.argv + words, env,
		    broken);
	op = door_find_desk(&l, &words);
	if (op != NULL)
		return cli_operate(op, l.argc - words, l.argv + words, env,
		    broken, &beside);
	name = door_find_agents(&l);
	if (name.n > 0)
		return agents_run(name, l.argc - COMMAND_WORDS,
		    l.argv + COMMAND_WORDS, env, broken, human_put);
	return door_other(&l, usable);
}
