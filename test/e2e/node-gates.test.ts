/**
 * The sleep action across restarts of a cluster with other feature gates (prestop-sleep.md, "Upgrade / Downgrade
 * Strategy", "Version Skew Strategy"; requirements POD-SL4, POD-SL13, POD-SL14, POD-SL15).
 */
import type { Lifecycle, Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { deployments, pods } from '../../src/kube/resources.ts';
import { type Bench, openBench } from './pod-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench('process');
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const namespace = 'default';
const OFF = 'PodLifecycleSleepAction=false';
const ZERO_OFF = 'PodLifecycleSleepActionAllowZero=false';
const TICKING = 'trap "exit 0" TERM; while :; do sleep 0.05; done';
/** Seconds; longer than a test waits for a pod to exit, so the test fails if a process really sleeps. */
const TOO_LONG = 500;
const GRACE = 600;

async function restart(...options: readonly string[]): Promise<void> {
  await bench.cluster.lifehook('down');
  const up = await bench.cluster.lifehook('up', ...options);
  expect(up.stderr).toBe('');
}

async function makeSleeper(name: string, lifecycle: Lifecycle): Promise<void> {
  const spec = {
    terminationGracePeriodSeconds: GRACE,
    containers: [bench.container(TICKING, { lifecycle })],
  };
  await bench.create(name, spec);
}

function hookOf({ spec }: Pod): Lifecycle | undefined {
  return spec?.containers[0]?.lifecycle;
}

/** Deletes a pod; fails if the pod waits for its whole grace period. */
async function secondsToRemove(name: string): Promise<number> {
  const begunMs = Date.now();
  await bench.remove(name);
  return (Date.now() - begunMs) / 1_000;
}

async function makeDeployment(name: string, seconds: number): Promise<void> {
  const lifecycle = { preStop: { sleep: { seconds } } };
  await bench.cluster.client.create(deployments, {
    metadata: { name, namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [bench.container(TICKING, { lifecycle })] },
      },
    },
  });
}

async function templateHook(name: string): Promise<Lifecycle | undefined> {
  const { spec } = await bench.cluster.client.get(deployments, { namespace, name });
  return spec?.template.spec?.containers[0]?.lifecycle;
}

const sleepOf = (seconds: number): Lifecycle => ({ preStop: { sleep: { seconds } } });

test('a downgrade keeps the sleep hooks of existing objects and drops new ones, and an upgrade admits them again', async () => {
  await makeSleeper('before', sleepOf(TOO_LONG));
  await makeSleeper('kept', sleepOf(2));
  await makeDeployment('before', 2);
  await bench.running('before');

  await restart('--apiserver-feature-gates', OFF, '--node-feature-gates', OFF);
  expect(hookOf(await bench.get('before'))).toEqual(sleepOf(TOO_LONG));
  expect(await templateHook('before')).toEqual(sleepOf(2));
  await makeSleeper('during', sleepOf(2));
  expect(hookOf(await bench.get('during'))).toEqual({});
  await makeSleeper('during-mixed', { ...sleepOf(2), postStart: { exec: { command: ['true'] } } });
  expect(hookOf(await bench.get('during-mixed'))).toEqual({
    postStart: { exec: { command: ['true'] } },
  });
  await makeDeployment('during', 2);
  expect(await templateHook('during')).toEqual({});
  // With the gate off, an update keeps the sleep action of an object that has one, but cannot add one to another
  // object.
  await bench.cluster.client.patch(
    deployments,
    { namespace, name: 'before' },
    { type: 'merge', body: { spec: { paused: true } } },
  );
  expect(await templateHook('before')).toEqual(sleepOf(2));
  const bringIn = [
    { op: 'add', path: '/spec/template/spec/containers/0/lifecycle', value: sleepOf(2) },
  ];
  await bench.cluster.client.patch(
    deployments,
    { namespace, name: 'during' },
    { type: 'json', body: bringIn as never },
  );
  expect(await templateHook('during')).toEqual({});
  // The gate of the node is off, so the hook succeeds at once (POD-K31).
  await bench.running('before');
  await bench.remove('before');

  await restart();
  await makeSleeper('after', sleepOf(2));
  expect(hookOf(await bench.get('after'))).toEqual(sleepOf(2));
  await bench.running('kept');
  await bench.running('after');
  for (const name of ['kept', 'after']) {
    expect(await secondsToRemove(name)).toBeGreaterThanOrEqual(2);
  }
  expect(await templateHook('during')).toEqual({});
});

test('a pod with a sleep hook is deleted without a sleep when only the server or only the node has the gate', async () => {
  await restart('--node-feature-gates', OFF);
  await makeSleeper('node-off', sleepOf(TOO_LONG));
  expect(hookOf(await bench.get('node-off'))).toEqual(sleepOf(TOO_LONG));
  await bench.running('node-off');
  await bench.remove('node-off');
  expect((await bench.events('node-off')).join('\n')).not.toContain('FailedPreStopHook');

  await restart('--apiserver-feature-gates', OFF);
  await makeSleeper('server-off', sleepOf(TOO_LONG));
  expect(hookOf(await bench.get('server-off'))).toEqual({});
  await bench.running('server-off');
  await bench.remove('server-off');
});

test('a sleep of zero is refused without its gate, but existing objects keep it', async () => {
  await restart();
  await makeSleeper('zero', sleepOf(0));
  await makeDeployment('zero', 0);
  await restart('--apiserver-feature-gates', ZERO_OFF);
  await expect(makeSleeper('zero-new', sleepOf(0))).rejects.toThrow(/must be greater than 0/);
  await expect(makeDeployment('zero-new', 0)).rejects.toThrow(/must be greater than 0/);
  const { client } = bench.cluster;
  const annotated = { metadata: { annotations: { a: 'b' } } };
  await client.patch(pods, { namespace, name: 'zero' }, { type: 'merge', body: annotated });
  await client.patch(
    deployments,
    { namespace, name: 'zero' },
    { type: 'merge', body: { spec: { paused: true } } },
  );
  expect(await templateHook('zero')).toEqual(sleepOf(0));
  await bench.running('zero');
  await bench.remove('zero');
  await restart();
  await makeSleeper('zero-again', sleepOf(0));
  expect(hookOf(await client.get(pods, { namespace, name: 'zero-again' }))).toEqual(sleepOf(0));
});
