/** How the end of a restore hook is recorded on a simulated API server. */
import { expect, it } from 'vitest';

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
