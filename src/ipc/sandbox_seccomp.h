/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IPC_SANDBOX_SECCOMP_H
#define IPC_SANDBOX_SECCOMP_H

/*
 * libseccomp, for sandbox_filter.c alone.  The shared program loads it when the
 * broker starts: no other command pays for it.
 */
#include <seccomp.h>

#include "base/err.h"

/* Its functions, under their own names without "seccomp_". */
struct sandbox_seccomp {
	__typeof__(seccomp_init) *init;
	__typeof__(seccomp_release) *release;
	__typeof__(seccomp_attr_set) *attr_set;
	__typeof__(seccomp_syscall_resolve_name) *resolve;
	__typeof__(seccomp_rule_add_array) *add;
	__typeof__(seccomp_export_bpf) *export;
	__typeof__(seccomp_load) *load;
};

extern struct sandbox_seccomp sandbox_seccomp;

/* ERR_CONFIG if it is not installed. */
int sandbox_seccomp_load(struct err *e);

#endif
