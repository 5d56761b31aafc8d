/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IPC_INTERNAL_H
#define IPC_INTERNAL_H

#include <sys/socket.h>
#include <sys/un.h>

#include "ipc/ipc.h"

/* listen.c: the address of a name in an open folder.  -1: it is too long. */
int ipc_listen_address(int folder, const char *name, struct sockaddr_un *out);

#endif
