/** One namespace with claims of a driver whose snapshotter is the test, a pod that mounts the claims, and hooks. */
import { afterAll, beforeAll } from 'vitest';

import { namespaces } from '../../src/kube/resources.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshotSpec,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { HookHand, type HookManners } from './snapshot-app-hooks.ts';
import { type AppStand, openApp } from './snapshot-app-stand.ts';
import { CLASS, makeClaim, makeClasses, runPod, SnapshotterHand } from './snapshot-app-storage.ts';

export interface WorldOptions {
  readonly namespace: string;
  readonly claims: readonly string[];
  /** Behaviour of the hooks, by name of their template. Default: success. */
  readonly manners?: Record<string, HookManners>;
  /** Whether a pod `db-0` uses the claims; default true. */
  readonly isUsed?: boolean;
}

export interface World extends AsyncDisposable {
  readonly namespace: string;
  readonly storage: SnapshotterHand;
  /** The actions of the hooks, each with the number of its hook. */
  log(): readonly string[];
  /** Creates the snapshot `nightly` of all claims. */
  make(spec: Partial<ApplicationSnapshotSpec>): Promise<{ namespace: string; name: string }>;
}

export interface Worlds {
  /** The stand; available from the first test of the file on. */
  readonly stand: () => AppStand;
  /** Opens one more world, in its own namespace. */
  readonly open: (options: Omit<WorldOptions, 'namespace'>) => Promise<World>;
}

/** One stand for all tests of a file. */
export function openWorlds(): Worlds {
  let stand: AppStand;
  let count = 0;
  beforeAll(async () => {
    stand = await openApp();
  });
  afterAll(async () => {
    await stand.close();
  });
  return {
    stand: () => stand,
    open: (options) => {
      count += 1;
      return openWorld(stand, { namespace: `app-${count}`, ...options });
    },
  };
}

async function openWorld(
  { client }: AppStand,
  { namespace, claims, manners = {}, isUsed = true }: WorldOptions,
): Promise<World> {
  await makeClasses(client);
  await client.create(namespaces, { metadata: { name: namespace } });
  const labels = { app: 'db' };
  for (const name of claims) await makeClaim(client, { namespace, name }, { labels });
  if (isUsed) await runPod(client, { namespace, name: 'db-0' }, claims);
  const hand = new HookHand(client, namespace, manners);
  return {
    namespace,
    storage: new SnapshotterHand(client, namespace),
    log: () => hand.log.map((line) => line.replace(/nightly-[0-9a-f]{8}-hook-/, '')),
    make: async (spec) => {
      const key = { namespace, name: 'nightly' };
      const source = { persistentVolumeClaimNames: [...claims] };
      const whole = { source, volumeSnapshotClassName: CLASS, ...spec };
      if (whole.mode === 'Group') Reflect.deleteProperty(whole, 'volumeSnapshotClassName');
      await client.create(applicationSnapshots, { metadata: key, spec: whole });
      return key;
    },
    [Symbol.asyncDispose]: () => hand[Symbol.asyncDispose](),
  };
}

export function hooked(...templates: readonly string[]): Partial<ApplicationSnapshotSpec> {
  return {
    executionHookInfos: templates.map((executionHookTemplateName) => ({
      executionHookTemplateName,
    })),
  };
}
