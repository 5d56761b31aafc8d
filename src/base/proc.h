/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

/* What the kernel tells of processes: proc(5). */
#include <stdint.h>

#include "base/str.h"

/* A small file of the kernel's, at most 4 KiB; false: it cannot be read. */
bool proc_read(const char *path, struct arena *a, struct str *out);
/*
 * The time the process was started at, in ticks since boot; 0: it is not there,
 * or dead.  With it a process id names one process only.
 */
uint64_t proc_started(int64_t pid, struct arena *a);

#endif
