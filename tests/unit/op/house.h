#ifndef TESTS_HOUSE_H
#define TESTS_HOUSE_H

/* A store with one account over the fake backend, and calls through the gate.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka.h wants the four above it. */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "fake.h"
#include "op/op.h"
#include "store/audit.h"

#define BOSS "From: Boss <boss@us.example>\r\nSubject: plan\r\n"
#define SPAM "From: x@them.example\r\nSubject: plan\r\n"

struct house {
	struct arena *a;
	struct gate *gate;
	struct env env;
	char dir[64], db[96];
};

struct terms {
	bool in_on, out_on, backlog, ro;
};

static struct secret *
new_key(char fill)
{
	/* base64 of 32 equal bytes: "QUFB..." for 'A' and so on */
	char text[45];

	for (int i = 0; i < 43; i++)
		text[i] = fill;
	text[42] = 'A';
	text[43] = '=';
	return secret_new(text, 44);
}

static void
house_open(struct house *h, struct terms t)
{
	struct err e = { 0 };
	struct store *s = NULL;
	struct store_keys keys;
	bool created;
	struct store_account acct = {
		.name = S("work"),
		.backend = S("fake"),
		.mode = t.ro ? MODE_RO : MODE_RW,
		.outbound = OUTBOUND_SEND,
		.from_addr = S("me@us.example"),
		.auth_type = S("password"),
		.in_on = t.in_on,
		.out_on = t.out_on,
		.process_backlog = t.backlog,
	};
	struct str boss = S("boss@us.example");
	struct strs list = { &boss, 1 };

	memset(h, 0, sizeof(*h));
	(void)snprintf(h->dir, sizeof(h->dir), "/tmp/emcli-guard-XXXXXX");
	assert_non_null(mkdtemp(h->dir));
	(void)snprintf(h->db, sizeof(h->db), "%s/emcli.db", h->dir);
	h->a = arena_open(LIMIT_ARENA);
	h->env.admin_key = new_key('B');
	h->env.agent_key = new_key('C');
	h->env.db = strdup(h->db);
	h->env.agent = strdup("agent");
	keys = (struct store_keys){ h->env.admin_key, h->env.agent_key };
	assert_int_equal(store_init(h->db, &keys, &created, &e), 0);
	assert_int_equal(store_open(h->db, STORE_ADMIN, &keys, &s, &e), 0);
	assert_int_equal(store_account_add(s, &acct, NULL, &e), 0);
	assert_int_equal(store_account_get(s, h->a, acct.name, &acct, &e), 0);
	assert_int_equal(store_list_add(s, acct.id, STORE_LIST_IN, &list, &e),
	    0);
	assert_int_equal(store_list_add(s, acct.id, STORE_LIST_OUT, &list, &e),
	    0);
	store_close(&s);
	assert_int_equal(gate_open(&h->env, &h->gate, &e), 0);
}

static void
house_close(struct house *h)
{
	char cmd[128];

	gate_close(&h->gate);
	secret_close(&h->env.admin_key);
	secret_close(&h->env.agent_key);
	free(h->env.db);
	free(h->env.agent);
	arena_close(&h->a);
	for (int i = 0; i < 3; i++) {
		static const char *const tail[] = { "", "-wal", "-shm" };

		(void)snprintf(cmd, sizeof(cmd), "%s%s", h->db, tail[i]);
		(void)unlink(cmd);
	}
	(void)rmdir(h->dir);
}

/* "list", "new", NULL, "limit", "2", NULL, NULL: names and their values. */
static inline struct reply
call(struct house *h, const char *op_name, ...)
{
	const struct op *op = op_find(str_of(op_name));
	struct args args;
	struct reply out;
	struct err e = { 0 };
	const char *name;
	va_list ap;

	assert_non_null(op);
	args_init(&args, op->args, h->a);
	va_start(ap, op_name);
	while ((name = va_arg(ap, const char *)) != NULL) {
		struct arg *arg = args_find(&args, str_of(name));

		assert_non_null(arg);
		assert_int_equal(args_add(&args, h->a, arg,
				     str_of(va_arg(ap, const char *)), &e),
		    0);
	}
	va_end(ap);
	gate_call(h->gate, op, &args, h->a, &out);
	return out;
}

#define WORK "account", "work", "folder", "INBOX"

/* The whole reply as text: data, code, message. */
static inline const char *
text(struct house *h, struct reply r)
{
	return str_fmt(h->a, "%s|%s|%.*s", err_code(r.err.kind), r.err.say,
	    STR_ARG(json_text(r.data, h->a)))
	    .p;
}

/* "7 5": the uids of a page, in its order. */
static inline const char *
uids(struct house *h, struct reply r)
{
	struct str s = json_text(r.data, h->a), mark = S("{\"uid\":");
	const char *out = "";
	ptrdiff_t at;

	assert_int_equal(r.err.kind, ERR_NONE);
	while ((at = str_find(s, mark)) >= 0) {
		s = str_from(s, (size_t)at + mark.n);
		out = str_fmt(h->a, "%s%s%ld", out, out[0] ? " " : "",
		    strtol(str_c(h->a, str_first(s, 10)), NULL, 10))
			  .p;
	}
	return out;
}

#endif
