import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { describe, expect, test } from 'vitest';

import { released } from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  digestOfVersion,
  machineFacts,
  openRollout,
  releasedVersion,
  type SampleFacts,
  versionSet,
  versionTemplate,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import type { Phase, RolloutStatus } from '../kinds.ts';
import { lastRun, presentTemplate, releasedTemplate, revisionOf, setOf } from './templates.ts';

const T2 = digestOfVersion('t2');

function withMetadata(set: ReplicaSet, metadata: ReplicaSet['metadata']): ReplicaSet {
  return { ...set, metadata: { ...set.metadata, ...metadata } };
}

describe('the released template', () => {
  interface Row {
    readonly phase?: Phase;
    readonly more?: Partial<RolloutStatus>;
    readonly sample?: SampleFacts;
  }
  const over = ({ phase, more = {}, sample = {} }: Row): object | null => {
    const open =
      phase === undefined ? {} : { rollout: openRollout('t2', { number: 5, phase, ...more }) };
    const status = { released, ...open };
    return releasedTemplate(machineFacts({ annotations: { released: '5' }, status, ...sample }));
  };
  const its = releasedVersion('t2', 5);
  const gated = { annotations: { released: '4' } };

  test.each<[string, Row, object | null]>([
    ['is none before the first release', { sample: { status: {} } }, null],
    ['is the recorded one without a rollout', {}, released],
    [
      'is the recorded one until the rollout is released',
      { phase: 'Releasing', sample: gated },
      released,
    ],
    [
      'is the recorded one if the rollout was rolled back before its release',
      { phase: 'RolledBack' },
      released,
    ],
    [
      'is the recorded one while the rollout is rolled back before its release',
      { phase: 'RollingBack' },
      released,
    ],
    [
      'is that of the rollout while it is rolled back after its release',
      { phase: 'RollingBack', more: { releasedAt: 'then' } },
      its,
    ],
    ['is that of the rollout when it is done', { phase: 'Done' }, its],
    [
      'has the revision of the rollout',
      { phase: 'Done', more: { toRevision: '7' } },
      { ...its, revision: '7' },
    ],
    [
      'is unfinished after the release was asked for',
      { phase: 'Releasing' },
      { ...its, unfinished: true },
    ],
    ['is unfinished in Progressing', { phase: 'Progressing' }, { ...its, unfinished: true }],
    ['is unfinished in Post', { phase: 'Post' }, { ...its, unfinished: true }],
  ])('%s', (...[, row, expected]) => {
    expect(over(row)).toStrictEqual(expected);
  });
});

describe('the ReplicaSet of a template', () => {
  const older = versionSet('t2', { replicas: 0, revision: 2 });
  const newer = versionSet('t2', { replicas: 0, revision: 5 });

  test('is the one with the highest revision', () => {
    expect(setOf([older, newer, versionSet('t1', { replicas: 3, revision: 9 })], T2)).toBe(newer);
    expect(setOf([newer, older], T2)).toBe(newer);
  });

  test('is never one that is being deleted', () => {
    const terminating = withMetadata(newer, { deletionTimestamp: 'now' });
    expect(setOf([terminating, older], T2)).toBe(older);
    expect(setOf([terminating], T2)).toBeNull();
  });

  test('has revision 0 before the Deployment controller has counted it', () => {
    expect(revisionOf(newer)).toBe(5);
    expect(revisionOf({ metadata: { annotations: {} } })).toBe(0);
    expect(revisionOf({ metadata: {} })).toBe(0);
    expect(revisionOf({})).toBe(0);
  });
});

describe('the template in the spec', () => {
  const present = (sets: readonly ReplicaSet[]): object =>
    presentTemplate(machineFacts({ version: 't2', sets }));
  const template = { digest: T2, template: versionTemplate('t2') };

  test('has the revision of its ReplicaSet', () => {
    const sets = [versionSet('t2', { replicas: 0, revision: 3 })];
    expect(present(sets)).toStrictEqual({ ...template, revision: '3' });
  });

  test('has no revision without a ReplicaSet', () => {
    expect(present([versionSet('t1', { replicas: 3 })])).toStrictEqual(template);
  });
});

describe('what has run last', () => {
  const idle = (version: string, revision: number): ReplicaSet =>
    versionSet(version, { replicas: 0, revision });
  const withPods = (version: string, revision: number): ReplicaSet =>
    versionSet(version, { replicas: 1, revision });
  const terminating = { deletionTimestamp: 'now' };

  test.each<[string, ReplicaSet[], string | undefined]>([
    ['is nothing without ReplicaSets', [], undefined],
    [
      'is nothing if the only ReplicaSet is of the template in the spec',
      [idle('t2', 4)],
      undefined,
    ],
    ['is the ReplicaSet with pods, also an older one', [idle('t1', 3), withPods('t0', 1)], '1'],
    ['is the newest of two ReplicaSets with pods', [withPods('t0', 1), withPods('t1', 2)], '2'],
    ['is the newest ReplicaSet of another template', [idle('t0', 1), idle('t1', 3)], '3'],
    [
      'is never a ReplicaSet that is being deleted',
      [withMetadata(idle('t1', 3), terminating), idle('t0', 1)],
      '1',
    ],
  ])('%s', (...[, sets, revision]) => {
    expect(lastRun(machineFacts({ version: 't2', sets }))?.revision).toBe(revision);
  });

  test('has the template without the label that the Deployment controller adds', () => {
    const set = idle('t1', 3);
    const plain = versionTemplate('t1');
    const { annotations = {} } = plain.metadata ?? {};
    const metadata = { annotations, labels: { app: 'web', 'pod-template-hash': '5d8f' } };
    const hashed = { ...set, spec: { selector: {}, template: { ...plain, metadata } } };
    expect(lastRun(machineFacts({ version: 't2', sets: [hashed] }))).toMatchObject({
      template: { metadata: { annotations, labels: { app: 'web' } } },
    });
    const bare = { ...set, spec: { selector: {}, template: { spec: { containers: [] } } } };
    expect(lastRun(machineFacts({ version: 't2', sets: [bare] }))?.template).toEqual({
      metadata: { labels: {} },
      spec: { containers: [] },
    });
  });
});
