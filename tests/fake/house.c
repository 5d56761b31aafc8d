/* SPDX-License-Identifier: Apache-2.0 */
#include "house.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka.h wants the four above it. */
#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "made.h"

/* Base64 of 32 equal bytes: "QUFB..." for 'A' and so on. */
static struct secret *
new_key(char fill)
{
	char text[45];

	memset(text, fill, sizeof(text));
	text[42] = 'A';
	text[43] = '=';
	return secret_new(text, 44);
}

static struct store_keys
keys_of(const struct house *h)
{
	return (struct store_keys){ h->env.admin_key, h->env.agent_key };
}

struct store_account
house_account(const char *name, const char *backend)
{
	return (struct store_account){ .name = str_of(name),
		.backend = str_of(backend),
		.mode = MODE_RW,
		.outbound = OUTBOUND_SEND,
		.from_addr = S("me@us.example"),
		.smtp_host = S("smtp.us.example"),
		.auth_type = S("password"),
		.no_unfinished_check = true };
}

void
house_add(struct house *h, const struct store_account *acct)
{
	struct str boss = S("boss@us.example");
	struct strs list = { &boss, 1 };
	struct store_account got;
	struct err e = { 0 };

	if (store_account_add(h->store, acct, NULL, &e) < 0 ||
	    store_account_get(h->store, h->a, acct->name, &got, &e) < 0 ||
	    store_list_add(h->store, got.id, STORE_LIST_IN, &list, &e) < 0 ||
	    store_list_add(h->store, got.id, STORE_LIST_OUT, &list, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
}

void
house_open(struct house *h, struct terms t)
{
	struct store_account acct =
	    house_account("work", t.backend != NULL ? t.backend : "imap");
	struct err e = { 0 };
	struct store_keys keys;

	acct.mode = t.ro ? MODE_RO : MODE_RW;
	acct.in_on = t.in_on;
	acct.out_on = t.out_on;
	acct.process_backlog = t.backlog;
	memset(h, 0, sizeof(*h));
	(void)snprintf(h->dir, sizeof(h->dir), "/tmp/emcli-house-XXXXXX");
	assert_non_null(mkdtemp(h->dir));
	(void)snprintf(h->db, sizeof(h->db), "%s/emcli.db", h->dir);
	h->a = arena_open(LIMIT_ARENA);
	h->env.admin_key = new_key('B');
	h->env.agent_key = new_key('C');
	h->env.db = strdup(h->db);
	h->env.agent = strdup("agent");
	keys = keys_of(h);
	made_store(h->db, &keys);
	if (store_open(h->db, STORE_ADMIN, &keys, &h->store, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	if (!t.nobody)
		house_add(h, &acct);
	if (gate_open(&h->env, &h->gate, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
}

void
house_close(struct house *h)
{
	static const char *const tail[] = { "", "-wal", "-shm", "-lock",
		"-outbox" };
	char path[128];

	gate_close(&h->gate);
	store_close(&h->store);
	secret_close(&h->env.admin_key);
	secret_close(&h->env.agent_key);
	free(h->env.db);
	free(h->env.agent);
	free(h->env.account);
	arena_close(&h->a);
	for (size_t i = 0; i < sizeof(tail) / sizeof(tail[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", h->db, tail[i]);
		(void)unlink(path);
	}
	(void)rmdir(h->dir);
}

static int
apply(struct store_account *acct, void *ctx, struct err *e)
{
	void (**change)(struct store_account *) = ctx;

	(void)e;
	(*change)(acct);
	return 0;
}

void
house_change(struct house *h, const char *name,
    void (*change)(struct store_account *acct))
{
	const struct store_change ch = { .change = apply, .ctx = &change };
	struct err e = { 0 };

	if (store_account_change(h->store, h->a, str_of(name), &ch, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
}

void
house_set(struct house *h, const char *name, const char *value)
{
	struct err e = { 0 };

	if (store_setting_set(h->store, str_of(name), str_of(value), &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
}

void
house_sql(struct house *h, const char *sql)
{
	sqlite3 *db = NULL;
	char *why = NULL;

	assert_int_equal(sqlite3_open(h->db, &db), SQLITE_OK);
	(void)sqlite3_busy_timeout(db, 10000);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	(void)sqlite3_close(db);
}

void
house_caller(struct house *h, struct gate_caller who)
{
	gate_caller_set(h->gate, &who);
}

struct reply
house_call_list(struct house *h, const char *op_name, const char *const *arg)
{
	const struct op *op = op_find(str_of(op_name));
	struct args args;
	struct reply out;
	struct err e = { 0 };

	if (op == NULL)
		op = op_find_mail(str_of(op_name));
	assert_non_null(op);
	args_init(&args, op->args, h->a);
	for (; *arg != NULL; arg += 2) {
		struct arg *one = args_find(&args, str_of(arg[0]));

		if (one == NULL ||
		    args_add(&args, h->a, one, str_of(arg[1]), &e) < 0)
			fail_msg("%s: %s: %s", op_name, arg[0], e.say);
	}
	gate_call(h->gate, op, &args, h->a, &out);
	return out;
}

struct reply
house_call(struct house *h, const char *op_name, ...)
{
	const char *arg[64];
	size_t n = 0;
	va_list ap;

	va_start(ap, op_name);
	do
		arg[n] = va_arg(ap, const char *);
	while (arg[n++] != NULL);
	va_end(ap);
	return house_call_list(h, op_name, arg);
}

const char *
house_text(struct house *h, struct reply r)
{
	struct str more = S("");

	if (r.detail != NULL)
		more = json_text(r.detail, h->a);
	return str_fmt(h->a, "%s|%s|%.*s|%.*s", err_code(r.err.kind), r.err.say,
	    STR_ARG(json_text(r.data, h->a)), STR_ARG(more))
	    .p;
}

const char *
house_word(struct reply r)
{
	if (r.err.kind == ERR_NONE)
		return "ok";
	return r.err.reason != NULL ? r.err.reason : err_code(r.err.kind);
}

const char *
house_uids(struct house *h, struct reply r)
{
	struct str s = json_text(r.data, h->a), mark = S("{\"uid\":");
	const char *out = "";
	ptrdiff_t at;

	if (r.err.kind != ERR_NONE)
		fail_msg("%s (%s)", r.err.say, r.err.detail);
	while ((at = str_find(s, mark)) >= 0) {
		s = str_from(s, (size_t)at + mark.n);
		out = str_fmt(h->a, "%s%s%ld", out, out[0] ? " " : "",
		    strtol(str_c(h->a, str_first(s, 10)), NULL, 10))
			  .p;
	}
	return out;
}

const char *
house_ids(struct house *h, struct reply r)
{
	struct str s = json_text(r.data, h->a), mark = S("\"message_id\":\"");
	const char *out = "";
	struct str id, rest;
	ptrdiff_t at;

	if (r.err.kind != ERR_NONE)
		fail_msg("%s (%s)", r.err.say, r.err.detail);
	while ((at = str_find(s, mark)) >= 0 &&
	    str_cut(str_from(s, (size_t)at + mark.n), '"', &id, &rest)) {
		out = str_fmt(h->a, "%s%s%.*s", out, out[0] ? " " : "",
		    STR_ARG(id))
			  .p;
		s = rest;
	}
	return out;
}

struct store_audit
house_audit(struct house *h, const char *op_name)
{
	const struct store_audit_query newest = { .limit = 10 };
	struct err e = { 0 };
	struct store_audit *v;
	size_t n;

	if (store_audit_list(h->store, h->a, &newest, &v, &n, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i].action, str_of(op_name)))
			return v[i];
	return (struct store_audit){ 0 };
}

static void
same(const struct house_row *t, const char *what, const char *got,
    const char *want, struct reply r)
{
	if (want != NULL && strcmp(got, want) != 0)
		fail_msg("%s: %s \"%s\", not \"%s\": %s (%s)", t->why, what,
		    got, want, r.err.say, r.err.detail);
}

static void
holds(const struct house_row *t, const char *what, const char *got,
    const char *want)
{
	if (want != NULL && strstr(got, want) == NULL)
		fail_msg("%s: no \"%s\" in %s: %s", t->why, want, what, got);
}

void
house_row(void **state)
{
	const struct house_row *t = *state;
	struct store_audit a;
	struct reply r;
	struct house h;

	fake_reset();
	house_open(&h, t->terms);
	if (t->arrange != NULL)
		t->arrange(&h);
	r = house_call_list(&h, t->op, t->arg);
	same(t, "answered", house_word(r), t->want, r);
	if (t->uids != NULL)
		same(t, "uids", house_uids(&h, r), t->uids, r);
	if (t->ids != NULL)
		same(t, "ids", house_ids(&h, r), t->ids, r);
	holds(t, "the reply", house_text(&h, r), t->says);
	a = house_audit(&h, t->op);
	same(t, "the record's reason", str_c(h.a, a.reason), t->audit, r);
	holds(t, "the record", str_c(h.a, a.detail), t->detail);
	/* What is refused has not been done. */
	if (r.err.kind != ERR_NONE && r.err.kind != ERR_UNKNOWN_OUTCOME)
		assert_int_equal(fake.sent + fake.calls[FAKE_APPEND] +
			fake.calls[FAKE_DRAFT],
		    0);
	house_close(&h);
}
