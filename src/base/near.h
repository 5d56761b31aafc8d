#ifndef BASE_NEAR_H
#define BASE_NEAR_H

/* "Did you mean": the known word that a mistyped one is nearest to. */
#include "base/str.h"

/* The nearest of the candidates, or an empty string when none is near. */
struct str near_pick(struct str word, const struct strs *known);

/* "a, b, c", or as many as an error has room for and "...". */
struct str near_names(struct arena *a, const struct strs *known);
/*
 * What to say of a word that is none of them: "did you mean work?", or "there
 * are work, home"; empty when there are none at all.
 */
struct str near_tell(struct arena *a, struct str word,
    const struct strs *known);

#endif
