import { describe, expect, it } from 'vitest';

import { noNetworkFaults } from '../../../test/sim/controller/sim-client.ts';
import { HookBench } from '../../../test/sim/snapshot/hook-bench.ts';
import { makeSnapshotController } from './app/snapshot-controller.ts';
import { makeHookController } from './hook/hook-controller.ts';
import { type ApplicationSnapshot, applicationSnapshots } from './kinds.ts';

describe('the controllers of snapshots', () => {
  it.each([
    { controller: 'execution-hooks', key: 'ns/h', make: makeHookController },
    { controller: 'application-snapshots', key: 'ns/s', make: makeSnapshotController },
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
      bench.faults = { ...noNetworkFaults, conflict: 1 };
      bench.start(make);
      await bench.pass(1_000);
      const told = bench.passes.filter(({ type }) => type === 'PassEnded');
      const retried = { controller, key, outcome: { kind: 'retry' } };
      expect(told.length).toBeGreaterThan(3);
      for (const each of told) expect(each).toMatchObject(retried);
    },
  );
});
