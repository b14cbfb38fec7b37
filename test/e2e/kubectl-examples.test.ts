/** Checks that the manifests in examples/pods do what their comments say. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster, run } from './cluster-stand.ts';
import { startKubectl, stepsOn } from './kubectl-steps.ts';

let cluster: ClusterStand;
const { ok } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

test(
  'a pod with every kind of hook runs each of them, and stops its sidecars last',
  { tags: 'kubectl' },
  async () => {
    await ok('apply', '-f', 'examples/pods/hooks.yaml');
    await ok('wait', '--for=condition=Ready', 'pod/hooks', '--timeout=60s');
    const how = ['--all-containers', '--prefix', '--timestamps'];
    const logs = startKubectl(cluster, 'logs', '-f', 'hooks', ...how);
    const events = await ok('events', '--for', 'pod/hooks', '--types=Warning');
    expect(events).toBe('');
    // kubectl requests the logs of all containers at once. A request after the pod is deleted gets no log.
    await eventually('kubectl follows the logs', async () => logs.said().includes('asked for'));
    await ok('delete', 'pod', 'hooks');
    const { stdout } = await logs.ended;
    const lines = linesByTime(stdout);
    expect(lines).toContain('[pod/hooks/first] runs to its end before the others begin');
    expect(lines).toContain('[pod/hooks/web] asked for /started');
    expect(lines).toContain('[pod/hooks/web] web ends');
    expect(lines).toContain('[pod/hooks/worker] worker ends');
    expect(lines.at(-1)).toBe('[pod/hooks/sidecar] sidecar ends');
  },
);

/** Sorted by time: kubectl reads the containers separately, so its output is not in the order of the lines. */
function linesByTime(stdout: string): string[] {
  const said = stdout.trim().matchAll(/^(\S+) (\S+) (.*)$/gmu);
  const timed = [...said].map(([, source = '', time = '', text = '']) => ({
    time,
    line: `${source} ${text}`,
  }));
  return timed.toSorted((a, b) => (a.time < b.time ? -1 : 1)).map(({ line }) => line);
}

test('lifehook pod lint reports only the intended warning for the example', async () => {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const lint = [program, 'pod', 'lint', 'examples/pods/hooks.yaml'];
  const { code, stdout } = await run(process.execPath, lint);
  expect(code).toBe(0);
  expect(stdout).toContain('examples/pods/hooks.yaml: 0 errors, 1 warning');
});
