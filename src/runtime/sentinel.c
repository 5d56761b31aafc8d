/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of a prompt turn, in text that an agent wrote: a JSON object
 * between two sentinels.  The names of the sentinels are in the prompt too, so
 * one counts only when it is alone on its line.
 */
#include "base/limits.h"
#include "runtime/prompt.h"

/* Finds the block: exactly one, with both of its ends. */
static int
sentinel_find_block(struct str text, struct str *out, struct err *e)
{
	const char *from = NULL, *to = NULL;
	size_t begins = 0, ends = 0;
	struct str line, rest = text;
	bool more = true;

	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		if (str_eq(str_trim(line), S(SENTINEL_BEGIN))) {
			begins++;
			from = line.p + line.n;
		} else if (str_eq(str_trim(line), S(SENTINEL_END))) {
			ends++;
			to = line.p;
		}
	}
	if (begins == 0 && ends == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no result");
	if (begins > 1 || ends > 1)
		return err_set(e, ERR_USAGE,
		    "there is more than one result, or a sentinel twice");
	if (begins == 0 || ends == 0 || to < from)
		return err_set(e, ERR_USAGE,
		    "the result has no end, or no beginning");
	*out = (struct str){ from, (size_t)(to - from) };
	return 0;
}

static int
sentinel_check_member(const struct json_value *v, const char *name,
    struct str want, bool needed, struct err *e)
{
	const struct json_value *m = json_parse_member(v, name);
	struct str s;

	if (m == NULL && !needed)
		return 0;
	if (json_parse_str(m, &s) && str_eq(s, want))
		return 0;
	return err_set(e, ERR_USAGE,
	    m == NULL ? "the result has no %s"
		      : "the result's %s is not the request's",
	    name);
}

static int
sentinel_check_object(const struct json_value *v, const struct sentinel_want *w,
    bool *ok, struct err *e)
{
	if (!json_parse_is_object(v))
		return err_set(e, ERR_USAGE, "the result is not an object");
	if (sentinel_check_member(v, "request_id", w->request_id, true, e) <
		0 ||
	    sentinel_check_member(v, "operation", w->operation, true, e) < 0 ||
	    sentinel_check_member(v, "transport", w->transport, false, e) < 0 ||
	    sentinel_check_member(v, "principal_id", w->principal_id, false,
		e) < 0)
		return -1;
	if (!json_parse_bool(json_parse_member(v, "ok"), ok))
		return err_set(e, ERR_USAGE,
		    "the result does not say ok, true or false");
	return 0;
}

static int
sentinel_read_one(struct str text, const struct sentinel_want *w,
    struct arena *a, struct sentinel_result *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct sentinel_result got = { 0 };
	struct err why = { 0 };
	struct str block = { 0 };

	if (text.n > LIMIT_PROMPT_SURFACE)
		return err_set(e, ERR_LIMIT, "there is too much text");
	if (sentinel_find_block(text, &block, e) < 0)
		return -1;
	if (block.n > LIMIT_PROMPT_RESULT)
		return err_set(e, ERR_LIMIT, "the result is too long");
	if (json_parse_open(block, LIMIT_PROMPT_RESULT, &d, &why) < 0) {
		(void)err_set(e, ERR_USAGE, "the result is not JSON");
		return err_because(e, "%s", why.say);
	}
	if (sentinel_check_object(json_parse_root(d), w, &got.ok, e) < 0)
		return -1;
	got.text = json_copy_text(a, json_parse_root(d));
	*out = got;
	return 0;
}

static bool
sentinel_is_read(const struct strs *surfaces, size_t i)
{
	const struct strs before = { surfaces->v, i };

	return str_among(&before, surfaces->v[i]);
}

int
sentinel_read(const struct strs *surfaces, const struct sentinel_want *w,
    struct arena *a, struct sentinel_result *out, struct err *e)
{
	(void)err_set(e, ERR_NOT_FOUND, "there is no result");
	for (size_t i = 0; i < surfaces->n && i < LIMIT_PROMPT_SURFACES; i++) {
		struct err why = { 0 };

		if (sentinel_is_read(surfaces, i))
			continue;
		if (sentinel_read_one(surfaces->v[i], w, a, out, &why) == 0) {
			*e = (struct err){ 0 };
			return 0;
		}
		*e = why;
	}
	return -1;
}
