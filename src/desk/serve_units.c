/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts.  What they set is in systemd.exec(5), systemd.socket(5),
 * sysusers.d(5) and tmpfiles.d(5).
 */
#include "desk/serve_units.h"

#include <unistd.h>

#define HEAD "# Written by emcli serve install; see emcli-serve(8).\n"

/* The user and the socket's folder are made before the socket. */
static const char of_socket[] =
    HEAD "[Unit]\n"
	 "Description=Socket of the emcli broker\n"
	 "Documentation=man:emcli-serve(8)\n"
	 "\n"
	 "[Socket]\n"
	 "ExecStartPre=systemd-sysusers emcli.conf\n"
	 "ExecStartPre=systemd-tmpfiles --create emcli.conf\n"
	 "ListenStream=/run/emcli/emcli.sock\n"
	 "SocketMode=0666\n"
	 "DirectoryMode=0755\n"
	 "RemoveOnStop=yes\n"
	 "\n"
	 "[Install]\n"
	 "WantedBy=sockets.target\n";

static const char of_service[] = HEAD
    "[Unit]\n"
    "Description=The emcli broker: agents' calls to mail\n"
    "Documentation=man:emcli-serve(8)\n"
    "Requires=emcli.socket\n"
    "After=emcli.socket network.target\n"
    "\n"
    "[Service]\n"
    "Type=notify\n"
    "ExecStart=%s serve --foreground\n"
    "ExecReload=kill -HUP $MAINPID\n"
    "User=emcli\n"
    "Group=emcli\n"
    "Environment=EMCLI_DB=" SERVE_UNITS_HOME "/emcli.db\n"
    "LoadCredentialEncrypted=emcli-key:" SERVE_UNITS_CREDENTIAL "\n"
    "StateDirectory=emcli\n"
    "StateDirectoryMode=0700\n"
    "UMask=0077\n"
    "WatchdogSec=30\n"
    "Restart=on-failure\n"
    "TimeoutStopSec=20\n"
    "KillMode=mixed\n"
    "OOMPolicy=continue\n"
    "LimitCORE=0\n"
    "NoNewPrivileges=yes\n"
    "CapabilityBoundingSet=\n"
    "AmbientCapabilities=\n"
    "KeyringMode=private\n"
    "LockPersonality=yes\n"
    "MemoryDenyWriteExecute=yes\n"
    "PrivateDevices=yes\n"
    "PrivateTmp=yes\n"
    "ProtectClock=yes\n"
    "ProtectControlGroups=yes\n"
    "ProtectHostname=yes\n"
    "ProtectKernelLogs=yes\n"
    "ProtectKernelModules=yes\n"
    "ProtectKernelTunables=yes\n"
    "# An account whose mail is in a folder here, and can be written, needs\n"
    "# ReadWritePaths= with that folder: systemctl edit emcli.service.\n"
    "ProtectSystem=strict\n"
    "# Not PrivateUsers= and ProtectProc=: the broker looks at its callers.\n"
    "RemoveIPC=yes\n"
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\n"
    "RestrictNamespaces=yes\n"
    "RestrictRealtime=yes\n"
    "RestrictSUIDSGID=yes\n"
    "SystemCallArchitectures=native\n"
    "SystemCallFilter=@system-service\n"
    "SystemCallFilter=landlock_create_ruleset landlock_add_rule\n"
    "SystemCallFilter=landlock_restrict_self seccomp\n"
    "SystemCallErrorNumber=EPERM\n"
    "\n"
    "[Install]\n"
    "WantedBy=multi-user.target\n"
    "Also=emcli.socket\n";

const struct serve_units_file serve_units_files[] = {
	{ "/etc/systemd/system/emcli.socket", of_socket },
	{ "/etc/systemd/system/emcli.service", of_service },
	{ "/etc/sysusers.d/emcli.conf",
	    HEAD "u emcli - \"emcli broker\" " SERVE_UNITS_HOME "\n" },
	{ "/etc/tmpfiles.d/emcli.conf",
	    HEAD "d /run/emcli 0755 emcli emcli -\n" },
	{ NULL, NULL },
};

const char *
serve_units_of_package(void)
{
	static const char *const paths[] = {
		"/usr/lib/systemd/system/emcli.service",
		"/lib/systemd/system/emcli.service",
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (access(paths[i], F_OK) == 0)
			return paths[i];
	return NULL;
}

bool
serve_units_may_start(struct str program)
{
	for (size_t i = 0; i < program.n; i++)
		if ((unsigned char)program.p[i] <= ' ' ||
		    str_has_char(S("\"'\\%$;\177"), program.p[i]))
			return false;
	return program.n > 0 && program.p[0] == '/';
}

struct str
serve_units_text(const struct serve_units_file *f, struct str program,
    struct arena *a)
{
	struct str text = str_of(f->text), mark = S("%s");

	for (size_t i = 0; i + mark.n <= text.n; i++)
		if (str_starts(str_from(text, i), mark))
			return str_fmt(a, "%.*s%.*s%s", (int)i, text.p,
			    STR_ARG(program), text.p + i + mark.n);
	return text;
}
