/** Writes of the replicas of a workload that meet another client or a refusal, on a simulated API server. */
import { describe, expect, it } from 'vitest';

import { failure } from '../controller/sim-api.ts';
import { WorkloadBench } from './workload-bench.ts';

const HOUR_MS = 3_600_000;
const REFUSED = 'ScaleBackRefused';

function makeBench(): WorkloadBench {
  const bench = new WorkloadBench({ kind: 'StatefulSet' });
  bench.makeSnapshot('ApplicationConsistent', 'data-db-0');
  return bench;
}

async function start(bench: WorkloadBench): Promise<void> {
  await bench.eventually('it runs', () => bench.podsOfWorkload().length === 2, HOUR_MS);
  bench.makeRestore({ preRestore: [{ name: 'stop', scale: { kind: bench.kind, name: 'db' } }] });
  bench.startRestores();
}

async function end(bench: WorkloadBench): Promise<void> {
  await bench.eventually('the restore is over', () => bench.isOver(), HOUR_MS);
}

async function run(bench: WorkloadBench): Promise<void> {
  await start(bench);
  await end(bench);
}

const failureOf = (bench: WorkloadBench): string =>
  bench.restore()?.status?.failure?.message ?? 'none';

describe('a write of the replicas of a workload (SNAP-V9)', () => {
  /** Calls `change` after the workload was read, just before the write that sets these replicas. */
  const before = (bench: WorkloadBench, replicas: number, change: () => void): void => {
    const patch = bench.api.patch.bind(bench.api);
    let isChanged = false;
    bench.api.patch = (resource, key, options) => {
      const { spec } = options.body as { readonly spec?: { readonly replicas?: number } };
      if (options.subresource === 'scale' && spec?.replicas === replicas && !isChanged) {
        isChanged = true;
        change();
      }
      return patch(resource, key, options);
    };
  };

  const refuse = (): never => {
    throw failure(422, 'Invalid', 'the policy says no');
  };

  it('does not stop another workload that has the name by now', async () => {
    const bench = makeBench();
    before(bench, 0, () => {
      bench.replace();
    });
    await run(bench);
    expect(failureOf(bench)).toContain('StatefulSet db was replaced');
    expect(bench.replicas()).toBe(2);
  });

  it('ends the restore with the reason if the server refuses to stop the workload', async () => {
    const bench = makeBench();
    before(bench, 0, refuse);
    await run(bench);
    expect(failureOf(bench)).toContain(
      'The server refuses to scale StatefulSet db to 0 replicas: the policy says no.',
    );
    expect(bench.replicas()).toBe(2);
  });

  it('is retried while the server refuses to scale back, and the restore says so', async () => {
    const bench = makeBench();
    before(bench, 2, refuse);
    await start(bench);
    const said = () =>
      bench.restore()?.status?.conditions?.find(({ reason }) => reason === REFUSED);
    await bench.eventually('it waits', () => said() !== undefined, HOUR_MS);
    const message =
      'The server refuses to scale StatefulSet db back to 2 replicas: the policy says no. It is retried every 10 s.';
    expect(said()?.message).toBe(message);
    await end(bench);
    expect(bench.events()).toContain(`${REFUSED}: ${message}`);
    expect([failureOf(bench), bench.replicas()]).toEqual(['none', 2]);
  });

  it('does not replace those that a user has set meanwhile', async () => {
    const bench = makeBench();
    before(bench, 2, () => {
      bench.scale(3);
    });
    await run(bench);
    expect(failureOf(bench)).toBe('none');
    expect(bench.replicas()).toBe(3);
  });
});
