#ifndef BASE_INTERNAL_H
#define BASE_INTERNAL_H

/*
 * path_open_beneath() where the kernel has no openat2(2): opens `name`, which
 * is relative and is cut up on the way, one folder at a time.  A descriptor,
 * or -1 with errno; ELOOP for a link.
 */
int path_open_steps(int dirfd, char *name);

#endif
