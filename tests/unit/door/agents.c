/* SPDX-License-Identifier: Apache-2.0 */
/* agents mail: which call a command line becomes, and how an answer and an
 * error are printed. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>

#include "door/agents/internal.h"
#include "door/argv.h"
#include "op/op.h"

enum {
	WORDS = 12
};

static const struct agents_verb *
verb_of(const char *name)
{
	const struct agents_verb *v = agents_verb_table;

	while (v->name != NULL && strcmp(v->name, name) != 0)
		v++;
	assert_non_null(v->name);
	return v;
}

static struct str
flat_args(struct arena *a, const struct args *args)
{
	struct str all = S("");

	for (size_t i = 0; i < args->n; i++)
		for (size_t k = 0; k < args->v[i].text.n; k++)
			all = str_fmt(a, "%.*s%s%s=%.*s", STR_ARG(all),
			    all.n > 0 ? " " : "", args->v[i].spec->name,
			    STR_ARG(args->v[i].text.v[k]));
	return all;
}

/* -- argv to the arguments of an operation --------------------------------- */

static const struct line {
	const char *why;
	const char *verb;
	const char *word[WORDS];
	const char *want; /* the operation's arguments; NULL: refused */
	const char *say;  /* a part of the refusal */
} lines[] = {
	{ "status takes nothing", "status", { NULL }, "", NULL },
	{ "check as upstream has it", "check",
	    { "--unread-only", "--limit", "5", "--since",
		"2026-04-08T10:11:12Z" },
	    "unread_only=true limit=5 since=2026-04-08T10:11:12Z", NULL },
	{ "send has the names of upstream", "send",
	    { "--to", "a@x", "b@x", "--cc", "c@x", "--subject", "S",
		"--body-content", "B", "--attach", "/f" },
	    "to=a@x to=b@x cc=c@x subject=S body_content=B attachments=/f",
	    NULL },
	{ "an empty body is one", "send",
	    { "--to", "a@x", "--subject", "S", "--body-content", "" },
	    "to=a@x subject=S body_content=", NULL },
	{ "a key is passed on", "reply",
	    { "--message-ref", "R", "--body-content", "B", "--idempotency-key",
		"k" },
	    "message_ref=R body_content=B idempotency_key=k", NULL },
	{ "mark-read says read", "mark-read", { "--message-ref", "R" },
	    "message_ref=R read=true", NULL },
	{ "mark has two options for each state", "mark",
	    { "--message-ref", "R", "Q", "--unread", "--answered",
		"--unarchived" },
	    "message_refs=R message_refs=Q read=false answered=true "
	    "archived=false",
	    NULL },
	{ "list asks for what was not put away", "list",
	    { "--box", "sent", "--read-state", "unread", "--not-archived",
		"--include-body" },
	    "box=sent read_state=unread archived=false include_body=true",
	    NULL },
	{ "move names a box", "move",
	    { "--message-ref", "R", "--destination-box", "later" },
	    "message_refs=R destination_box=later", NULL },
	{ "what is ours comes through", "check",
	    { "--if-bindings-version", "v", "--extensions", "--cursor", "c" },
	    "if_bindings_version=v extensions=true cursor=c", NULL },
	{ "a selector is no argument of an operation", "peek",
	    { "--message-ref", "R", "--agent-name", "writer" }, "message_ref=R",
	    NULL },
	{ "two bodies", "send",
	    { "--to", "a@x", "--subject", "S", "--body-content", "B",
		"--body-file", "/f" },
	    NULL, "--body-content and --body-file exclude each other" },
	{ "no body, and standard input has none", "send",
	    { "--to", "a@x", "--subject", "S" }, NULL,
	    "the message has no body" },
	{ "both states", "mark", { "--message-ref", "R", "--read", "--unread" },
	    NULL, "--read and --unread exclude each other" },
	{ "an account is not chosen here", "check", { "--account", "a" }, NULL,
	    "unknown option" },
	{ "an unknown option", "status", { "--box", "x" }, NULL,
	    "unknown option \"--box\"" },
	{ "upstream's file option has one name", "send",
	    { "--body-content-file", "x" }, NULL, "unknown option" },
	{ "a recipient is needed", "send", { "--subject", "S" }, NULL,
	    "--to is missing" },
	{ "a bad time", "check", { "--since", "today" }, NULL,
	    "--since takes" },
	{ "a word too many", "status", { "x" }, NULL, "unexpected word" },
};

static void
test_line(void **state)
{
	const struct line *row = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct agents_verb *v = verb_of(row->verb);
	char *argv[WORDS];
	struct args given, args;
	struct err e = { 0 };
	bool help;
	int argc = 0;

	for (; argc < WORDS && row->word[argc] != NULL; argc++)
		argv[argc] = str_c(a, str_of(row->word[argc]));
	if (argv_parse(agents_verb_args(a, v), argc, argv, a, &given, &help,
		&e) == 0 &&
	    args_check(&given, a, &e) == 0 &&
	    agents_verb_call(v, &given, a, &args, &e) == 0) {
		assert_non_null(row->want);
		rows_same(flat_args(a, &args), str_of(row->want));
		return;
	}
	assert_null(row->want);
	assert_int_equal(e.kind, ERR_USAGE);
	if (str_find(str_of(e.say), str_of(row->say)) < 0)
		fail_msg("\"%s\" does not say \"%s\"", e.say, row->say);
}

static void
test_every_verb_has_its_operation(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct agents_command c;
	size_t n = 0;

	(void)state;
	for (; agents_command_at(a, n, &c); n++) {
		const struct agents_verb *v = &agents_verb_table[n];

		assert_true(
		    v->op == NULL || op_find_mail(str_of(v->op)) != NULL);
		assert_true(v->op == NULL || v->route != NULL);
		assert_true(c.summary != NULL && c.result != NULL);
	}
}

