/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libseccomp when the broker starts. */
#include <dlfcn.h>
#include <string.h>

#include "ipc/sandbox_seccomp.h"

struct sandbox_seccomp sandbox_seccomp;

int
sandbox_seccomp_load(struct err *e)
{
	const struct {
		const char *name;
		void *where;
	} all[] = {
		{ "seccomp_init", &sandbox_seccomp.init },
		{ "seccomp_release", &sandbox_seccomp.release },
		{ "seccomp_attr_set", &sandbox_seccomp.attr_set },
		{ "seccomp_syscall_resolve_name", &sandbox_seccomp.resolve },
		{ "seccomp_rule_add_array", &sandbox_seccomp.add },
		{ "seccomp_export_bpf", &sandbox_seccomp.export },
		{ "seccomp_load", &sandbox_seccomp.load },
	};
	void *from, *p;

	if (sandbox_seccomp.load != NULL)
		return 0;
	from = dlopen("libseccomp.so.2", RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		p = from != NULL ? dlsym(from, all[i].name) : NULL;
		if (p == NULL) {
			sandbox_seccomp.load = NULL;
			(void)err_set(e, ERR_CONFIG,
			    "libseccomp is missing: install libseccomp2");
			return err_because(e, "%s", dlerror());
		}
		/* ISO C has no cast from object to function (dlsym(3)). */
		memcpy(all[i].where, &p, sizeof(p));
	}
	return 0;
}
