/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

/* What every fuzz target says and asks. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold of any input; else the input is worth keeping. */
static inline void
check(bool good, const char *what)
{
	if (!good)
		err_bug("fuzz: %s", what);
}

#endif
