/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a SKILL.md that somebody else wrote. */
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "skill/skill.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool good, const char *what)
{
	if (!good)
		err_bug("fuzz: %s", what);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str text = { (const char *)data, size };
	struct skill_front f;
	struct err e = { 0 };

	if (skill_front_read(text, (struct str){ 0 }, a, &f, &e) < 0) {
		check(e.kind == ERR_USAGE || e.kind == ERR_LIMIT, "a reason");
		return 0;
	}
	/* What a skill that was taken promises. */
	check(size <= LIMIT_SKILL && utf8_valid(text), "a text");
	check(f.name.n > 0 && f.name.n <= 64, "a name");
	check(f.description.n > 0 && f.label.n > 0, "a description");
	check(f.body.n > 0 && f.body.p >= text.p &&
		f.body.p + f.body.n <= text.p + size,
	    "the body is of the file");
	return 0;
}