/* -- what is printed ------------------------------------------------------- */

static const struct print {
	const char *why, *verb, *model, *path, *want;
	bool extensions;
} prints[] = {
	{ "a model is merged into the envelope", "status",
	    "{\"schema_version\":1,\"transport\":\"filesystem\","
	    "\"principal_id\":\"HOUMAO-a\",\"address\":\"a@x\","
	    "\"bindings_version\":\"v\"}",
	    "manager_direct",
	    "{\"schema_version\":1,\"operation\":\"status\","
	    "\"authoritative\":true,\"status\":\"verified\","
	    "\"execution_path\":\"manager_direct\","
	    "\"transport\":\"filesystem\",\"principal_id\":\"HOUMAO-a\","
	    "\"address\":\"a@x\",\"bindings_version\":\"v\"}",
	    false },
	{ "the verb is the operation, once", "send",
	    "{\"schema_version\":1,\"operation\":\"send\",\"message\":{}}",
	    "gateway_backed",
	    "{\"schema_version\":1,\"operation\":\"send\","
	    "\"authoritative\":true,\"status\":\"verified\","
	    "\"execution_path\":\"gateway_backed\",\"message\":{}}",
	    false },
	{ "what is ours is left out", "check",
	    "{\"warnings\":[\"w\"],\"warning_counts\":{\"w\":1}}",
	    "manager_direct",
	    "{\"schema_version\":1,\"operation\":\"check\","
	    "\"authoritative\":true,\"status\":\"verified\","
	    "\"execution_path\":\"manager_direct\"}",
	    false },
	{ "unless it was asked for", "check",
	    "{\"warnings\":[\"w\"],\"next_cursor\":null}", "manager_direct",
	    "{\"schema_version\":1,\"operation\":\"check\","
	    "\"authoritative\":true,\"status\":\"verified\","
	    "\"execution_path\":\"manager_direct\",\"warnings\":[\"w\"],"
	    "\"next_cursor\":null}",
	    true },
};

static void
test_print(void **state)
{
	const struct print *row = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct agents_call c = { .verb = verb_of(row->verb), .a = a };
	const struct agents_answer x = { .path = row->path,
		.model = str_of(row->model) };
	struct err e = { 0 };

	args_init(&c.given, agents_verb_args(a, c.verb), a);
	if (row->extensions)
		assert_int_equal(args_add(&c.given, a,
				     args_find(&c.given, S("extensions")),
				     S("true"), &e),
		    0);
	rows_same(agents_put_envelope(&c, &x), str_of(row->want));
}

static const struct style {
	const char *why;
	const char *option, *style;
	bool tty, json;
} styles[] = {
	{ "a pipe gets JSON", NULL, NULL, false, true },
	{ "a terminal gets text", NULL, NULL, true, false },
	{ "an option is first", "print_json", "plain", true, true },
	{ "and for text too", "print_plain", "json", false, false },
	{ "the environment is next", NULL, "json", true, true },
	{ "and for text too, of any style", NULL, "fancy", false, false },
};

static void
test_style(void **state)
{
	const struct style *row = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct args given;
	struct err e = { 0 };

	args_init(&given, agents_verb_args(a, verb_of("status")), a);
	if (row->option != NULL)
		assert_int_equal(args_add(&given, a,
				     args_find(&given, str_of(row->option)),
				     S("true"), &e),
		    0);
	assert_int_equal(agents_put_is_json(&given, row->style, row->tty),
	    row->json);
}

/* -- codes ----------------------------------------------------------------- */

static const struct code_row {
	const char *why; /* the code */
	int status;
	enum err_kind kind;
} code_rows[] = {
	{ "invalid_request", 422, ERR_USAGE },
	{ "unauthenticated", 401, ERR_AUTH },
	{ "message_not_found", 404, ERR_NOT_FOUND },
	{ "stale_binding", 409, ERR_USAGE },
	{ "too_large", 413, ERR_LIMIT },
	{ "submission_unconfirmed", 502, ERR_UNKNOWN_OUTCOME },
	{ "locked", 503, ERR_DB },
	{ "a code of tomorrow", 403, ERR_POLICY },
	{ "another", 422, ERR_USAGE },
	{ "a third", 500, ERR_NETWORK },
};

static void
test_code(void **state)
{
	const struct code_row *row = *state;

	assert_int_equal(agents_code_kind(str_of(row->why), row->status),
	    row->kind);
}

static void
test_code_of_an_error(void **state)
{
	struct err e = { 0 };

	(void)state;
	(void)err_set(&e, ERR_USAGE, "x");
	assert_string_equal(agents_code_of(&e), "invalid_request");
	e.reason = "stale_binding";
	assert_string_equal(agents_code_of(&e), "stale_binding");
	assert_string_equal(agents_code_next(S("stale_binding")),
	    "ask resolve-live for the version of today");
	assert_null(agents_code_next(S("invalid_request")));
	assert_null(agents_code_next(S("of_tomorrow")));
	e = (struct err){ 0 };
	(void)err_set(&e, ERR_CONFIG, "x");
	assert_null(agents_code_of(&e));
}

int
main(void)
{
	/* Of standard input there is nothing. */
	int null = open("/dev/null", O_RDONLY);

	assert_true(null >= 0 && dup2(null, STDIN_FILENO) == STDIN_FILENO);
	ROWS(lines, test_line);
	ROWS(prints, test_print);
	ROWS(styles, test_style);
	ROWS(code_rows, test_code);
	rows_add("every verb has its operation",
	    test_every_verb_has_its_operation, NULL);
	rows_add("an error has the gateway's code", test_code_of_an_error,
	    NULL);
	return cmocka_run_group_tests_name("agents", rows_tests, NULL, NULL);
}
