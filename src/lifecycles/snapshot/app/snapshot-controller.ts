/**
 * Makes application-consistent snapshots: freezes by ExecutionHooks, has the volumes cut by whatever
 * snapshotter is theirs, sees to the thaw at the moment of the cut, and says what the result is worth.
 */
import { type Controller, makeController } from '../../../controller/controller.ts';
import type { SnapshotContext } from '../context.ts';
import { SnapshotCaches } from './caches.ts';
import { SnapshotDriver } from './drive.ts';

/** Snapshots at a time: passes wait for requests only. */
const WORKERS = 8;
/** A frozen application waits: a pass that failed is made again soon. */
const BACKOFF = { firstMs: 50, maxMs: 5_000 };

export function makeSnapshotController(context: SnapshotContext): Controller {
  const caches = new SnapshotCaches(context);
  const driver = new SnapshotDriver(context, caches);
  return makeController({
    name: 'application-snapshots',
    sources: caches.sources(),
    reconcile: (key, pass) => driver.pass(key, pass),
    // However many snapshots are new, those that have something frozen do not wait for them.
    isUrgent: (key) => caches.mayBeFrozen(key),
    platform: context.platform,
    random: context.random,
    workers: WORKERS,
    backoff: BACKOFF,
    observe: context.observeController,
  });
}
