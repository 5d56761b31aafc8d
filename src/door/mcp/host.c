/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises the host by the name it gives. */
#include "door/mcp/host.h"

enum {
	MARK_MAX = 65536 /* bytes of a mark that is JSON in a string */
};

static bool
mcp_host_is_called(const struct mcp_host *host, struct str name)
{
	struct str own = str_of(host->name);

	if (!str_ends(own, S("*")))
		return str_eq_case(own, name);
	own.n--;
	return name.n >= own.n && str_eq_case(own, str_first(name, own.n));
}

const struct mcp_host *
mcp_host_find(struct str name)
{
	for (const struct mcp_host *h = mcp_host_table; h->name != NULL; h++)
		if (mcp_host_is_called(h, name))
			return h;
	return NULL;
}

/* A member of an object, or of an object that is written as a string. */
static struct str
mcp_host_member_text(const struct json_value *v, const char *key,
    struct arena *a)
{
	struct json_doc *doc = NULL;
	struct str text = { 0 }, whole;
	struct err e = { 0 };

	if (json_parse_str(v, &whole) &&
	    json_parse_open(whole, MARK_MAX, &doc, &e) == 0)
		v = json_parse_root(doc);
	if (json_parse_str(json_parse_member(v, key), &text))
		text = str_dup(a, text);
	json_parse_close(&doc);
	return text;
}

struct str
mcp_host_turn(const struct json_value *meta, struct arena *a, size_t max)
{
	for (const struct mcp_host *h = mcp_host_table; h->name != NULL; h++) {
		const struct json_value *v = h->turn[0] != NULL
		    ? json_parse_member(meta, h->turn[0])
		    : NULL;
		struct str turn =
		    v != NULL ? mcp_host_member_text(v, h->turn[1], a) : S("");

		if (turn.n > 0 && turn.n <= max)
			return turn;
	}
	return S("");
}

bool
mcp_host_does(const struct mcp_host *host, enum mcp_host_does what)
{
	return host != NULL && (host->does & what) != 0;
}
