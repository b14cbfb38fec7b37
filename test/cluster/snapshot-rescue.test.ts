/**
 * How a file system is thawed on a real kubelet when its pod was deleted while the file system was frozen.
 *
 * @module-tag node
 */
import { resolve } from 'node:path';

import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { pods } from '../../src/kube/resources.ts';
import {
  type ContainerStatus,
  type ExecutionHook,
  executionHooks,
  type ExecutionHookSpec,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { run } from '../e2e/cluster-stand.ts';
import { type ControllerProgram, startController } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type FrozenDisk, openDisk } from './frozen-disk.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { type CaseStand, openCaseStand } from './rollout-case-stand.ts';
import { BASE_IMAGE } from './parameters.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const TIMEOUT_MS = 300_000;
const PATIENCE_SECONDS = 150;
const GRACE_SECONDS = 4;
/** The kernel's error for a file system that is not frozen. */
const NOT_FROZEN = /Invalid argument/;

let stand: CaseStand;
let namespace: string;
let removeNamespace: () => Promise<void>;
let disk: FrozenDisk;

beforeAll(async () => {
  stand = await openCaseStand();
}, TIMEOUT_MS);

afterAll(async () => {
  await stand.close();
}, TIMEOUT_MS);

beforeEach(async () => {
  const { client } = stand;
  ({ namespace, remove: removeNamespace } = await makeNamespace(client, 'rescue'));
  disk = await openDisk(client, { namespace, claimName: 'data' });
  onTestFinished(async () => {
    disk.thaw();
    for (const { metadata } of (await client.list(executionHooks, { namespace })).items) {
      const key = { namespace, name: metadata?.name ?? '' };
      const body = { metadata: { finalizers: [] } };
      await client.patch(executionHooks, key, { type: 'merge', body });
    }
    await removeNamespace();
    await disk[Symbol.asyncDispose]();
  });
}, TIMEOUT_MS);

function lead(): Promise<ControllerProgram> {
  return startController({ kubeconfig: kubeconfigPath() }, ['--namespaced', '-n', namespace]);
}

/**
 * A pod whose writer is a child of the first process, and hangs in the kernel while the file system is frozen. If the
 * first process is killed, the container cannot end before the writer does. No other process can start in it.
 */
