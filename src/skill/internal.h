#ifndef SKILL_INTERNAL_H
#define SKILL_INTERNAL_H

#include "skill/skill.h"

/* Made by tools/skillgen.c; by name; ends with a row whose name is NULL. */
extern const struct skill skills_all[];
/* dir.c: what was added to them, by position; NULL behind the last. */
const struct skill *dir_at(size_t i);

#endif
