#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "runtime/pane.h"

struct sockaddr_un
pane_address(int folder)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };

	(void)snprintf(at.sun_path, sizeof(at.sun_path),
	    "/proc/self/fd/%d/" PANE_SOCKET, folder);
	return at;
}
