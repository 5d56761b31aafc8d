/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_INTERNAL_H
#define SKILL_INTERNAL_H

#include "skill/skill.h"

/*
 * Made by tools/skillgen.c; ordered by name; ends with a row whose name is
 * NULL.
 */
extern const struct skill skills_all[];
/* The same for skill_home_at(). */
extern const struct skill skills_home[];
/* added.c: the skills added to them, by position; NULL after the last. */
#define SKILL_ADDED 32
const struct skill *skill_added_at(size_t i);
/* Its texts are borrowed until they are cleared. */
void skill_added_put(const struct skill *s);
void skill_added_clear(void);

#endif
