/** The OCI runner under the native supervisor, on both runtimes. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeBehaviours } from '../e2e/runtime-behaviours.ts';

describeBehaviours({ name: 'runc', command: '/usr/sbin/runc' });

/** crun refuses a machine with both kinds of cgroups, unless the newer kind is hidden. */
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
