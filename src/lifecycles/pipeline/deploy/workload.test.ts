import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import type { KubeObject } from '../../../kube/object.ts';
import { lookOf } from './current-pods.ts';
import { ageOf } from './workload.ts';

const ownedBy = (uid: string): object => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'X', name: 'x', uid, controller: true }],
});

const pod = (name: string, owner: string, labels: Record<string, string> = {}): Pod => ({
  metadata: { name, labels, ...ownedBy(owner) },
});

const replicaSet = (uid: string, revision: number): ReplicaSet => ({
  metadata: {
    uid,
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    ...ownedBy('d'),
  },
});

function workload(kind: string, spec: object, status: object = {}): KubeObject {
  const annotations = { 'deprecated.daemonset.template.generation': '2' };
  const metadata = { uid: 'd', generation: 2, annotations };
  return { kind, metadata, spec, status: { observedGeneration: 2, ...status } } as KubeObject;
}

const sets = [replicaSet('new', 10), replicaSet('old', 9)];

describe('the age of a pod', () => {
  test.each([
    ['newest', 'the set with the highest revision', pod('a', 'new')],
    ['older', 'another set of the Deployment', pod('a', 'old')],
    ['unrelated', 'a set of another Deployment', pod('a', 'other')],
    ['unrelated', 'no controller', { metadata: { name: 'a' } }],
  ])('is %s for one of %s', (age, _title, one) => {
    expect(ageOf(one, { object: workload('Deployment', {}), sets })).toBe(age);
  });

  test('is older while the controller has not seen the newest template', () => {
    const object = workload('Deployment', {}, { observedGeneration: 1 });
    expect(ageOf(pod('a', 'new'), { object, sets })).toBe('older');
  });

  test('follows the revision of a StatefulSet and the template number of a DaemonSet', () => {
    const set = { object: workload('StatefulSet', {}, { updateRevision: 'r2' }), sets: [] };
    expect(ageOf(pod('a', 'd', { 'controller-revision-hash': 'r2' }), set)).toBe('newest');
    expect(ageOf(pod('a', 'd', { 'controller-revision-hash': 'r1' }), set)).toBe('older');
    const daemons = { object: workload('DaemonSet', {}), sets: [] };
    expect(ageOf(pod('a', 'd', { 'pod-template-generation': '2' }), daemons)).toBe('newest');
    expect(ageOf(pod('a', 'd', { 'pod-template-generation': '1' }), daemons)).toBe('older');
  });
});

describe('lookOf', () => {
  const object = workload('Deployment', { replicas: 2 });
  const names = (pods: readonly Pod[]): (string | undefined)[] =>
    lookOf([{ object, sets }], pods).pods.map(({ metadata }) => metadata?.name);

  test('leaves out pods of older templates and keeps all others', () => {
    const found = [
      pod('a', 'old'),
      pod('b', 'new'),
      pod('c', 'other'),
      { metadata: { name: 'd' } },
    ];
    expect(names(found)).toEqual(['b', 'c', 'd']);
  });

  test('misses pods until as many of the newest template are there as are wanted', () => {
    const missing = (pods: readonly Pod[]): boolean => lookOf([{ object, sets }], pods).isMissing;
    const leaving = { metadata: { ...pod('c', 'new').metadata, deletionTimestamp: 'now' } };
    expect(missing([pod('a', 'new'), pod('b', 'old'), leaving])).toBe(true);
    expect(missing([pod('a', 'new'), pod('b', 'new')])).toBe(false);
  });

  test('misses no pods of sets whose update strategy is OnDelete', () => {
    const manual = workload('StatefulSet', { replicas: 2, updateStrategy: { type: 'OnDelete' } });
    expect(lookOf([{ object: manual, sets: [] }], []).isMissing).toBe(false);
  });
});
