/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_NET_OPENSSL_CONF_H
#define TESTS_UNIT_NET_OPENSSL_CONF_H

/*
 * A configuration that OpenSSL is not to read: it may name code to load, and
 * whoever calls emcli says where it is.  OpenSSL reads it only once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

struct openssl_conf {
	char path[64];
	int watch;
};

static inline void
openssl_conf_plant(struct openssl_conf *c)
{
	int fd;

	*c = (struct openssl_conf){ .path = "/tmp/emcli-openssl-XXXXXX" };
	fd = mkstemp(c->path);
	assert_true(fd >= 0);
	(void)close(fd);
	c->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	assert_true(inotify_add_watch(c->watch, c->path, IN_OPEN) > 0);
	assert_int_equal(setenv("OPENSSL_CONF", c->path, 1), 0);
}

/* It was not even opened. */
static inline void
openssl_conf_untouched(struct openssl_conf *c)
{
	struct inotify_event opened;

	assert_int_equal(read(c->watch, &opened, sizeof(opened)), -1);
	(void)close(c->watch);
	(void)unsetenv("OPENSSL_CONF");
	assert_int_equal(unlink(c->path), 0);
}

#endif
