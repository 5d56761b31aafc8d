/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's question about the broker. */
#include "base/path.h"
#include "door/remote/internal.h"

int
remote_status(struct str socket, struct arena *a, struct str *json,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = remote_find(socket.n > 0 ? socket : S(FAR_SOCKET), e);
	const struct far_call none = { 0 };
	struct far_reply reply = { 0 };
	struct err unsent = { 0 };
	int r;

	if (fd < 0)
		return -1;
	(void)ipc_frame_send(fd,
	    &(struct ipc_frame){ FAR_STATUS, S("{\"v\":1}") }, NULL, 0,
	    &unsent);
	r = remote_take(fd, &none, NULL, a, &reply, e);
	if (r == 0)
		return err_set(e, ERR_NETWORK, "the broker does not answer");
	if (r < 0)
		return -1;
	if (reply.status != 0)
		return err_set(e, ERR_POLICY,
		    "the broker answers only root and its own user");
	*json = far_data(reply.envelope);
	return 0;
}
