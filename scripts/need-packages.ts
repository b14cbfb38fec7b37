/**
 * Fails if this machine lacks Debian packages that a suite needs, because such a suite never skips a test. Prints the
 * packages in one line. `tsx scripts/need-packages.ts system`.
 */
import { installCommand, missingPrograms, type Packages } from './required-programs.ts';

/** The Debian package of each program, by suite. Debian 12 has no QuickJS compiler: see docs/decisions. */
const PROGRAMS: Readonly<Record<string, Packages>> = {
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
    sqlite3: 'sqlite3',
    etcd: 'etcd-server',
    etcdctl: 'etcd-client',
    curl: 'curl',
    mvn: 'maven libaio1 libnuma1',
    java: 'default-jre-headless',
    chromium: 'chromium',
  },
};

const suite = process.argv[2] ?? '';
const packages = PROGRAMS[suite] ?? {};
const missing = missingPrograms(packages, ['/usr/sbin', '/sbin']);
if (missing.length > 0) {
  console.error(`The ${suite} tests need: ${installCommand(packages, missing)}`);
  process.exitCode = 1;
}
