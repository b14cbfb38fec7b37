import { describe, expect, it } from 'vitest';

import {
  containerStatus,
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import { readHookPod } from './read-hook-pod.ts';

const read = (sample: SampleHookPod): unknown => readHookPod(hookPod(sample));
const unscheduled = {
  phase: 'Pending',
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes are available',
    },
  ],
};

describe('readHookPod, before the end', () => {
  it.each<[string, SampleHookPod, string]>([
    ['nothing known', {}, 'Pending'],
    [
      'unschedulable',
      { node: null, status: unscheduled },
      'Unschedulable: 0/3 nodes are available',
    ],
    ['being made', { state: { waiting: { reason: 'ContainerCreating' } } }, 'ContainerCreating'],
    [
      'no such image',
      { state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } },
      'ErrImagePull: not found',
    ],
    [
      'no such secret',
      {
        state: {
          waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' },
        },
      },
      'CreateContainerConfigError: secret "s" not found',
    ],
    [
      'what a mesh put before it has no image',
      {
        state: { waiting: { reason: 'PodInitializing' } },
        status: {
          phase: 'Pending',
          initContainerStatuses: [containerStatus('mesh', { waiting: { reason: 'ErrImagePull' } })],
        },
      },
      'ErrImagePull',
    ],
  ])('tells what it waits for: %s', (...[, sample, waitsFor]) => {
    expect(read(sample)).toEqual({ kind: 'notStarted', waitsFor });
  });

  it('knows that it runs, also where nobody hears of it', () => {
    expect(read(running)).toEqual({ kind: 'running', note: '' });
    const lost = { ...running, status: { phase: 'Unknown', reason: 'NodeLost' } };
    expect(read(lost)).toEqual({ kind: 'running', note: 'NodeLost' });
    expect(read({ ...running, deleted: 5 })).toEqual({ kind: 'running', note: '' });
  });
});

describe('readHookPod, at the end', () => {
  it('believes our container, not the pod', () => {
    const sidecar = {
      phase: 'Running',
      containerStatuses: [
        containerStatus('proxy', { running: {} }),
        containerStatus('hook', ended(0).state ?? {}),
      ],
    };
    expect(read({ status: sidecar })).toMatchObject({ outcome: 'Succeeded', stopped: false });
    expect(read({ ...ended(3), status: { phase: 'Running' } })).toMatchObject({
      outcome: 'Failed',
      exitCode: 3,
      reason: 'Error',
    });
  });

  it('keeps the end of the termination message, and the signal', () => {
    const message = `${'x'.repeat(5_000)}the end\n`;
    const state = { terminated: { exitCode: 137, signal: 9, reason: 'OOMKilled', message } };
    const read137 = read({ state });
    expect(read137).toMatchObject({ exitCode: 137, signal: 9, reason: 'OOMKilled' });
    expect((read137 as { message: string }).message).toHaveLength(4_096);
    expect((read137 as { message: string }).message).toMatch(/the end$/);
  });

  it.each<[string, number, number, boolean]>([
    ['before it was deleted', 30, 10, false],
    ['in the second in which it was deleted', 10, 10, true],
    ['after it was deleted, with 0', 5, 10, true],
  ])('knows whether it was stopped: %s', (...[, finished, deleted, stopped]) => {
    expect(read({ ...ended(0, finished), deleted })).toMatchObject({ kind: 'ended', stopped });
  });

  it.each<[string, SampleHookPod, object]>([
    [
      'evicted',
      { status: { phase: 'Failed', reason: 'Evicted', message: 'disk is full' } },
      { outcome: 'Failed', stopped: false, reason: 'Evicted', message: 'disk is full' },
    ],
    [
      'never on a node, and deleted',
      { node: null, status: unscheduled, deleted: 3 },
      {
        outcome: 'Failed',
        stopped: true,
        reason: 'Unschedulable',
        message: 'Unschedulable: 0/3 nodes are available',
      },
    ],
    [
      'its node does not know any more',
      { state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } },
      { outcome: 'Unknown', stopped: false, exitCode: 137, reason: 'ContainerStatusUnknown' },
    ],
    [
      'told by the phase alone',
      { status: { phase: 'Succeeded' } },
      { outcome: 'Succeeded', stopped: false },
    ],
  ])('%s', (...[, sample, expected]) => {
    expect(read(sample)).toMatchObject({ kind: 'ended', ...expected });
  });
});
