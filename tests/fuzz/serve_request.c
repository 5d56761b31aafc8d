/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a call to the broker, from JSON to arguments. */
#include "check.h"

#include "door/serve/internal.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct ipc_passed none = { 0 };
	struct serve_request q;
	struct err e = { 0 };

	if (serve_request((struct str){ (const char *)data, size }, a, &q, &e) <
	    0) {
		check(e.kind == ERR_USAGE || e.kind == ERR_CONFIG, "a reason");
		return 0;
	}
	check(q.op != NULL && q.op->effect != EFFECT_OPERATE, "an agent's");
	check(q.args.files == &q.files, "the caller is another process");
	check(q.files.n <= LIMIT_PASSED, "files");
	if (serve_request_files(&q, &none, &e) == 0)
		for (size_t i = 0; i < q.files.n; i++)
			check(q.files.v[i].error != 0, "without a descriptor");
	(void)args_check(&q.args, a, &e);
	return 0;
}
