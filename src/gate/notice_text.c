/* SPDX-License-Identifier: Apache-2.0 */
/* A notice in words, and as JSON.  No text of others is in either. */
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/notice.h"
#include "gate/rules.h"

static const struct {
	const char *one, *many, *next;
} words[STORE_NOTICES] = {
	[STORE_NOTICE_HELD] = { "a message or change waits for your approval",
	    "messages or changes wait for your approval",
	    "emcli approve list" },
	[STORE_NOTICE_TOKEN] = { "an account needs your consent again",
	    "accounts need your consent again", "emcli doctor" },
	[STORE_NOTICE_ACCOUNT] = { "an account has failed for an hour",
	    "accounts have failed for an hour", "emcli doctor" },
	[STORE_NOTICE_AUDIT] = { "the audit log or the settings do not verify",
	    "", "emcli audit verify" },
};

struct str
notice_text(struct arena *a, const struct store_notice *n)
{
	if (n->count == 1 || n->kind == STORE_NOTICE_AUDIT)
		return str_of(words[n->kind].one);
	return str_fmt(a, "%llu %s", (unsigned long long)n->count,
	    words[n->kind].many);
}

const char *
notice_text_next(enum store_notice_kind kind)
{
	return words[kind].next;
}

struct str
notice_text_json(struct arena *a, const struct store_notice *n)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "v", 1);
	json_put_text(j, "kind", store_notice_word(n->kind));
	json_put_int(j, "count", (int64_t)n->count);
	json_put_str(j, "since", clock_rfc3339(a, n->since_s));
	json_put_strs(j, "accounts", &n->accounts);
	json_open_array(j, "ids");
	for (size_t i = 0; i < n->n; i++)
		json_put_int(j, NULL, n->ids[i]);
	json_close_array(j);
	json_put_str(j, "text", notice_text(a, n));
	json_put_text(j, "next", notice_text_next(n->kind));
	json_close_object(j);
	return json_text(j, a);
}

int
notice_text_address(struct arena *a, struct str way, struct str *out,
    struct err *e)
{
	if (!str_starts_case(way, S("mailto:")))
		return 0;
	return rules_address(a, str_from(way, sizeof("mailto:") - 1), out, e) <
		0
	    ? -1
	    : 1;
}
