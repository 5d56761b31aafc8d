/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "door/remote/internal.h"

/*
 * With a key and no socket named, the store is opened here, as always.  Without
 * one, a machine that has a broker's folder has a broker, even if it has ended.
 */
static bool
remote_is(const struct env *env)
{
	if (env->socket != NULL)
		return env_is_far(env);
	return env->agent_key == NULL && env->admin_key == NULL &&
	    access(FAR_FOLDER, F_OK) == 0;
}

const struct far remote_far = {
	.is = remote_is,
	.call = remote_call,
	.pipe = remote_pipe,
};
