/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_ACROSS_FOLDERS_H
#define GATE_ACROSS_FOLDERS_H

/* Which folders a search of a whole account looks through. */
#include "gate/internal.h"

/*
 * The one with the role All if there is one, or else each that can hold
 * messages; without those that only show others' messages (flagged, important).
 * Trash and Junk, and what is below them, only with `trash`.
 */
void across_folders(struct arena *a, const struct folders *all, bool trash,
    struct strs *out);

#endif
