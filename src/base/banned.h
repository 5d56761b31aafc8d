/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

/*
 * Functions that have no safe use here.  The Makefile includes this before
 * every file (-include), so that a use does not compile.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The C library defines some of them as macros, above all with clang. */
#undef sprintf
#undef vsprintf
#undef alloca
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef stpcpy

#pragma GCC poison strcpy strcat strncpy strncat stpcpy
#pragma GCC poison sprintf vsprintf
#pragma GCC poison strtok strtok_r
#pragma GCC poison atoi atol atof atoll
#pragma GCC poison gets
#pragma GCC poison localtime localtime_r gmtime ctime ctime_r asctime mktime
#pragma GCC poison system popen
#pragma GCC poison mktemp tmpnam tempnam
#pragma GCC poison strerror_r

#endif
