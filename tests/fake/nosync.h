/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAKE_NOSYNC_H
#define TESTS_FAKE_NOSYNC_H

/*
 * No unit test cuts the power, so nothing waits for the disk: the program's
 * own fsync() is taken before the C library's.
 */
#include <unistd.h>

__attribute__((weak)) int
fsync(int fd)
{
	(void)fd;
	return 0;
}

__attribute__((weak)) int
fdatasync(int fd)
{
	(void)fd;
	return 0;
}

#endif
