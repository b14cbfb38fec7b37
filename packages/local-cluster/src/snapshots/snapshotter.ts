/**
 * The snapshotter: one program for the local cluster and, if volumes are directories of its host, for a real one. It
 * serves the driver `lifehook.dev/local` and ignores all others.
 */
import type { Controller } from '../../../../src/controller/controller.ts';
import { type Election, runManager } from '../../../../src/controller/manager.ts';
import { SharedInformers, type WatchAny } from '../../../../src/controller/shared-informers.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { SnapshotterContext } from './context.ts';
import { makeGroupContentController } from './group/group-contents.ts';
import { makeGroupController } from './group/groups.ts';
import { installSnapshotKinds } from './install-kinds.ts';
import { makeContentController } from './single/contents.ts';
import { makeSnapshotController } from './single/snapshots.ts';
import { Cutter } from './storage/cutter.ts';

/** The kinds must be installed: otherwise their informers never sync. */
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
  /** null: no other snapshotter runs on this cluster. */
  readonly election: Election | null;
  readonly signal: CancelSignal;
}

/** Installs the kinds, then runs the controllers. Resolves when it was stopped. */
export async function runSnapshotter(options: RunOptions): Promise<void> {
  const { watch, client, platform, election, signal } = options;
  await installSnapshotKinds(client, { timers: platform.timers, signal });
  if (signal.aborted) return;
  const informers = new SharedInformers({ watch });
  const controllers = snapshotterControllers({ ...options, informers });
  await runManager({ informers, controllers, election, signal });
}