async function makePod(name: string): Promise<void> {
  const pod: Pod = {
    metadata: { namespace, name },
    spec: {
      terminationGracePeriodSeconds: GRACE_SECONDS,
      containers: [
        {
          name: 'db',
          image: BASE_IMAGE,
          imagePullPolicy: 'IfNotPresent',
          securityContext: { privileged: true },
          command: ['sh', '-c', '(while :; do date >/data/now; sleep 0.2; done) & wait'],
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  };
  await stand.client.create(pods, pod);
  const isReady = async (): Promise<boolean> => {
    const { status } = await stand.client.get(pods, { namespace, name });
    return (
      status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true
    );
  };
  await eventually(`${name} runs`, isReady, PATIENCE_SECONDS);
}

async function makeHook(name: string, spec: ExecutionHookSpec): Promise<void> {
  await stand.client.create(executionHooks, { metadata: { namespace, name }, spec });
}

/** A hook whose freeze command leaves no process in the container that could thaw later. */
function byCommand(pod: string, more: Partial<ExecutionHookSpec> = {}): ExecutionHookSpec {
  return {
    podContainerNamesList: [{ podName: pod, containerNames: ['db'] }],
    lockScope: 'Kernel',
    preAction: { exec: { command: ['fsfreeze', '--freeze', '/data'] } },
    postAction: { exec: { command: ['fsfreeze', '--unfreeze', '/data'] } },
    ...more,
  };
}

function hook(name: string): Promise<ExecutionHook> {
  return stand.client.get(executionHooks, { namespace, name });
}

async function target(name: string): Promise<ContainerStatus | undefined> {
  return (await hook(name)).status?.containerExecutionHookStatuses?.[0];
}

async function condition(name: string, type: string): Promise<string | undefined> {
  const { status } = await hook(name);
  return status?.conditions?.find((each) => each.type === type)?.reason;
}

async function untilFrozen(name: string): Promise<void> {
  const isFrozen = async (): Promise<boolean> =>
    (await hook(name)).status?.preActionSucceed === true;
  await eventually(`${name} is frozen`, isFrozen, PATIENCE_SECONDS);
}

async function thawedBy(name: string): Promise<string> {
  const look = async (): Promise<string | undefined> => (await target(name))?.thawedBy;
  return eventually(`${name} is thawed`, look, PATIENCE_SECONDS);
}

async function untilDeleted(name: string): Promise<void> {
  const isDeleted = async (): Promise<boolean> =>
    (await getOrNull(stand.client, pods, { namespace, name })) === null;
  await eventually(`the pod ${name} is deleted`, isDeleted, PATIENCE_SECONDS);
}

/**
 * Resolves when the grace period is over by 2 s. Only the process that hangs in the kernel is left and keeps the pod.
 */
async function untilItHangs(name: string): Promise<void> {
  const hangs = async (): Promise<boolean> => {
    const { metadata } = await stand.client.get(pods, { namespace, name });
    // The deletionTimestamp includes the grace period.
    const endMs = Date.parse(metadata?.deletionTimestamp ?? '');
    return Date.now() > endMs + 2_000;
  };
  await eventually(`the pod ${name} hangs`, hangs, PATIENCE_SECONDS);
}

it(
  'a pod that is deleted while it is frozen is thawed at once',
  { timeout: TIMEOUT_MS },
  async () => {
    await using _controller = await lead();
    await makePod('a');
    await makeHook('h', {
      podContainerNamesList: [{ podName: 'a', containerNames: ['db'] }],
      recipe: { name: 'fsfreeze', parameters: { path: '/data' } },
    });
    await untilFrozen('h');
    await stand.client.delete(pods, { namespace, name: 'a' });
    expect(await thawedBy('h')).toBe('session');
    expect(disk.thaw()).toMatch(NOT_FROZEN);
    await untilDeleted('a');
  },
);

it(
  'a rescue pod thaws a pod that hangs, since its writer waits for the frozen file system',
  { timeout: TIMEOUT_MS },
  async () => {
    const first = await lead();
    await makePod('a');
    await makeHook('h', byCommand('a', { rescue: {} }));
    await untilFrozen('h');
    await first.kill();
    await stand.client.delete(pods, { namespace, name: 'a' });
    await untilItHangs('a');
    await using _next = await lead();
    expect(await thawedBy('h')).toBe('rescue');
    expect(disk.thaw()).toMatch(NOT_FROZEN);
    await untilDeleted('a');
    const isAlone = async (): Promise<boolean> =>
      (await stand.client.list(pods, { namespace })).items.length === 0;
    await eventually('the rescue pod is deleted', isAlone, PATIENCE_SECONDS);
  },
);

it(
  'a rescue pod of the recipe thaws what a pod that is removed by force has left frozen',
  { timeout: TIMEOUT_MS },
  async () => {
    const first = await lead();
    await makePod('a');
    await makeHook('h', {
      podContainerNamesList: [{ podName: 'a', containerNames: ['db'] }],
      recipe: { name: 'fsfreeze', parameters: { path: '/data' } },
    });
    await untilFrozen('h');
    await first.kill();
    await stand.client.delete(pods, { namespace, name: 'a' }, { gracePeriodSeconds: 0 });
    await using _next = await lead();
    expect(await thawedBy('h')).toBe('rescue');
    expect(disk.thaw()).toMatch(NOT_FROZEN);
  },
);

it(
  'without a rescue nothing freezes the claim again until a person has released it',
  { timeout: TIMEOUT_MS },
  async () => {
    const first = await lead();
    await makePod('a');
    await makeHook('h', byCommand('a'));
    await untilFrozen('h');
    await first.kill();
    await stand.client.delete(pods, { namespace, name: 'a' }, { gracePeriodSeconds: 0 });
    await using _next = await lead();
    const isUnproven = async (): Promise<boolean> =>
      (await condition('h', 'ThawUnproven')) === 'ContainerEnded';
    await eventually('it is unproven', isUnproven, PATIENCE_SECONDS);
    expect((await target('h'))?.thawedBy).toBeUndefined();
    await makePod('b');
    await makeHook('next', byCommand('b'));
    const isBlocked = async (): Promise<boolean> =>
      (await condition('next', 'Frozen')) === 'ThawUnproven';
    await eventually('the next hook waits', isBlocked, PATIENCE_SECONDS);
    // An empty result proves that the file system was still frozen.
    expect(disk.thaw()).toBe('');
    const where = ['--kubeconfig', kubeconfigPath(), '-n', namespace];
    const release = ['snapshot', 'release', 'h', '--by', 'the-test', ...where];
    expect(await run(process.execPath, [PROGRAM, ...release])).toMatchObject({ code: 0 });
    await untilFrozen('next');
    expect(await thawedBy('h')).toBe('released');
    await stand.client.delete(executionHooks, { namespace, name: 'next' });
  },
);
