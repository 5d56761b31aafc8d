/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What only this machine changes: where a server or another process changes
 * files or sets their times (NFS, SMB, FUSE, 9p), the kernel tells of no
 * change, and the times may be of another clock, or late.
 */
#include <linux/magic.h>
#include <sys/vfs.h>

#include "backend/internal.h"

#define ZFS_MAGIC 0x2fc12fc1

static const unsigned long local[] = {
	BTRFS_SUPER_MAGIC,
	EXT4_SUPER_MAGIC,
	F2FS_SUPER_MAGIC,
	OVERLAYFS_SUPER_MAGIC,
	TMPFS_MAGIC,
	XFS_SUPER_MAGIC,
	ZFS_MAGIC,
};

bool
backend_local(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		if ((unsigned long)fs.f_type == local[i])
			return true;
	return false;
}
