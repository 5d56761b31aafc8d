/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the mailbox in a session's manifest, or all of the manifest. */
#include "check.h"

#include "backend/agentbox/name.h"
#include "base/limits.h"
#include "runtime/manifest.h"

/* What is written of a binding is read again, and is the same. */
static void
there_and_back(const struct binding *b, struct arena *a)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct json *j = json_new(a), *again = json_new(a);
	struct binding back = { 0 };
	struct err e = { 0 };

	json_open_array(j, NULL);
	binding_put(b, j, NULL);
	json_close_array(j);
	check(json_parse_open(json_text(j, a), SIZE_MAX, &d, &e) == 0,
	    "what is written is JSON");
	check(binding_read(json_parse_item(json_parse_root(d), 0), a, &back,
		  &e) == 0,
	    "and a binding");
	json_open_array(again, NULL);
	binding_put(&back, again, NULL);
	json_close_array(again);
	check(str_eq(json_text(j, a), json_text(again, a)), "and the same");
	if (b->transport == TRANSPORT_NONE)
		return;
	check(agentbox_name_address(b->address), "an address");
	check(b->transport != TRANSPORT_STALWART ||
		credential_ref_is_safe(b->credential_ref),
	    "a safe reference");
	check(b->transport != TRANSPORT_FILESYSTEM ||
		str_starts(b->filesystem_root, S("/")),
	    "an absolute root");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct str text = { (const char *)data, size };
	struct manifest m = { 0 };
	struct binding b = { 0 };
	struct err e = { 0 };

	if (manifest_get(text, a, &m, &e) == 0)
		there_and_back(&m.mailbox, a);
	else
		check(e.kind == ERR_CONFIG || e.kind == ERR_LIMIT, "a reason");
	if (json_parse_open(text, LIMIT_MANIFEST, &d, &e) < 0)
		return 0;
	if (binding_read(json_parse_root(d), a, &b, &e) == 0)
		there_and_back(&b, a);
	else
		check(e.kind == ERR_CONFIG, "a reason");
	return 0;
}
