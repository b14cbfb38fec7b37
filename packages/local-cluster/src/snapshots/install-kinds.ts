/** Installs the snapshot kinds, and a class for each group, in a cluster without them; existing ones stay unchanged. */
import { isReason } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { createOrGet } from '../../../../src/kube/get-or-null.ts';
import { customResourceDefinitions } from '../../../../src/kube/resources.ts';
import type { CancelSignal, Timers } from '../../../../src/platform/platform.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import {
  classes,
  groupClasses,
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
  type SnapshotClass,
} from '../../../../src/kube/snapshots.ts';
import { groupDefinitions } from './crds/group-definitions.ts';
import { singleDefinitions } from './crds/single-definitions.ts';
import { DRIVER } from './context.ts';

export const CLASS_NAME = 'local';
/** A kind is served shortly after its definition was created. */
const TRIES = 50;
const PAUSE_MS = 100;

export interface Waiting {
  readonly timers: Timers;
  readonly signal: CancelSignal;
}

export async function installSnapshotKinds(client: KubeClient, waiting: Waiting): Promise<void> {
  for (const definition of [...singleDefinitions, ...groupDefinitions]) {
    await createOrGet(client, customResourceDefinitions, definition);
  }
  const what = { driver: DRIVER, deletionPolicy: 'Delete' as const };
  const named = (annotation: string): SnapshotClass => ({
    metadata: { name: CLASS_NAME, annotations: { [annotation]: 'true' } },
    ...what,
  });
  await whenServed(waiting, () => createOrGet(client, classes, named(IS_DEFAULT_CLASS)));
  await whenServed(waiting, () => createOrGet(client, groupClasses, named(IS_DEFAULT_GROUP_CLASS)));
}

async function whenServed(
  { timers, signal }: Waiting,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isReason(error, 'NotFound') || tries === TRIES) throw error;
    }
    await sleep(timers, PAUSE_MS, signal);
  }
}
