/** Tests the OCI runner under the native supervisor, with runc and with crun. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeBehaviours } from '../e2e/runtime-behaviours.ts';

describeBehaviours({ name: 'runc', command: '/usr/sbin/runc' });

/** A script that hides cgroups v2 from crun, which refuses a machine with both kinds of cgroups. */
const folder = mkdtempSync(join(tmpdir(), 'lifehook-crun-'));
const crun = join(folder, 'crun');
writeFileSync(
  crun,
  `#!/bin/sh
exec unshare -m sh -c 'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; exec crun "$@"' sh "$@"
`,
);
chmodSync(crun, 0o755);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describeBehaviours({ name: 'crun', command: crun });
