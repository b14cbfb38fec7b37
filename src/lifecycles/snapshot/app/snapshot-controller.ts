/**
 * The controller of application-consistent snapshots: freezes by ExecutionHooks, lets the snapshotter cut the volumes,
 * requests the thaw as soon as they are cut, and gives a verdict on the result.
 */
import { type Controller, makeController } from '../../../controller/controller.ts';
import type { SnapshotContext } from '../context.ts';
import { SnapshotCaches } from './caches.ts';
import { SnapshotDriver } from './drive.ts';

/** Snapshots in parallel: reconciles wait for requests only. */
const WORKERS = 8;
/** Milliseconds. An application may be frozen, so a failed reconcile is retried soon. */
const BACKOFF = { firstMs: 50, maxMs: 5_000 };

export function makeSnapshotController(context: SnapshotContext): Controller {
  const caches = new SnapshotCaches(context);
  const driver = new SnapshotDriver(context, caches);
  return makeController({
    name: 'application-snapshots',
    sources: caches.sources(),
    reconcile: (key, pass) => driver.pass(key, pass),
    // A snapshot that may have frozen targets never waits for new snapshots, however many there are.
    isUrgent: (key) => caches.mayBeFrozen(key),
    platform: context.platform,
    random: context.random,
    workers: WORKERS,
    backoff: BACKOFF,
    observe: context.observeController,
  });
}
