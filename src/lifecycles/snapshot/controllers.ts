import type { Controller } from '../../controller/controller.ts';
import { makeSnapshotController } from './app/drive.ts';
import type { SnapshotContext } from './context.ts';
import { makeGuardController } from './guard/drive.ts';
import { makeHookController } from './hook/hook-controller.ts';
import { makeScheduleController } from './schedule/schedule-controller.ts';
import { makeRestoreController } from './restore/restore-controller.ts';

/**
 * All controllers of this lifecycle. The server must serve our own kinds; the kinds of volume snapshots may be missing.
 */
export function snapshotControllers(context: SnapshotContext): readonly Controller[] {
  return [
    makeHookController(context),
    makeSnapshotController(context),
    makeScheduleController(context),
    makeRestoreController(context),
    makeGuardController(context),
  ];
}
