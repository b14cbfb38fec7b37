import type { Controller } from '../../controller/controller.ts';
import { makeSnapshotController } from './app/snapshot-controller.ts';
import type { SnapshotContext } from './context.ts';
import { makeHookController } from './hook/hook-controller.ts';

/** All controllers of this lifecycle. The kinds are to be there: their informers never sync otherwise. */
export function snapshotControllers(context: SnapshotContext): readonly Controller[] {
  return [makeHookController(context), makeSnapshotController(context)];
}
