/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_STANDBY_H
#define DOOR_HTTP_STANDBY_H

/*
 * A process for a gateway that a command may start.  It is forked before the
 * command opens the database, which may not be carried over a fork(2), and so
 * has the keys without their being written anywhere; it waits for an order.
 */
#include "gate/operate.h"

extern const struct operate_gateway http_standby;

#endif
