/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attachments that profile nova asks for.  `get` saves those of a message
 * all together or not at all.  If only some are wanted, it is not called: a
 * file that nobody asked for must not be in the operator's folder.
 */
#include "base/limits.h"
#include "door/out.h"
#include "door/skills/nova.h"

int
nova_files_all(const struct strs *ids, struct str data, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARGV);
	size_t files, named = 0;
	uint32_t n;
	bool *had;

	if (json_parse_open(data, LIMIT_MESSAGE, &d, e) < 0)
		return -1;
	files = json_parse_count(
	    json_parse_member(json_parse_root(d), "attachments"));
	had = arena_array(a, files + 1, sizeof(*had));
	for (size_t i = 0; i < ids->n; i++) {
		if (!str_to_u32(ids->v[i], UINT32_MAX, &n) || n == 0 ||
		    n > files)
			return err_set(e, ERR_USAGE,
			    "the message has no attachment %.*s: see "
			    "list_email_attachments",
			    STR_ARG(out_quote(a, ids->v[i])));
		named += !had[n];
		had[n] = true;
	}
	if (named == files)
		return 0;
	return err_set(e, ERR_UNSUPPORTED,
	    "emcli saves the attachments of a message together: name all %zu",
	    files);
}
