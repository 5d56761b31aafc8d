/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_HTTP_H
#define DOOR_HTTP_HTTP_H

#include "door/route.h"

route_serve http_serve;
/* Operations for agents, with the arguments http and http_socket: ops.c. */
extern const struct route_beside http_ops;

#endif
