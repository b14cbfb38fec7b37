/** Gives one test a claim on an ext4 file system of its own, so that a freeze affects nothing else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { KubeClient } from '../../src/kube/client.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../src/kube/resources.ts';

export interface FrozenDisk extends AsyncDisposable {
  /** Thaws the file system from the host. Returns '' if it was frozen, else the error. */
  thaw(): string;
}

/** Creates the file system, its volume and the claim. Disposal thaws the file system before it removes it. */
export async function openDisk(
  client: KubeClient,
  { namespace, claimName }: { readonly namespace: string; readonly claimName: string },
): Promise<FrozenDisk> {
  const folder = mkdtempSync('/var/tmp/lifehook-disk-');
  const [image, path] = [join(folder, 'image'), join(folder, 'mount')];
  run('truncate', '-s', '64M', image);
  run('mkfs.ext4', '-q', image);
  run('mkdir', path);
  run('mount', '-o', 'loop', image, path);
  const name = `${namespace}-${claimName}`;
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  await client.create(persistentVolumes, {
    metadata: { name },
    spec: {
      ...common,
      capacity: { storage: '64Mi' },
      hostPath: { path },
      claimRef: { namespace, name: claimName },
    },
  });
  await client.create(persistentVolumeClaims, {
    metadata: { namespace, name: claimName },
    spec: { ...common, volumeName: name, resources: { requests: { storage: '64Mi' } } },
  });
  const thaw = (): string =>
    spawnSync('fsfreeze', ['--unfreeze', path], { encoding: 'utf8' }).stderr.trim();
  return {
    thaw,
    [Symbol.asyncDispose]: async () => {
      thaw();
      await client.delete(persistentVolumes, { name });
      // A container may still have the file system mounted, so a plain unmount would fail.
      run('umount', '--lazy', path);
      rmSync(folder, { recursive: true });
    },
  };
}

function run(file: string, ...args: readonly string[]): void {
  execFileSync(file, args, { timeout: 60_000, stdio: ['ignore', 'ignore', 'pipe'] });
}
