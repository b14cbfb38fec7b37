/** The controller of guards: their status, and the end of old windows. It freezes nothing; windows are snapshots. */
import { type Controller, makeController } from '../../../controller/controller.ts';
import type { SnapshotContext } from '../context.ts';
import { GuardCaches } from './caches.ts';
import { driveGuard } from './drive.ts';

export function makeGuardController(context: SnapshotContext): Controller {
  const caches = new GuardCaches(context);
  return makeController({
    name: 'snapshot-guards',
    sources: caches.sources(),
    reconcile: (key, pass) => driveGuard({ context, caches }, key, pass),
    platform: context.platform,
    random: context.random,
    observe: context.observeController,
  });
}
