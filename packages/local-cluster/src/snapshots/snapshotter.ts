/**
 * The snapshotter: the controllers that serve the driver `lifehook.dev/local`, and ignore all others.
 *
 * It runs in the local cluster, and in a real cluster whose volumes are directories of the snapshotter's host.
 */
import type { Controller } from '../../../../src/controller/controller.ts';
import { type Election, runManager } from '../../../../src/controller/manager.ts';
import { SharedInformers, type WatchAny } from '../../../../src/controller/shared-informers.ts';
import { isReason } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { customResourceDefinitions } from '../../../../src/kube/resources.ts';
import {
  classes,
  groupClasses,
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
  type SnapshotClass,
} from '../../../../src/kube/snapshots.ts';
import type { CancelSignal, Timers } from '../../../../src/platform/platform.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import { ensure } from '../ensure.ts';
import { DRIVER, type SnapshotterContext } from './context.ts';
import { groupDefinitions, singleDefinitions } from './crds/snapshot-definitions.ts';
import { makeGroupContentController } from './group/group-contents.ts';
import { makeGroupController } from './group/groups.ts';
import { makeContentController } from './single/contents.ts';
import { makeSnapshotController } from './single/snapshots.ts';
import { Cutter } from './storage/cutter.ts';

/** Install the kinds before: otherwise their informers never sync. */
export function snapshotterControllers(context: SnapshotterContext): readonly Controller[] {
  const cutter = new Cutter(context.platform);
  return [
    makeSnapshotController(context),
    makeContentController(context, cutter),
    makeGroupController(context),
    makeGroupContentController(context, cutter),
  ];
}

export interface RunOptions extends Omit<SnapshotterContext, 'informers'> {
  readonly watch: WatchAny;
  /** Leader election; null if no other snapshotter runs on this cluster. */
  readonly election: Election | null;
  readonly signal: CancelSignal;
}

/** Installs the kinds, then runs the controllers. Resolves once `signal` has aborted and all have stopped. */
export async function runSnapshotter(options: RunOptions): Promise<void> {
  const { watch, client, platform, election, signal } = options;
  await installSnapshotKinds(client, { timers: platform.timers, signal });
  if (signal.aborted) return;
  const informers = new SharedInformers({ watch });
  const controllers = snapshotterControllers({ ...options, informers });
  await runManager({ informers, controllers, election, signal });
}

/** Name of the two classes that are installed with the snapshot kinds. Existing kinds and classes stay unchanged. */
export const CLASS_NAME = 'local';
/** Attempts to create a class: a kind is served only a moment after its definition was created. */
const TRIES = 50;
const PAUSE_MS = 100;

interface Waiting {
  readonly timers: Timers;
  readonly signal: CancelSignal;
}

async function installSnapshotKinds(client: KubeClient, waiting: Waiting): Promise<void> {
  for (const definition of [...singleDefinitions, ...groupDefinitions]) {
    await ensure(client, customResourceDefinitions, definition);
  }
  const what = { driver: DRIVER, deletionPolicy: 'Delete' as const };
  const named = (annotation: string): SnapshotClass => ({
    metadata: { name: CLASS_NAME, annotations: { [annotation]: 'true' } },
    ...what,
  });
  await whenServed(waiting, () => ensure(client, classes, named(IS_DEFAULT_CLASS)));
  await whenServed(waiting, () => ensure(client, groupClasses, named(IS_DEFAULT_GROUP_CLASS)));
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
