/** The caches of the schedule controller, and the lookup of a schedule by its snapshots and rehearsals. */
import { ownKey } from '../../../controller/indexes.ts';
import type { Informer } from '../../../controller/informer.ts';
import { keyText } from '../../../controller/object-key.ts';
import { OwnWrites } from '../../../controller/own-writes.ts';
import { type Source, watched } from '../../../controller/source.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { SnapshotContext } from '../context.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { SCHEDULE } from '../names.ts';
import { type SnapshotRestore, snapshotRestores } from '../restore/kinds.ts';
import { type SnapshotSchedule, snapshotSchedules } from './kinds.ts';

export class ScheduleCaches {
  readonly schedules: Informer<SnapshotSchedule>;
  readonly snapshots: Informer<ApplicationSnapshot>;
  readonly restores: Informer<SnapshotRestore>;
  readonly writtenSchedules: OwnWrites<SnapshotSchedule>;

  constructor({ informers, scope }: SnapshotContext) {
    this.schedules = informers.of(snapshotSchedules, { scope });
    this.snapshots = informers.of(applicationSnapshots, {
      scope,
      indexes: { schedule: scheduleKeys },
    });
    this.restores = informers.of(snapshotRestores, {
      scope,
      indexes: { schedule: scheduleKeys },
    });
    this.writtenSchedules = new OwnWrites(this.schedules);
  }

  /** The snapshots that name the schedule, including snapshots that it did not create. */
  snapshotsOf(key: string): readonly ApplicationSnapshot[] {
    return this.snapshots.byIndex('schedule', key);
  }

  /** The restores that name the schedule. */
  restoresOf(key: string): readonly SnapshotRestore[] {
    return this.restores.byIndex('schedule', key);
  }

  /** The event sources of the controller; their keys are those of the schedules. */
  sources(): readonly Source[] {
    return [
      watched({ informer: this.schedules, keys: ownKey }),
      watched({ informer: this.snapshots, keys: scheduleKeys }),
      watched({ informer: this.restores, keys: scheduleKeys }),
    ];
  }
}

function scheduleKeys({ metadata = {} }: KubeObject): readonly string[] {
  const { namespace = '', labels = {} } = metadata;
  const name = labels[SCHEDULE];
  return name === undefined ? [] : [keyText({ namespace, name })];
}
