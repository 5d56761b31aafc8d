/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: text on a terminal in which the result of a prompt turn may be.
 */
#include "check.h"

#include "base/limits.h"
#include "runtime/prompt.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	static const struct sentinel_want want = {
		SI("mailreq-20260408T101112Z-0a1b2c3d4e"), SI("send"),
		SI("filesystem"), SI("HOUMAO-writer")
	};
	struct str text = { (const char *)data, size };
	struct strs one = { &text, 1 };
	struct sentinel_result got = { 0 };
	struct err e = { 0 };

	if (sentinel_read(&one, &want, a, &got, &e) < 0) {
		check(e.kind == ERR_NOT_FOUND || e.kind == ERR_USAGE ||
			e.kind == ERR_LIMIT,
		    "a reason");
		return 0;
	}
	check(str_starts(got.text, S("{")), "an object");
	check(str_find(got.text, want.request_id) > 0, "of this request");
	check(str_find(text, S(SENTINEL_BEGIN)) >= 0, "between sentinels");
	return 0;
}
