import { describe, expect, test } from 'vitest';

import { judgeObject } from './judge-object.ts';

const deployment = (status: object, spec: object = { replicas: 3 }): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { generation: 2 },
  spec,
  status: { observedGeneration: 2, ...status },
});

/** A Deployment that is drained: the old pods are deleted, and the new pods are not created yet. */
const drained = (released: string): object => ({
  ...deployment({}, { replicas: 0 }),
  metadata: {
    generation: 2,
    labels: { 'lifehook.dev/gated': '' },
    annotations: { 'lifehook.dev/rollout': '2', 'lifehook.dev/released': released },
  },
});

const set = (status: object, spec: object = { replicas: 2 }): object => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { generation: 1 },
  spec,
  status: { observedGeneration: 1, currentRevision: 'a', updateRevision: 'b', ...status },
});

const daemons = (status: object, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { generation: 2 },
  spec,
  status: { observedGeneration: 2, desiredNumberScheduled: 2, ...status },
});

const job = (...conditions: object[]): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  status: { conditions },
});

const pod = (status: object): object => ({ apiVersion: 'v1', kind: 'Pod', status });

const full = { replicas: 3, updatedReplicas: 3, availableReplicas: 3 };

describe('judgeObject', () => {
  test.each([
    ['ready', '3 of 3 available', deployment(full)],
    ['ready', 'none of 0', deployment({}, { replicas: 0 })],
    ['waiting', 'drained for the hooks of its rollout', drained('1')],
    ['ready', 'scaled to 0 after its rollout', drained('2')],
    [
      'waiting',
      'a status of an earlier generation',
      deployment({ ...full, observedGeneration: 1 }),
    ],
    ['waiting', '2 of 3 updated', deployment({ ...full, updatedReplicas: 2 })],
    ['waiting', 'an old replica left', deployment({ ...full, replicas: 4 })],
    ['waiting', '2 of 3 available', deployment({ ...full, availableReplicas: 2 })],
    ['waiting', 'no replicas in the spec, none available', deployment({}, {})],
    [
      'failed',
      'past its progress deadline',
      deployment({ conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] }),
    ],
    ['ready', 'on both nodes', daemons({ updatedNumberScheduled: 2, numberAvailable: 2 })],
    ['ready', 'on no node', daemons({ desiredNumberScheduled: 0 })],
    ['waiting', 'one old daemon', daemons({ updatedNumberScheduled: 1, numberAvailable: 2 })],
    ['waiting', 'one daemon starting', daemons({ updatedNumberScheduled: 2, numberAvailable: 1 })],
    ['waiting', 'daemons in a status of an earlier generation', daemons({ observedGeneration: 1 })],
    [
      'ready',
      'daemons with the update strategy OnDelete',
      daemons({}, { updateStrategy: { type: 'OnDelete' } }),
    ],
    ['ready', 'all updated and ready', set({ updatedReplicas: 2, readyReplicas: 2 })],
    ['ready', 'never changed', set({ updateRevision: 'a', readyReplicas: 2 })],
    ['waiting', 'one old', set({ updatedReplicas: 1, readyReplicas: 2 })],
    ['waiting', 'one not ready', set({ updatedReplicas: 2, readyReplicas: 1 })],
    [
      'ready',
      'old below the partition',
      set(
        { updatedReplicas: 1, readyReplicas: 2 },
        { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
      ),
    ],
    [
      'ready',
      'a StatefulSet with the update strategy OnDelete',
      set({}, { updateStrategy: { type: 'OnDelete' } }),
    ],
    ['ready', 'complete', job({ type: 'Complete', status: 'True' })],
    ['waiting', 'not complete', job({ type: 'Complete', status: 'False' })],
    ['failed', 'a failed Job', job({ type: 'Failed', status: 'True', message: 'too often' })],
    ['ready', 'ended', pod({ phase: 'Succeeded' })],
    ['failed', 'failed', pod({ phase: 'Failed' })],
    ['ready', 'Ready', pod({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })],
    [
      'waiting',
      'Running',
      pod({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }),
    ],
    ['waiting', 'new', pod({})],
    [
      'waiting',
      'being created',
      pod({
        containerStatuses: [{ name: 'a', state: { waiting: { reason: 'ContainerCreating' } } }],
      }),
    ],
    ['ready', 'a kind without a readiness condition', { apiVersion: 'v1', kind: 'Service' }],
  ])('gives %s for: %s', (kind, _title, object) => {
    expect(judgeObject(object).kind).toBe(kind);
  });
});
