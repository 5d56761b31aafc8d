#ifndef BASE_BANNED_H
#define BASE_BANNED_H

/*
 * Functions that have no safe use here.  Put before every file by the
 * Makefile (-include), so that using one does not compile.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The C library makes macros of some of them, with clang above all. */
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
