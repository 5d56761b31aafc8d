/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mailbox root that the upstream program left, and what that program itself
 * reads of it: the operations of an agent's own mailbox answer the same, member
 * by member.  Run from the project's root.
 */
#include "../rows.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../../fake/made.h"
#include "base/json.h"
#include "base/path.h"
#include "op/op.h"

extern char **environ;

#define ROOT "houmao-v0.6.6"

struct place {
	char top[64];
	struct arena *a;
	struct env env;
	struct gate *gate;
	struct json_doc *want; /* expected.json */
};

static struct secret *
key_of(char fill)
{
	char text[45];

	memset(text, fill, sizeof(text));
	text[42] = 'A';
	text[43] = '=';
	return secret_new(text, 44);
}

static char *
below(struct place *p, const char *rel)
{
	return str_c(p->a, str_fmt(p->a, "%s/%s", p->top, rel));
}

static void
unpack(struct place *p)
{
	static char file[] = "tests/agentbox/v0.6.6.tar.xz";
	char *argv[] = { "python3", "-m", "tarfile", "-e", file, p->top, NULL };
	pid_t pid;
	int status;

	assert_int_equal(posix_spawnp(&pid, "python3", NULL, NULL, argv,
			     environ),
	    0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(chmod(below(p, ROOT "/root"), 0700), 0);
}

static void
read_expected(struct place *p)
{
	int fd = open(below(p, ROOT "/expected.json"), O_RDONLY | O_CLOEXEC);
	struct err e = { 0 };
	struct str text;

	assert_true(fd >= 0);
	assert_int_equal(path_read(fd, 1 << 20, p->a, &text, &e), 0);
	assert_int_equal(json_parse_open(text, 1 << 20, &p->want, &e), 0);
	(void)close(fd);
}

static int
begin(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct store_account acct = {
		.name = S("box"),
		.backend = S("agentbox"),
		.mode = MODE_RW,
		.outbound = OUTBOUND_SEND,
		.organise = ORGANISE_ON,
		.auth_type = S("password"),
		.no_unfinished_check = true,
		.process_backlog = true,
	};
	struct store_keys keys;
	struct store *s = NULL;
	struct err e = { 0 };

	p->a = arena_open(LIMIT_ARENA);
	(void)snprintf(p->top, sizeof(p->top), "/tmp/emcli-mail-XXXXXX");
	assert_non_null(mkdtemp(p->top));
	unpack(p);
	read_expected(p);
	p->env.admin_key = key_of('B');
	p->env.agent_key = key_of('C');
	p->env.db = strdup(below(p, "emcli.db"));
	p->env.agent = strdup("agent");
	keys = (struct store_keys){ p->env.admin_key, p->env.agent_key };
	made_store(p->env.db, &keys);
	acct.path = str_of(below(p, ROOT "/root"));
	if (store_open(p->env.db, STORE_ADMIN, &keys, &s, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	acct.name = S("writer");
	acct.from_addr = S("writer@agents.example.test");
	assert_int_equal(store_account_add(s, &acct, NULL, &e), 0);
	acct.name = S("ci");
	acct.from_addr = S("ci@agents.example.test");
	assert_int_equal(store_account_add(s, &acct, NULL, &e), 0);
	store_close(&s);
	if (gate_open(&p->env, &p->gate, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	*state = p;
	return 0;
}

static int
wipe(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

static int
end(void **state)
{
	struct place *p = *state;

	gate_close(&p->gate);
	json_parse_close(&p->want);
	secret_close(&p->env.admin_key);
	secret_close(&p->env.agent_key);
	free(p->env.db);
	free(p->env.agent);
	(void)nftw(p->top, wipe, 16, FTW_DEPTH | FTW_PHYS);
	arena_close(&p->a);
	free(p);
	return 0;
}

/* Calls for the writer; the data as a document. */
static struct json_doc *
call(struct place *p, const char *name, const char *const *arg)
{
	static const struct gate_binding binding = {
		.transport = SI("filesystem"),
		.principal = SI("HOUMAO-writer"),
		.address = SI("writer@agents.example.test"),
		.version = SI("2026-04-08T10:11:12.123456Z"),
	};
	const struct gate_caller who = { .binding = &binding };
	const struct op *op = op_find_mail(str_of(name));
	struct json_doc *doc = NULL;
	struct args args;
	struct reply r;
	struct err e = { 0 };

	gate_caller_set(p->gate, &who);
	args_init(&args, op->args, p->a);
	for (; *arg != NULL; arg += 2)
		assert_int_equal(args_add(&args, p->a,
				     args_find(&args, str_of(arg[0])),
				     str_of(arg[1]), &e),
		    0);
	gate_call(p->gate, op, &args, p->a, &r);
	if (r.err.kind != ERR_NONE)
		fail_msg("%s: %s (%s)", name, r.err.say, r.err.detail);
	assert_int_equal(json_parse_open(json_text(r.data, p->a), 1 << 20, &doc,
			     &e),
	    0);
	return doc;
}

/* What upstream reads of it, or NULL. */
static const struct json_value *
expected(const struct place *p, struct str ref)
{
	const struct json_value *all =
	    json_parse_member(json_parse_item(json_parse_root(p->want), 0),
		"messages");
	struct str one;

	for (size_t i = 0; i < json_parse_count(all); i++)
		if (json_parse_str(json_parse_member(json_parse_item(all, i),
				       "message_ref"),
			&one) &&
		    str_eq(one, ref))
			return json_parse_item(all, i);
	return NULL;
}

static void
a_check_answers_what_upstream_does(void **state)
{
	static const char *const arg[] = { "account", "writer", NULL };
	struct place *p = *state;
	struct json_doc *doc = call(p, "mail_check", arg);
	const struct json_value *l =
	    json_parse_member(json_parse_root(doc), "messages");

	/* Upstream's list has what was sent, too: one message. */
	assert_int_equal(json_parse_count(l), 11);
	for (size_t i = 0; i < json_parse_count(l); i++) {
		const struct json_value *got = json_parse_item(l, i), *want;
		struct str ref;

		assert_true(
		    json_parse_str(json_parse_member(got, "message_ref"),
			&ref));
		want = expected(p, ref);
		assert_non_null(want);
		if (!json_parse_equal(got, want))
			fail_msg("%.*s is answered in another way",
			    STR_ARG(ref));
	}
	json_parse_close(&doc);
}

static void
a_message_is_delivered_to_the_byte(void **state)
{
	static const char *const arg[] = { "account", "writer", "to",
		"ci@agents.example.test", "subject", "x: y", "body_content",
		"\n a\r\n---\n\n", NULL };
	struct place *p = *state;
	struct json_doc *doc = call(p, "mail_send", arg);
	const struct json_value *m =
	    json_parse_member(json_parse_root(doc), "message");
	struct str s;

	assert_true(json_parse_str(json_parse_member(m, "body_text"), &s));
	rows_same(s, S("\n a\r\n---\n\n"));
	assert_true(
	    json_parse_str(json_parse_member(json_parse_member(m, "sender"),
			       "principal_id"),
		&s));
	rows_same(s, S("HOUMAO-writer"));
	json_parse_close(&doc);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    a_check_answers_what_upstream_does, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_message_is_delivered_to_the_byte, begin, end),
	};

	return cmocka_run_group_tests_name("op/mail_upstream", tests, NULL,
	    NULL);
}
