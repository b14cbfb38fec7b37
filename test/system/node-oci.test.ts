/**
 * The node with an OCI runtime: the same cases that test/e2e runs with containers that are plain processes, and cases
 * that need an OCI runtime.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { envCases } from '../e2e/node-env-cases.ts';
import { lifeCases } from '../e2e/node-life-cases.ts';
import { probeCases } from '../e2e/node-probe-cases.ts';
import { missingCases } from '../e2e/node-missing-cases.ts';
import { volumeCases } from '../e2e/node-volume-cases.ts';
import { type Bench, openBench } from '../e2e/pod-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench('runc');
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

volumeCases(() => bench);
missingCases(() => bench);
envCases(() => bench);
lifeCases(() => bench);
probeCases(() => bench);

test('a downwardAPI volume is read-only, also for root', async () => {
  const { create, container, until, logs } = bench;
  await create('read-only', {
    restartPolicy: 'Never',
    containers: [
      container('touch /self/x', { volumeMounts: [{ name: 'self', mountPath: '/self' }] }),
    ],
    volumes: [
      {
        name: 'self',
        downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
      },
    ],
  });
  await until('read-only', 'has ended', (pod) => pod.status?.phase === 'Failed');
  expect(await logs('read-only')).toContain('Read-only file system');
});

test('fsGroup may read a downwardAPI file of mode 0400', async () => {
  const { create, container, until, logs } = bench;
  await create('grouped', {
    restartPolicy: 'Never',
    securityContext: { runAsUser: 1_000, runAsGroup: 1_000, fsGroup: 2_000 },
    containers: [
      container('cat /self/name; stat -L -c " %a %g" /self/name', {
        volumeMounts: [{ name: 'self', mountPath: '/self' }],
      }),
    ],
    volumes: [
      {
        name: 'self',
        downwardAPI: {
          defaultMode: 0o400,
          items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }],
        },
      },
    ],
  });
  await until('grouped', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
  expect(await logs('grouped')).toBe('grouped 440 2000\n');
});
