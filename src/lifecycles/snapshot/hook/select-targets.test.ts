import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import type { ExecutionHookSpec, HookPolicy } from '../kinds.ts';
import { MAX_TARGETS, selectTargets } from './select-targets.ts';

interface PodShape {
  readonly containers?: readonly string[];
  readonly waiting?: readonly string[];
  readonly sidecars?: readonly string[];
  readonly phase?: string;
  readonly ready?: boolean;
  readonly terminating?: boolean;
}

function pod(name: string, shape: PodShape = {}): Pod {
  const {
    containers = ['db'],
    waiting = [],
    sidecars = [],
    phase = 'Running',
    ready = true,
  } = shape;
  const state = (container: string): object =>
    waiting.includes(container) ? { waiting: {} } : { running: {} };
  const statuses = (names: readonly string[]): object[] =>
    names.map((each) => ({
      name: each,
      containerID: `id-${each}`,
      restartCount: 1,
      state: state(each),
    }));
  return {
    metadata: {
      name,
      uid: `uid-${name}`,
      ...(shape.terminating === true ? { deletionTimestamp: 'x' } : {}),
    },
    spec: {
      nodeName: 'node-1',
      initContainers: [
        { name: 'setup' },
        ...sidecars.map((each) => ({ name: each, restartPolicy: 'Always' })),
      ],
      containers: containers.map((each) => ({ name: each })),
    },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      containerStatuses: statuses(containers),
      initContainerStatuses: statuses(['setup', ...sidecars]),
    },
  } as unknown as Pod;
}

function select(
  pods: readonly Pod[],
  spec: Partial<ExecutionHookSpec> = {},
  { policy = 'ExecuteAll', lost = [] }: { policy?: HookPolicy; lost?: string[] } = {},
): string[] | string {
  const selection = selectTargets({ spec, policy, pods, lostNodes: new Set(lost) });
  if ('reason' in selection) return selection.reason;
  return selection.targets.map(({ podName, containerName }) => `${podName}/${containerName}`);
}

const listed = (...containerNames: string[]): Partial<ExecutionHookSpec> => ({
  podContainerNamesList: [{ podName: 'a', containerNames }],
});

describe('selectTargets', () => {
  it('selects every running container of the pods in order, with sidecars', () => {
    const pods = [pod('b', { containers: ['y', 'x'], sidecars: ['proxy'] }), pod('a')];
    expect(select(pods)).toEqual(['a/db', 'b/proxy', 'b/y', 'b/x']);
  });

  it('skips ended pods and waiting containers (SNAP-CASE27)', () => {
    const pods = [
      pod('a', { phase: 'Succeeded', terminating: true }),
      pod('b', { containers: ['x', 'y'], waiting: ['x'] }),
    ];
    expect(select(pods)).toEqual(['b/y']);
  });

  it('refuses a selected pod that is terminating and still writes (SNAP-CASE27)', () => {
    const containers = ['db', 'log'];
    const pods = [pod('a', { containers }), pod('c', { terminating: true })];
    expect(select(pods)).toBe('PodTerminating');
    expect(select(pods, { containerSelector: { ContainerName: 'log' } })).toEqual(['a/log']);
  });

  it('selects the containers of one name', () => {
    const pods = [pod('a', { containers: ['db', 'log'] }), pod('b', { containers: ['log'] })];
    expect(select(pods, { containerSelector: { ContainerName: 'log' } })).toEqual([
      'a/log',
      'b/log',
    ]);
  });

  it('prefers the list to a selector (SNAP-R4)', () => {
    const pods = [pod('a', { containers: ['db', 'log'] }), pod('b')];
    const spec = { ...listed('log'), containerSelector: { ContainerName: 'db' } };
    expect(select(pods, spec)).toEqual(['a/log']);
  });

  it('selects all containers of the first ready pod for ExecuteOnce (SNAP-G6)', () => {
    const pods = [
      pod('c'),
      pod('b', { containers: ['x', 'y'] }),
      pod('a', { ready: false }),
      pod('aa', { terminating: true }),
    ];
    expect(select(pods, {}, { policy: 'ExecuteOnce' })).toEqual(['b/x', 'b/y']);
  });

  it('fails with NoTarget without pods, unless onNoTarget is Ignore', () => {
    expect([select([]), select([], { onNoTarget: 'Ignore' })]).toEqual(['NoTarget', []]);
  });

  it.each([
    ['a missing pod', pod('b'), listed('db'), 'TargetNotFound'],
    ['a missing container', pod('a'), listed('db', 'log'), 'TargetNotRunning'],
    ['a waiting container', pod('a', { waiting: ['db'] }), listed('db'), 'TargetNotRunning'],
    ['an init container that is no sidecar', pod('a'), listed('setup'), 'TargetNotRunning'],
  ])('refuses a list that names %s', (...[, found, spec, reason]) => {
    expect(select([found], spec)).toBe(reason);
  });

  it('refuses a pod on a lost node, where no thaw could run (SNAP-CASE46)', () => {
    expect(select([pod('a')], {}, { lost: ['node-1'] })).toBe('NodeNotReady');
  });

  it('refuses more targets than one status holds', () => {
    const containers = Array.from({ length: MAX_TARGETS + 1 }, (_, index) => `c${index}`);
    expect(select([pod('a', { containers })])).toBe('TooManyTargets');
    expect(select([pod('a', { containers: containers.slice(1) })])).toHaveLength(MAX_TARGETS);
  });

  it('records UIDs, container ID, restart count and node of each target', () => {
    const selection = selectTargets({
      spec: {},
      policy: 'ExecuteAll',
      pods: [pod('a')],
      lostNodes: new Set(),
    });
    expect(selection).toEqual({
      targets: [
        {
          podName: 'a',
          containerName: 'db',
          podUID: 'uid-a',
          containerID: 'id-db',
          restartCount: 1,
          nodeName: 'node-1',
        },
      ],
    });
  });
});
