/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_TOKEN_H
#define BACKEND_IMAP_TOKEN_H

/* The tree of a response. */
#include "backend/imap/read.h"

/* token.c: the tree of a response, RFC 9051 section 4. */

enum imap_token {
	IMAP_NIL, /* its text is "NIL" as sent: it can be a folder's name */
	IMAP_ATOM,
	IMAP_QUOTED,
	IMAP_LITERAL,
	IMAP_LIST,
};

struct imap_node {
	enum imap_token kind;
	struct str text; /* unescaped; valid as long as the response */
	const struct imap_node *child; /* of a list: its first */
	const struct imap_node *next;
};

/*
 * Parses a response into nodes, the first of which is *out (NULL: none).
 * Without recursion.  Lists below LIMIT_IMAP_DEPTH are read as empty, because
 * anybody can send a message with such nesting.  ERR_NETWORK for bad syntax,
 * ERR_LIMIT over LIMIT_IMAP_NODES.
 */
int imap_token_parse(struct arena *a, const struct imap_resp *r,
    const struct imap_node **out, struct err *e);
/* Is it an atom or a string with this text, ignoring case? */
bool imap_token_is(const struct imap_node *n, const char *text);
/* Does it have a text: is it an atom, string or NIL? */
bool imap_token_has_text(const struct imap_node *n);
/* A number, RFC 9051 section 9: digits, and never in quotes. */
bool imap_token_is_number(const struct imap_node *n);
/* uniqueid: a number of 32 bits that is not 0.  ERR_NETWORK for anything else.
 */
int imap_token_uid(const struct imap_node *n, uint32_t *out, struct err *e);
/* The i-th node from n on, or NULL. */
const struct imap_node *imap_token_at(const struct imap_node *n, size_t i);

/* structure.c: does a BODYSTRUCTURE show an attachment? */
bool imap_structure_has_attachments(const struct imap_node *top);

#endif
