/** Why a hook selects nothing, and whether a pod that starts may change that (SNAP-R3, SNAP-CASE4). */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import type { ExecutionHookSpec, HookPolicy } from '../kinds.ts';
import {
  MAX_TARGETS,
  selectForThaw,
  selectTargets,
  type SelectionInput,
} from './select-targets.ts';

interface Shape {
  readonly containers?: readonly string[];
  readonly running?: readonly string[];
  readonly phase?: string;
  readonly conditions?: { readonly type: string; readonly status: string }[];
  readonly deletionTimestamp?: string;
  readonly node?: string;
}

function pod(name: string, shape: Shape = {}): Pod {
  const { containers = ['db'], running = containers, phase = 'Running', deletionTimestamp } = shape;
  const { conditions = [{ type: 'Ready', status: 'True' }], node = 'node-1' } = shape;
  return {
    metadata: {
      name,
      uid: `uid-${name}`,
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      ...(node === '' ? {} : { nodeName: node }),
      containers: containers.map((each) => ({ name: each })),
    },
    status: {
      phase,
      conditions,
      containerStatuses: running.map((each) => ({
        name: each,
        image: '',
        imageID: '',
        ready: true,
        restartCount: 0,
        state: { running: {} },
      })),
    },
  };
}

function selected(
  pods: readonly Pod[],
  spec: Partial<ExecutionHookSpec> = {},
  more: Partial<SelectionInput> = {},
): unknown {
  const policy: HookPolicy = 'ExecuteAll';
  const selection = selectTargets({ policy, lostNodes: new Set(), ...more, spec, pods });
  return 'targets' in selection
    ? selection.targets.map(({ podName, containerName }) => `${podName}/${containerName}`)
    : selection;
}
const starting = (name: string, more: Shape = {}): Pod =>
  pod(name, { phase: 'Pending', running: [], ...more });
const once = { policy: 'ExecuteOnce' } as const;
const next = 'Correct the selector, or set onNoTarget to Ignore if no target is expected.';
const listed = (podName: string, ...containerNames: string[]) => ({
  podContainerNamesList: [{ podName, containerNames }],
});

describe('a hook without a target reports', () => {
  it.each<[string, readonly Pod[], Partial<ExecutionHookSpec>, Partial<SelectionInput>, object]>([
    [
      'that no container runs',
      [],
      {},
      {},
      {
        reason: 'NoTarget',
        message: `No selected container is running. ${next}`,
        mayAppear: true,
      },
    ],
    [
      'that no pod is fit for ExecuteOnce (SNAP-G6)',
      [pod('a', { conditions: [{ type: 'Ready', status: 'False' }] })],
      {},
      once,
      {
        reason: 'NoTarget',
        message: `No selected pod is ready and runs a selected container (terminating pods do not count). ${next}`,
        mayAppear: true,
      },
    ],
    [
      'which pods start',
      [starting('b'), starting('a'), pod('c')],
      {},
      { isPatient: true },
      {
        reason: 'TargetsStarting',
        message: 'Selected pods are starting: a, b.',
        mayAppear: true,
      },
    ],
    [
      'which three pods start',
      ['a', 'b', 'c'].map((name) => starting(name)),
      {},
      { isPatient: true },
      {
        reason: 'TargetsStarting',
        message: 'Selected pods are starting: a, b, c.',
        mayAppear: true,
      },
    ],
    [
      'how many more pods start',
      ['a', 'b', 'c', 'd', 'e'].map((name) => starting(name)),
      {},
      { isPatient: true },
      {
        reason: 'TargetsStarting',
        message: 'Selected pods are starting: a, b, c and 2 more.',
        mayAppear: true,
      },
    ],
    [
      'that a pod of the list does not exist',
      [pod('b')],
      listed('a', 'db'),
      {},
      {
        reason: 'TargetNotFound',
        message: 'There is no pod a in this namespace.',
        mayAppear: true,
      },
    ],
    [
      'that a container of the list does not run yet',
      [pod('a', { containers: ['db', 'log'], running: ['db'] })],
      listed('a', 'db', 'log'),
      {},
      {
        reason: 'TargetNotRunning',
        message: 'The container log of pod a is not running.',
        mayAppear: true,
      },
    ],
    [
      'that a container of the list has ended for good',
      [pod('a', { phase: 'Failed' })],
      listed('a', 'db'),
      {},
      { reason: 'TargetNotRunning', message: 'The container db of pod a is not running.' },
    ],
    [
      'that the pod has no such container, and which it has',
      [pod('a', { containers: ['db', 'log'] })],
      listed('a', 'mysql'),
      {},
      {
        reason: 'TargetNotRunning',
        message: 'The pod a has no main container or sidecar mysql: it has db, log.',
      },
    ],
    [
      'which pod terminates (SNAP-CASE27)',
      [pod('a'), pod('b', { deletionTimestamp: 'x' })],
      {},
      {},
      {
        reason: 'PodTerminating',
        message:
          'The pod b is terminating, so its freeze could end without a thaw: create the hook again when the pod is deleted.',
      },
    ],
    [
      'which node is lost (SNAP-CASE46)',
      [pod('a')],
      {},
      { lostNodes: new Set(['node-1']) },
      {
        reason: 'NodeNotReady',
        message: 'The node node-1 of pod a is not ready: what is frozen there could not be thawed.',
      },
    ],
    [
      'how many containers are too many',
      [pod('a', { containers: Array.from({ length: MAX_TARGETS + 1 }, (_, at) => `c${at}`) })],
      {},
      {},
      {
        reason: 'TooManyTargets',
        message:
          'A hook freezes at most 500 containers, and this one selects 501: split it into several.',
      },
    ],
  ])('%s', (...[, pods, spec, more, expected]) => {
    expect(selected(pods, spec, more)).toEqual(expected);
  });
});

