/* SPDX-License-Identifier: Apache-2.0 */
/* The signature below a text. */
#include "mime/signature.h"

static struct str
signature_trim_end(struct str s)
{
	return str_trim_end(s, S(" \t\r\n"));
}

/* Takes the last line off, without white space at its end. */
static struct str
signature_take_last(struct str *s)
{
	size_t n = s->n;
	struct str line;

	while (n > 0 && s->p[n - 1] != '\n')
		n--;
	line = str_from(*s, n);
	*s = str_first(*s, n > 0 ? n - 1 : 0);
	return signature_trim_end(line);
}

struct str
signature_above(struct str own, struct str signature)
{
	struct str above = signature_trim_end(own);

	if (signature.n == 0)
		return own;
	/* Line by line: line ends and spaces before them may differ. */
	while (signature.n > 0)
		if (!str_eq(signature_take_last(&above),
			signature_take_last(&signature)))
			return own;
	return str_eq(signature_take_last(&above), S("--")) ? above : own;
}

struct str
signature_below(struct arena *a, struct str own, struct str signature)
{
	if (signature.n == 0 || signature_above(own, signature).n < own.n)
		return own;
	own = signature_trim_end(own);
	return str_fmt(a, "%.*s%s-- \n%.*s\n", STR_ARG(own),
	    own.n > 0 ? "\n\n" : "", STR_ARG(signature));
}

struct str
signature_between(struct arena *a, struct str own, struct str signature)
{
	if (signature.n == 0)
		return own;
	own = signature_trim_end(signature_above(own, signature));
	return str_fmt(a, "%.*s%s%.*s\n", STR_ARG(own), own.n > 0 ? "\n\n" : "",
	    STR_ARG(signature));
}
