/** The controller of schedules: creates their snapshots, and deletes those that their retention does not keep. */
import { type Controller, makeController } from '../../../controller/controller.ts';
import type { SnapshotContext } from '../context.ts';
import { ScheduleCaches } from './caches.ts';
import { ScheduleDriver } from './drive.ts';

export function makeScheduleController(context: SnapshotContext): Controller {
  const caches = new ScheduleCaches(context);
  const driver = new ScheduleDriver(context, caches);
  return makeController({
    name: 'snapshot-schedules',
    sources: caches.sources(),
    reconcile: (key, pass) => driver.pass(key, pass),
    platform: context.platform,
    random: context.random,
    observe: context.observeController,
  });
}
