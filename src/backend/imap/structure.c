/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses a BODYSTRUCTURE, RFC 9051 section 7.5.2, for one question: would the
 * message show attachments?  The rules are those of mime/reading.c, so that a
 * list and the message agree.  Servers send NIL, atoms and empty lists instead
 * of strings; that does not matter here.
 */
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "base/limits.h"

static bool
imap_structure_is_multipart(const struct imap_node *part)
{
	return part->child != NULL && part->child->kind == IMAP_LIST;
}

/* Does a parameter list ("NAME" "x.pdf") contain this name? */
static bool
imap_structure_has_param(const struct imap_node *list, const char *name)
{
	const struct imap_node *n;

	if (list == NULL || list->kind != IMAP_LIST)
		return false;
	for (n = list->child; n != NULL && n->next != NULL; n = n->next->next) {
		struct str key = n->text, head, tail;

		/* RFC 2231: "name*", "name*0". */
		(void)str_cut(key, '*', &head, &tail);
		if (str_eq_case(head, str_of(name)) &&
		    n->next->kind != IMAP_NIL && n->next->text.n > 0)
			return true;
	}
	return false;
}

/* The Content-Disposition of a leaf: ("attachment" (params)), or NULL. */
static const struct imap_node *
imap_structure_disposition(const struct imap_node *part)
{
	const struct imap_node *n = imap_token_at(part->child, 7);

	for (; n != NULL; n = n->next)
		if (n->kind == IMAP_LIST &&
		    (imap_token_is(n->child, "attachment") ||
			imap_token_is(n->child, "inline")))
			return n->child;
	return NULL;
}

static bool
is_read(const struct imap_node *sub)
{
	return imap_token_is(sub, "plain") || imap_token_is(sub, "html") ||
	    imap_token_is(sub, "markdown");
}

/* Is the leaf an attachment?  `top`: the message itself; `first`: child. */
static bool
imap_structure_is_attachment(const struct imap_node *part, bool top, bool first)
{
	const struct imap_node *type = part->child;
	const struct imap_node *disp = imap_structure_disposition(part);
	bool named;

	if (type == NULL)
		return false;
	if (imap_token_is(disp, "attachment") || !imap_token_is(type, "text"))
		return true;
	if (top)
		return false;
	named = imap_structure_has_param(imap_token_at(type, 2), "name") ||
	    (disp != NULL && imap_structure_has_param(disp->next, "filename"));
	return !is_read(type->next) || (!first && named);
}

/* Everything in a multipart/related except its root is an attachment. */
static bool
imap_structure_is_related_pair(const struct imap_node *part)
{
	const struct imap_node *n = part->child;
	size_t leaves = 0;

	for (; n != NULL && n->kind == IMAP_LIST; n = n->next)
		leaves += n->child != NULL;
	return leaves > 1 && imap_token_is(n, "related");
}

bool
imap_structure_has_attachments(const struct imap_node *top)
{
	/* The next part at each depth; token.c limits the depth. */
	const struct imap_node *next[LIMIT_IMAP_DEPTH + 2];
	const struct imap_node *parent[LIMIT_IMAP_DEPTH + 2];
	size_t depth = 0;

	if (top == NULL || top->kind != IMAP_LIST)
		return false;
	if (!imap_structure_is_multipart(top))
		return imap_structure_is_attachment(top, true, true);
	if (imap_structure_is_related_pair(top))
		return true;
	parent[0] = top;
	next[0] = top->child;
	for (;;) {
		const struct imap_node *part = next[depth];

		if (part == NULL || part->kind != IMAP_LIST) {
			if (depth == 0)
				return false;
			depth--;
			continue;
		}
		next[depth] = part->next;
		if (!imap_structure_is_multipart(part)) {
			if (imap_structure_is_attachment(part, false,
				part == parent[depth]->child))
				return true;
			continue;
		}
		if (imap_structure_is_related_pair(part))
			return true;
		depth++;
		parent[depth] = part;
		next[depth] = part->child;
	}
}
