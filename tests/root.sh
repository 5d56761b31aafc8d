# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A bare Debian in a folder, sourced by tests/bare and tests/package.  Needs root
# and debootstrap.
#   MIRROR=http://...  where the packages come from

# root_make SUITE FOLDER [PACKAGE,...]: makes it, and sets root.  It is unmounted
# at the end of the program, and stays.
roots=()
outside=
root_leave() {
	root_halt
	[ ${#roots[@]} = 0 ] || umount -l "${roots[@]}"
}
trap root_leave EXIT
root_make() {
	local mirror=${MIRROR:-http://deb.debian.org/debian}
	[ ! -e "$2" ] || {
		echo "$2 is there already; please name a folder that is not" >&2
		exit 2
	}
	mkdir -p "$2"
	root=$(cd "$2" && pwd)

	# The folder is a mount point, or nothing in it can have mounts of its own.
	mount --bind "$root" "$root"
	roots+=("$root")
	mount --make-private "$root"
	debootstrap --variant=minbase ${3:+"--include=$3"} "$1" "$root" "$mirror" \
		>"$root.log" 2>&1 || { tail "$root.log" >&2; exit 1; }
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --make-rslave "$root/dev"
	cp -L /etc/resolv.conf "$root/etc/"
	home=/root
}

# root_boot: starts systemd there, as process 1 of namespaces of its own, and sets
# machine; booted COMMAND... runs on it; root_halt ends it.
root_boot() {
	setsid unshare --pid --mount --uts --ipc --cgroup --fork --kill-child \
		--propagation private sh -ec '
		cd "$0"
		mount -t proc proc proc
		mount -t sysfs sysfs sys
		mount -t cgroup2 none sys/fs/cgroup
		for folder in run dev tmp; do mount -t tmpfs tmpfs $folder; done
		cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty dev
		mkdir dev/pts dev/shm
		mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
		mount -t tmpfs tmpfs dev/shm
		ln -s pts/ptmx dev/ptmx
		ln -s /proc/self/fd dev/fd
		pivot_root . mnt
		cd /
		umount -l /mnt
		mount --make-rshared /
		exec env -i container=unshare PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			/lib/systemd/systemd --log-target=null --show-status=0 \
			--unit=multi-user.target' "$root" </dev/null >"$root.boot" 2>&1 &
	outside=$!
	for _ in $(seq 60); do
		machine=$(cat "/proc/$outside/task/$outside/children")
		case $(booted systemctl is-system-running 2>/dev/null) in
		running | degraded) return 0 ;;
		esac
		sleep 1
	done
	echo "systemd does not start in $root" >&2
	return 1
}

booted() {
	nsenter -t "${machine% }" -a env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}

root_halt() {
	[ -n "$outside" ] || return 0
	kill -KILL "$outside"
	wait "$outside" 2>/dev/null || true
	outside=
}

# inside COMMAND...: runs it there.  Not by chroot alone: the kernel makes no user
# namespace in one.
inside() {
	unshare --mount env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		HOME="$home" NODE_EXTRA_CA_CERTS=/opt/authorities DEBIAN_FRONTEND=noninteractive \
		sh -ec 'cd "$0"; pivot_root . mnt; cd /; umount -l /mnt; exec "$@"' "$root" "$@"
}
