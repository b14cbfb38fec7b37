import type { ContainerState, ContainerStatus, Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { judgePods, restartsOf } from './judge-pods.ts';

const at = '2026-05-01T10:00:00Z';
const running: ContainerState = { running: { startedAt: at } };
const exited = (
  exitCode: number,
  reason = exitCode === 0 ? 'Completed' : 'Error',
): ContainerState => ({
  terminated: { exitCode, reason },
});
const waits = (reason: string, message = ''): ContainerState => ({ waiting: { reason, message } });

function container(state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus {
  return { name: 'app', image: 'i', imageID: '', ready: false, restartCount: 0, state, ...more };
}

function pod(status: PodStatus, more: Partial<Pod> = {}): Pod {
  return {
    metadata: { name: 'web-1', namespace: 'shop', uid: 'u' },
    spec: { restartPolicy: 'Always', containers: [{ name: 'app', image: 'i' }] },
    status,
    ...more,
  };
}

const ofApp = (state: ContainerState, more: Partial<ContainerStatus> = {}): Pod =>
  pod({ containerStatuses: [container(state, more)] });

const ofInit = (state: ContainerState): Pod =>
  pod({ initContainerStatuses: [container(state, { name: 'init' })] });

/** Each trouble as "kind container why (log)". */
function troubles(
  one: Pod,
  { owner = 'Deployment', before = [] as readonly Pod[] } = {},
): string[] {
  return judgePods(owner, [one], restartsOf(before)).map(
    ({ kind, container: name, why, log }) => `${kind} ${name ?? '-'} ${why} (${log ?? '-'})`,
  );
}

describe('judgePods', () => {
  test.each([
    ['a container that runs and is ready', ofApp(running, { ready: true }), []],
    ['one that exited', ofApp(exited(3)), ['certain app exited with code 3 (current)']],
    ['one that exited with 0', ofApp(exited(0)), ['certain app exited with code 0 (current)']],
    [
      'one without enough memory',
      ofApp(exited(137, 'OOMKilled')),
      ['certain app exited with code 137 (OOMKilled) (current)'],
    ],
    ['an init container that is done', ofInit(exited(0)), []],
    ['one that failed', ofInit(exited(2)), ['certain init exited with code 2 (current)']],
    [
      'one that was restarted and runs',
      ofApp(running, { restartCount: 1, lastState: exited(4) }),
      ['certain app exited with code 4, and was restarted once (previous)'],
    ],
    [
      'one that crashes again and again',
      ofApp(waits('CrashLoopBackOff', 'back-off'), { restartCount: 3, lastState: exited(4) }),
      ['certain app exited with code 4, and was restarted 3 times (current)'],
    ],
    [
      'a missing image',
      ofApp(waits('ErrImagePull', 'not found')),
      ['certain app waits with ErrImagePull: not found (-)'],
    ],
    [
      'a missing ConfigMap',
      ofApp(waits('CreateContainerConfigError', 'configmap "a" not found')),
      ['certain app waits with CreateContainerConfigError: configmap "a" not found (-)'],
    ],
    [
      'a ConfigMap that the kubelet has not read yet',
      ofApp(waits('CreateContainerConfigError', 'failed to sync configmap cache: timed out')),
      [
        'pending app waits with CreateContainerConfigError: failed to sync configmap cache: timed out (-)',
      ],
    ],
    [
      'one that is being created',
      ofApp(waits('ContainerCreating')),
      ['pending app waits with ContainerCreating (-)'],
    ],
    ['one that is not ready', ofApp(running), ['pending app is running, but not ready (-)']],
    [
      'a pod that no node takes',
      pod({
        conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }],
      }),
      ['pending - is not scheduled: 0/3 nodes are available (-)'],
    ],
    [
      'a pod that was evicted',
      pod({ phase: 'Failed', containerStatuses: [container(exited(1))] }),
      [],
    ],
  ])('gives the trouble of %s', (_title, one, expected) => {
    expect(troubles(one)).toEqual(expected);
  });

  test('leaves out restarts that were there at the first look, and pods that are being deleted', () => {
    const restarted = ofApp(running, { ready: true, restartCount: 2, lastState: exited(1) });
    expect(troubles(restarted, { before: [restarted] })).toEqual([]);
    const again = ofApp(running, { ready: true, restartCount: 3, lastState: exited(1) });
    expect(troubles(again, { before: [restarted] })).toHaveLength(1);
    const metadata = { name: 'web-1', namespace: 'shop', uid: 'u', deletionTimestamp: at };
    expect(troubles({ ...ofApp(exited(1)), metadata })).toEqual([]);
  });

  describe('of a pod whose image was changed', () => {
    const ofImage = (image: string, state: ContainerState, more = {}): Pod =>
      ofApp(state, { image, ...more });
    const restarted = { restartCount: 1, lastState: exited(0) };

    test.each(['old', 'docker.io/library/old:1'])(
      'leaves out the end and the one restart that follow the change, seen first of %s',
      (old) => {
        const before = [ofImage(old, running)];
        expect(troubles(ofImage(old, exited(0)), { owner: 'Pod', before })).toEqual([]);
        const now = ofImage('i', running, { ...restarted, ready: true });
        expect(troubles(now, { owner: 'Pod', before })).toEqual([]);
        const again = { restartCount: 2, lastState: exited(4) };
        expect(troubles(ofImage('i', running, again), { owner: 'Pod', before })).toEqual([
          'certain app exited with code 4, and was restarted 2 times (previous)',
        ]);
      },
    );

    test.each(['i', 'docker.io/library/i', 'docker.io/library/i:latest'])(
      'gives the restart of a container that already was of it, reported as %s',
      (image) => {
        const before = [ofImage(image, running)];
        expect(troubles(ofImage(image, running, restarted), { owner: 'Pod', before })).toEqual([
          'certain app exited with code 0, and was restarted once (previous)',
        ]);
      },
    );

    test('gives the restart of a container of a workload, whose pods keep their image', () => {
      const metadata = {
        name: 'web-1',
        namespace: 'shop',
        uid: 'u',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r' }],
      };
      const before = [{ ...ofImage('sha256:1', running), metadata }];
      const now = { ...ofImage('sha256:1', running, restarted), metadata };
      expect(troubles(now, { before })).toHaveLength(1);
    });
  });

  test.each(['Job', 'Pod'])('gives why a pod of a %s has failed permanently', (owner) => {
    const containerStatuses = [container(exited(5)), container(exited(0), { name: 'side' })];
    const one = pod({ phase: 'Failed', containerStatuses });
    expect(troubles(one, { owner })).toEqual(['pending app exited with code 5 (current)']);
  });

  test('leaves the exits of a Job to the Job, and not an image that its pods lack', () => {
    expect(troubles(ofApp(exited(1)), { owner: 'Job' })).toEqual([]);
    expect(troubles(ofApp(waits('ImagePullBackOff')), { owner: 'Job' })).toHaveLength(1);
  });

  test('lets a container of a pod that is not restarted exit with 0', () => {
    const spec = { restartPolicy: 'Never', containers: [{ name: 'app', image: 'i' }] };
    expect(troubles({ ...ofApp(exited(0)), spec }, { owner: 'Pod' })).toEqual([]);
    expect(troubles({ ...ofApp(exited(1)), spec }, { owner: 'Pod' })).toHaveLength(1);
  });
});
