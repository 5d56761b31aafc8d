/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

/* "Did you mean": the known word that is nearest to a mistyped one. */
#include "base/str.h"

/* The nearest of the candidates, or an empty string when none is near. */
struct str near_pick(struct str word, const struct strs *known);

/* "a, b, c", ending in "..." if an error has no room for more. */
struct str near_names(struct arena *a, const struct strs *known);
/*
 * What to say about an unknown word: "did you mean work?", or "there are work,
 * home"; empty if there are no known words.
 */
struct str near_tell(struct arena *a, struct str word,
    const struct strs *known);

#endif