describe('pods that start', () => {
  const log = { containerSelector: { ContainerName: 'log' } };

  it('are not waited for without patience', () => {
    expect(selected([starting('a'), pod('b')])).toEqual(['b/db']);
  });

  it('are not waited for where they terminate, or have no such container', () => {
    const patient = { isPatient: true };
    const terminating = starting('a', { deletionTimestamp: 'x' });
    expect(selected([terminating, pod('b')], {}, patient)).toEqual(['b/db']);
    const two = { containers: ['db', 'log'] };
    expect(selected([starting('a'), pod('b', two)], log, patient)).toEqual(['b/log']);
    expect(selected([starting('a', two), pod('b', two)], log, patient)).toMatchObject({
      reason: 'TargetsStarting',
    });
  });

  it('are waited for by ExecuteOnce only where no other pod is fit (SNAP-G6)', () => {
    const both = { ...once, isPatient: true };
    expect(selected([starting('a'), pod('b')], {}, both)).toEqual(['b/db']);
    expect(selected([starting('a')], {}, both)).toMatchObject({ reason: 'TargetsStarting' });
  });
});

describe('ExecuteOnce (SNAP-G6)', () => {
  it('skips a ready pod that has no such container', () => {
    const spec = { containerSelector: { ContainerName: 'log' } };
    const pods = [pod('a'), pod('b', { containers: ['db', 'log'] })];
    expect(selected(pods, spec, once)).toEqual(['b/log']);
  });

  it('skips a pod that has no conditions yet', () => {
    const { status, ...unscheduled } = pod('a');
    const { conditions: _, ...bare } = status ?? {};
    expect(selected([{ ...unscheduled, status: bare }, pod('b')], {}, once)).toEqual(['b/db']);
  });

  it('counts the condition Ready alone', () => {
    const scheduled = { type: 'PodScheduled', status: 'True' };
    const unready = pod('a', { conditions: [scheduled, { type: 'Ready', status: 'False' }] });
    const ready = pod('b', {
      conditions: [
        { type: 'Resizing', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    });
    expect(selected([unready, ready], {}, once)).toEqual(['b/db']);
  });
});

describe('a list of pods (SNAP-R5)', () => {
  it('selects of each pod the containers that are named for it', () => {
    const two = { containers: ['db', 'log'] };
    const podContainerNamesList = [
      { podName: 'a', containerNames: ['db'] },
      { podName: 'b', containerNames: ['log'] },
    ];
    const pods = [pod('a', two), pod('b', two), pod('c', two)];
    expect(selected(pods, { podContainerNamesList })).toEqual(['a/db', 'b/log']);
    const found = selectForThaw({ podContainerNamesList }, pods);
    expect(found.map(({ podName, containerName }) => `${podName}/${containerName}`)).toEqual([
      'a/db',
      'b/log',
    ]);
  });
});

it('a target has no node where its pod has none', () => {
  const [one = {}] = selectForThaw({}, [pod('a', { node: '' })]);
  expect(Object.keys(one)).not.toContain('nodeName');
});
