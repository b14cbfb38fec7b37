import type { Controller } from '../../controller/controller.ts';
import { makeSnapshotController } from './app/snapshot-controller.ts';
import type { SnapshotContext } from './context.ts';
import { makeHookController } from './hook/hook-controller.ts';

/** All controllers of this lifecycle. Our own kinds must be served; those of volume snapshots may be missing. */
export function snapshotControllers(context: SnapshotContext): readonly Controller[] {
  return [makeHookController(context), makeSnapshotController(context)];
}
