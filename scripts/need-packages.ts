/**
 * Names, in one line, the Debian packages that a suite needs and this machine lacks, and fails: such
 * a suite never skips. `tsx scripts/need-packages.ts system`.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Program: the package that brings it. A QuickJS compiler is not in Debian 12: see docs/decisions. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  system: {
    runc: 'runc',
    crun: 'crun',
    podman: 'podman',
    buildah: 'buildah',
    conmon: 'conmon',
    containerd: 'containerd',
    dockerd: 'docker.io',
    busybox: 'busybox-static',
    gcc: 'gcc',
    unshare: 'util-linux',
    'mkfs.btrfs': 'btrfs-progs',
    'mkfs.xfs': 'xfsprogs',
    mariadbd: 'mariadb-server',
    mariadb: 'mariadb-client',
    psql: 'postgresql',
    'redis-server': 'redis-server',
    chromium: 'chromium',
  },
};

const suite = process.argv[2] ?? '';
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];
const missing = Object.entries(PROGRAMS[suite] ?? {})
  .filter(([program]) => !folders.some((folder) => isProgram(join(folder, program))))
  .map(([, debianPackage]) => debianPackage);
if (missing.length > 0) {
  console.error(
    `The ${suite} tests need: apt-get install --no-install-recommends ${missing.join(' ')}`,
  );
  process.exitCode = 1;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
