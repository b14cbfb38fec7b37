/** How the end of a restore hook is recorded on a simulated API server. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import { persistentVolumeClaims, pods } from '../../../src/kube/resources.ts';
import type {
  RestoreHook,
  SnapshotRestore,
} from '../../../src/lifecycles/snapshot/restore/kinds.ts';
import { failure } from '../controller/sim-api.ts';
import { RestoreBench } from './restore-bench.ts';

const HOUR_MS = 3_600_000;
const drain: RestoreHook = {
  name: 'drain',
  exec: { podName: 'db', containerName: 'db', command: ['drain'] },
};

function benchOf(hook: RestoreHook = drain): RestoreBench {
  const bench = new RestoreBench();
  bench.makePod('db');
  bench.makeSnapshot();
  bench.makeRestore({ preRestore: [hook] });
  return bench;
}

async function run(bench: RestoreBench): Promise<void> {
  bench.startRestores();
  await bench.eventually('the restore is over', () => bench.isOver(), HOUR_MS);
}

it('has no secret of the container in its record and its events', async () => {
  const bench = benchOf();
  bench.secretsOf = () => Promise.resolve(['hunter22']);
  bench.behaviours.set('drain', { exitCode: 1, output: 'login with hunter22 failed' });
  await run(bench);
  const [attempt] = bench.restore()?.status?.hooks?.[0]?.attempts ?? [];
  expect(attempt).toMatchObject({ outcome: 'Failed', output: 'login with *** failed' });
  expect(JSON.stringify([bench.restore(), bench.events()])).not.toContain('hunter22');
});

it('has no secret of its own pod in its record and its events', async () => {
  const bench = benchOf({ name: 'rekey', pod: { image: 'i', command: ['run'] } });
  bench.secretsOf = () => Promise.resolve(['hunter22']);
  bench.lastWords = 'login with hunter22 failed';
  bench.exitCodes.set('rekey', 1);
  await run(bench);
  const [attempt] = bench.restore()?.status?.hooks?.[0]?.attempts ?? [];
  expect(attempt).toMatchObject({ outcome: 'Failed', output: 'login with *** failed' });
  expect(JSON.stringify([bench.restore(), bench.events()])).not.toContain('hunter22');
});

it('is kept until its record is durable (SNAP-V10)', async () => {
  const bench = benchOf();
  const replace = bench.api.replace.bind(bench.api);
  let refused = 0;
  bench.api.replace = (resource, given, part) => {
    const [attempt] = (given as SnapshotRestore).status?.hooks?.[0]?.attempts ?? [];
    if (attempt?.outcome !== undefined && refused === 0) {
      refused += 1;
      throw failure(500, 'InternalError', 'the storage does not answer');
    }
    return replace(resource, given, part);
  };
  await run(bench);
  expect(refused).toBe(1);
  expect(bench.ran).toHaveLength(1);
  expect(bench.restore()?.status).toMatchObject({
    phase: 'Completed',
    hooks: [{ name: 'drain', outcome: 'Succeeded', attempts: [{ outcome: 'Succeeded' }] }],
  });
});

it.each([0, 1])(
  'names the pod of a user that keeps a claim of a rehearsal, whose check exits with %i (SNAP-V12)',
  async (exitCode) => {
    const bench = new RestoreBench();
    bench.makeSnapshot();
    bench.exitCodes.set('check', exitCode);
    bench.makeRestore({ scratch: true, verify: [{ name: 'check', pod: { image: 'i' } }] });
    bench.startRestores();
    const copyOf = (): string | undefined => bench.claimNames().find((name) => name !== 'data');
    await bench.eventually('the copy is created', () => copyOf() !== undefined, 60_000);
    const claimName = copyOf() ?? '';
    const key = { namespace: 'ns', name: claimName };
    const protect = (finalizers: string[]): void => {
      const body = { metadata: { finalizers } };
      bench.api.patch(persistentVolumeClaims, key, { type: 'merge', body });
    };
    protect(['kubernetes.io/pvc-protection']);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName } }];
    const metadata = { namespace: 'ns', name: 'reader' };
    bench.api.create(pods, { metadata, spec: { containers: [], volumes } } as Pod);
    const said = (): string | undefined =>
      bench
        .restore()
        ?.status?.conditions?.find(
          ({ type, reason }) => type === 'Reconciling' && reason === 'WaitForClaim',
        )?.message;
    await bench.eventually('it waits', () => said() !== undefined, 600_000);
    expect(said()).toBe(
      `Claim ${claimName} is being deleted, and is kept by pods that mount it: reader.`,
    );
    protect([]);
    await bench.eventually('it is over', () => bench.isOver(), 60_000);
    expect(bench.claimNames()).toEqual(['data']);
  },
);

it.each([
  ['exceeded quota: pods, requested: pods=1, used: pods=9, limited: pods=9', 'Unreached'],
  ['pods is forbidden: User "lifehook" cannot create resource "pods"', 'Denied'],
])('is Denied if its pod is forbidden, but not if a quota refuses it: %s', async (...of) => {
  const [message, notStarted] = of;
  const bench = benchOf({ name: 'drain', pod: { image: 'i', command: ['drain'] } });
  const create = bench.api.create.bind(bench.api);
  bench.api.create = (resource, object) => {
    if (resource !== pods) return create(resource, object);
    throw failure(403, 'Forbidden', message);
  };
  await run(bench);
  const [attempt] = bench.restore()?.status?.hooks?.[0]?.attempts ?? [];
  expect(attempt).toMatchObject({ outcome: 'Failed', notStarted });
});
