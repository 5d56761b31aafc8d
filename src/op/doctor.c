/* SPDX-License-Identifier: Apache-2.0 */
/* emcli doctor: does everything an agent's commands need work? */
#include "base/trace.h"
#include "gate/health.h"
#include "gate/trace.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT, .help = "only this account; default: all" },
	{ "trace", ARG_FLAG, ARG_OPERATOR,
	    .help = "also show the dialogue with servers, without secrets and "
		    "messages; needs the operator's key" },
	{ 0 },
};

static const struct field check[] = {
	{ "account", FIELD_TEXT, .nullable = true,
	    .help = "null: emcli itself" },
	{ "check", FIELD_TEXT, .help = "what was checked" },
	{ "ok", FIELD_BOOL, .help = "did it succeed?" },
	{ "note", FIELD_BOOL, .optional = true,
	    .help = "true: it works, and message is worth knowing" },
	{ "message", FIELD_TEXT, .help = "one sentence" },
	{ "next", FIELD_TEXT, .optional = true,
	    .help = "what the operator can do about it" },
	{ "detail", FIELD_TEXT, .optional = true,
	    .help = "paths and a server's text: only with the operator's key" },
	{ "ms", FIELD_INT, .help = "duration in milliseconds" },
	{ 0 },
};

static const struct field result[] = {
	{ "ok", FIELD_BOOL, .help = "did every check succeed?" },
	{ "isolation", FIELD_TEXT,
	    .help =
		"direct: keys protect against a stolen disk and a confused "
		"agent, not against an agent with a shell as the same user; "
		"broker: the caller is another user, who can open neither key "
		"nor store" },
	{ "checks", FIELD_OBJECTS, .help = "in order", .sub = check },
	{ "trace", FIELD_TEXTS, .optional = true,
	    .help =
		"with --trace: one line each, in order: milliseconds, process, "
		"server, \">\" sent, \"<\" received, \"=\" a remark" },
	FIELDS_WARNINGS,
	{ 0 },
};

static void
doctor_put(struct json *out, const struct health_line *l, bool details)
{
	json_open_object(out, NULL);
	json_put_str_or_null(out, "account", l->account);
	json_put_str(out, "check", l->check);
	json_put_bool(out, "ok", l->ok);
	if (l->note)
		json_put_bool(out, "note", true);
	json_put_str(out, "message", l->say);
	if (l->next.n > 0)
		json_put_str(out, "next", l->next);
	if (l->detail.n > 0 && details)
		json_put_str(out, "detail", l->detail);
	json_put_int(out, "ms", l->ms);
	json_close_object(out);
}

static enum gate_mark
doctor_mark(const struct health_line *l)
{
	if (!l->ok)
		return GATE_BAD;
	return l->note ? GATE_NOTE : GATE_GOOD;
}

static void
doctor_say(struct call *c, const struct health_line *l, bool details)
{
	struct str more = details ? l->detail : (struct str){ 0 };
	struct str who = l->account.n > 0 ? l->account : S("-");

	gate_say(c, doctor_mark(l), "%.*s\t%.*s\t%lld ms\t%.*s%s%.*s%s",
	    STR_ARG(who), STR_ARG(l->check), (long long)l->ms, STR_ARG(l->say),
	    more.n > 0 ? " (" : "", STR_ARG(more), more.n > 0 ? ")" : "");
	if (l->next.n > 0)
		gate_say(c, GATE_NEXT, "%.*s", STR_ARG(l->next));
}

static void
doctor_put_trace(struct call *c, struct json *out)
{
	struct str rest = trace_kept(c->arena), line;

	json_open_array(out, "trace");
	while (rest.n > 0) {
		(void)str_cut(rest, '\n', &line, &rest);
		json_put_str(out, NULL, line);
		gate_tell(c, "%.*s", STR_ARG(line));
	}
	json_close_array(out);
}

static int
doctor_run(struct call *c, struct json *out, struct err *e)
{
	bool details = health_line_operator(c);
	struct health_line *line;
	size_t n, bad = 0;

	if (args_has(c->args, "trace") && gate_trace_keep(c, e) < 0)
		return -1;
	if (health_check(c, args_text(c->args, "account"), &line, &n, e) < 0) {
		(void)trace_kept(c->arena);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		bad += !line[i].ok;
	json_put_bool(out, "ok", bad == 0);
	json_put_text(out, "isolation", health_isolation(c->gate));
	json_open_array(out, "checks");
	for (size_t i = 0; i < n; i++) {
		doctor_put(out, &line[i], details);
		doctor_say(c, &line[i], details);
	}
	json_close_array(out);
	if (args_has(c->args, "trace"))
		doctor_put_trace(c, out);
	if (bad > 0) {
		gate_tell(c, "%zu of %zu checks failed", bad, n);
		return err_set(e, ERR_CONFIG,
		    "%zu of %zu checks failed; data.checks says which", bad, n);
	}
	gate_tell(c, "all %zu checks succeeded", n);
	return 0;
}

const struct op op_doctor = {
	.name = "doctor",
	.summary = "Check keys, store and every account's servers",
	.effect = EFFECT_READ,
	.report = true,
	.unfrozen = true,
	.args = args,
	.result = result,
	.run = doctor_run,
};
