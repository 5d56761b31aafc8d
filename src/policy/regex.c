/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The subject rule: PCRE2 with limits on work, depth and memory.  The pattern
 * is the operator's, the subject a stranger's: any failure in matching is "no
 * match", so that the message stays hidden.  No JIT: it needs pages that are
 * writable and executable, and costs more than it saves.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "policy/policy.h"

struct policy_regex {
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *data;
};

static void
policy_regex_say(char *why, size_t size, const char *text)
{
	size_t n = strlen(text);

	if (size == 0)
		return;
	if (n >= size)
		n = size - 1;
	memcpy(why, text, n);
	why[n] = '\0';
}

static pcre2_code *
policy_regex_compile(struct str pattern, char *why, size_t size)
{
	const uint32_t flags =
	    PCRE2_UTF | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C;
	unsigned char text[200] = { 0 };
	pcre2_code *code;
	PCRE2_SIZE where;
	int error;

	if (pattern.n == 0) {
		policy_regex_say(why, size, "the pattern is empty");
		return NULL;
	}
	if (pattern.n > LIMIT_REGEX) {
		policy_regex_say(why, size, "the pattern is too long");
		return NULL;
	}
	code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, flags, &error,
	    &where, NULL);
	if (code == NULL) {
		/* A cut text still ends in a NUL. */
		(void)pcre2_get_error_message(error, text, sizeof(text));
		policy_regex_say(why, size, (const char *)text);
	}
	return code;
}

struct policy_regex *
policy_regex_open(struct str pattern, char *why, size_t size)
{
	pcre2_code *code = policy_regex_compile(pattern, why, size);
	struct policy_regex *re;

	if (code == NULL)
		return NULL;
	re = calloc(1, sizeof(*re));
	if (re == NULL) {
		pcre2_code_free(code);
		policy_regex_say(why, size, "out of memory");
		return NULL;
	}
	re->code = code;
	re->limits = pcre2_match_context_create(NULL);
	re->data = pcre2_match_data_create(1, NULL);
	if (re->limits == NULL || re->data == NULL) {
		policy_regex_close(&re);
		policy_regex_say(why, size, "out of memory");
		return NULL;
	}
	(void)pcre2_set_match_limit(re->limits, LIMIT_REGEX_MATCH);
	(void)pcre2_set_depth_limit(re->limits, LIMIT_REGEX_DEPTH);
	(void)pcre2_set_heap_limit(re->limits, LIMIT_REGEX_HEAP_KIB);
	return re;
}

void
policy_regex_close(struct policy_regex **re)
{
	if (*re == NULL)
		return;
	pcre2_match_data_free((*re)->data);
	pcre2_match_context_free((*re)->limits);
	pcre2_code_free((*re)->code);
	free(*re);
	*re = NULL;
}

bool
policy_regex_match(const struct policy_regex *re, struct str subject)
{
	const char *p = subject.n > 0 ? subject.p : "";

	if (subject.n > LIMIT_SUBJECT)
		return false;
	/* 0 means that the match has more groups than fit into data. */
	return pcre2_match(re->code, (PCRE2_SPTR)p, subject.n, 0, 0, re->data,
		   re->limits) >= 0;
}
