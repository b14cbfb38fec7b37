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
    ['no status', {}, 'Pending'],
    [
      'unschedulable',
      { node: null, status: unscheduled },
      'Unschedulable: 0/3 nodes are available',
    ],
    [
      'container being created',
      { state: { waiting: { reason: 'ContainerCreating' } } },
      'ContainerCreating',
    ],
    [
      'image not found',
      { state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } },
      'ErrImagePull: not found',
    ],
    [
      'secret not found',
      {
        state: {
          waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' },
        },
      },
      'CreateContainerConfigError: secret "s" not found',
    ],
    [
      'injected init container without an image',
      {
        state: { waiting: { reason: 'PodInitializing' } },
        status: {
          phase: 'Pending',
          initContainerStatuses: [containerStatus('mesh', { waiting: { reason: 'ErrImagePull' } })],
        },
      },
      'ErrImagePull',
    ],
    [
      'scheduled, and not ready',
      {
        status: {
          phase: 'Pending',
          conditions: [
            { type: 'PodScheduled', status: 'True', reason: 'Bound' },
            { type: 'Ready', status: 'False', reason: 'NotReady' },
          ],
        },
      },
      'Pending',
    ],
    ['no phase', { status: { phase: undefined as never } }, 'Pending'],
  ])('names the reason for the wait: %s', (...[, sample, waitsFor]) => {
    const obstacle = !['Pending', 'ContainerCreating'].includes(waitsFor);
    expect(read(sample)).toEqual({ kind: 'notStarted', waitsFor, obstacle });
  });

  it('has not started before its node reports anything', () => {
    const pending = { kind: 'notStarted', waitsFor: 'Pending', obstacle: false };
    const { status: _, ...unreported } = hookPod();
    expect(readHookPod(unreported)).toEqual(pending);
    const { state: __, ...stateless } = containerStatus('hook', {});
    const status = { phase: 'Pending', containerStatuses: [stateless] };
    expect(readHookPod({ ...unreported, status })).toEqual(pending);
  });

  it('reports running, also when the node is lost or the pod is terminating', () => {
    expect(read(running)).toEqual({ kind: 'running', note: '' });
    const lost = { ...running, status: { phase: 'Unknown', reason: 'NodeLost' } };
    expect(read(lost)).toEqual({ kind: 'running', note: 'NodeLost' });
    expect(read({ ...running, deleted: 5 })).toEqual({ kind: 'running', note: '' });
  });
});

describe('readHookPod, at the end', () => {
  it('takes the outcome from the hook container, not from the phase of the pod', () => {
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

  it('keeps the last 4096 characters of the termination message, and the signal', () => {
    const message = `${'x'.repeat(5_000)}the end\n`;
    const state = { terminated: { exitCode: 137, signal: 9, reason: 'OOMKilled', message } };
    const read137 = read({ state });
    expect(read137).toMatchObject({ exitCode: 137, signal: 9, reason: 'OOMKilled' });
    expect((read137 as { message: string }).message).toHaveLength(4_096);
    expect((read137 as { message: string }).message).toMatch(/the end$/);
  });

  it.each<[string, number, number, boolean]>([
    ['not if it exited before the deletion', 30, 10, false],
    ['yes if it exited in the second of the deletion', 10, 10, true],
    ['yes if it exited with 0 after the deletion', 5, 10, true],
  ])(
    'reports whether the deletion stopped the container: %s',
    (...[, finished, deleted, stopped]) => {
      expect(read({ ...ended(0, finished), deleted })).toMatchObject({ kind: 'ended', stopped });
    },
  );

  it.each<[string, SampleHookPod, object]>([
    [
      'reports an evicted pod as Failed',
      { status: { phase: 'Failed', reason: 'Evicted', message: 'disk is full' } },
      { outcome: 'Failed', stopped: false, reason: 'Evicted', message: 'disk is full' },
    ],
    [
      'reports an unscheduled pod that is deleted as stopped',
      { node: null, status: unscheduled, deleted: 3 },
      {
        outcome: 'Failed',
        stopped: true,
        reason: 'Unschedulable',
        message: 'Unschedulable: 0/3 nodes are available',
      },
    ],
    [
      'reports Unknown when the node has lost the container status',
      { state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } },
      { outcome: 'Unknown', stopped: false, exitCode: 137, reason: 'ContainerStatusUnknown' },
    ],
    [
      'reports Unknown when the node was lost while the container ran (ROLL-S3)',
      { ...running, status: { phase: 'Failed' }, deleted: 9, grace: 0 },
      {
        outcome: 'Unknown',
        stopped: true,
        reason: 'NodeLost',
        message: 'its node was lost while it ran',
      },
    ],
    [
      'reports why the node was lost, where the pod says so (ROLL-S3)',
      {
        ...running,
        status: { phase: 'Failed', reason: 'Shutdown', message: 'node n is off' },
        deleted: 9,
        grace: 0,
      },
      { outcome: 'Unknown', stopped: true, reason: 'Shutdown', message: 'node n is off' },
    ],
    [
      'takes the phase Succeeded before the last report of the container, that it runs',
      { ...running, status: { phase: 'Succeeded' } },
      { outcome: 'Succeeded', stopped: false },
    ],
    [
      'takes the phase Succeeded for an end of its own, also after a deletion',
      { status: { phase: 'Succeeded' }, deleted: 3 },
      { outcome: 'Succeeded', stopped: false },
    ],
    [
      'takes the outcome from the phase when there is no container status',
      { status: { phase: 'Succeeded' } },
      { outcome: 'Succeeded', stopped: false },
    ],
  ])('%s', (...[, sample, expected]) => {
    expect(read(sample)).toMatchObject({ kind: 'ended', ...expected });
  });

  it('reports a pod as stopped that its node never reported, with the container or at all', () => {
    const forgotten = hookPod({ deleted: 9, grace: 0 });
    const { status: _, ...unreported } = forgotten;
    const stopped = { kind: 'ended', outcome: 'Failed', stopped: true };
    expect(readHookPod(unreported)).toMatchObject({ ...stopped, reason: 'Pending' });
    const { state: __, ...stateless } = containerStatus('hook', {});
    const status = { phase: 'Failed', reason: 'Evicted', containerStatuses: [stateless] };
    expect(readHookPod({ ...forgotten, status })).toMatchObject({ ...stopped, reason: 'Evicted' });
  });

  it.each<[string, SampleHookPod, object]>([
    [
      'an eviction without a message',
      { status: { phase: 'Failed', reason: 'Evicted' } },
      { outcome: 'Failed', stopped: false, reason: 'Evicted' },
    ],
    [
      'a container that says nothing',
      { state: { terminated: { exitCode: 1, reason: '', message: '' } } },
      { outcome: 'Failed', stopped: false, exitCode: 1 },
    ],
    [
      'a container without a reason of an evicted pod',
      { state: { terminated: { exitCode: 1 } }, status: { phase: 'Failed', reason: 'Evicted' } },
      { outcome: 'Failed', stopped: false, exitCode: 1, reason: 'Evicted' },
    ],
  ])('says no more than is known: %s', (...[, sample, expected]) => {
    expect(read(sample)).toStrictEqual({ kind: 'ended', ...expected });
  });
});
