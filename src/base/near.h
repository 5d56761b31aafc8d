#ifndef BASE_NEAR_H
#define BASE_NEAR_H

/* "Did you mean": the known word that a mistyped one is nearest to. */
#include "base/str.h"

/* The nearest of the candidates, or an empty string when none is near. */
struct str near_pick(struct str word, const struct strs *known);

#endif
