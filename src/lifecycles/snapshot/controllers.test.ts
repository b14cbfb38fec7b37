import { describe, expect, it } from 'vitest';

import { noNetworkFaults } from '../../../test/sim/controller/sim-client.ts';
import { HookBench } from '../../../test/sim/snapshot/hook-bench.ts';
import { makeSnapshotController } from './app/drive.ts';
import { makeHookController } from './hook/hook-controller.ts';
import { type ApplicationSnapshot, applicationSnapshots } from './kinds.ts';
import { type SnapshotSchedule, snapshotSchedules } from './schedule/kinds.ts';
import { makeScheduleController } from './schedule/schedule-controller.ts';

describe('the controllers of snapshots', () => {
  it.each([
    { controller: 'execution-hooks', key: 'ns/h', make: makeHookController },
    { controller: 'application-snapshots', key: 'ns/s', make: makeSnapshotController },
    { controller: 'snapshot-schedules', key: 'ns/d', make: makeScheduleController },
  ])(
    'report each retry of a $controller reconcile that always fails',
    async ({ controller, key, make }) => {
      const bench = new HookBench();
      bench.makePod('a');
      bench.makeHook('h');
      const snapshot: ApplicationSnapshot = {
        metadata: { namespace: 'ns', name: 's' },
        spec: { source: { persistentVolumeClaimNames: ['data'] } },
      };
      bench.api.create(applicationSnapshots, snapshot);
      const schedule: SnapshotSchedule = {
        metadata: { namespace: 'ns', name: 'd' },
        spec: {
          schedule: '@daily',
          retention: { keepLast: 1 },
          snapshotTemplate: { spec: snapshot.spec },
        },
      };
      bench.api.create(snapshotSchedules, schedule);
      bench.faults = { ...noNetworkFaults, conflict: 1 };
      bench.start(make);
      await bench.pass(1_000);
      const reported = bench.passes.filter(({ type }) => type === 'PassEnded');
      const retried = { controller, key, outcome: { kind: 'retry' } };
      expect(reported.length).toBeGreaterThan(3);
      for (const each of reported) expect(each).toMatchObject(retried);
    },
  );
});
