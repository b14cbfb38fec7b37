import { describe, expect, test } from 'vitest';

import {
  digestOfVersion,
  machineFacts,
  microAgo,
  openRollout,
  releasedVersion,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { beginningOf, directionOf, expectedRevision } from './opening-phase.ts';

const released = releasedVersion('t1', 4);
const annotations = { rollout: '5', released: '4' };
const aborted = { released, abortedDigests: [digestOfVersion('t2')] };
const pre = { execNewPod: { containerName: 'app' } };

function begin(version: string, sample: SampleFacts): ReturnType<typeof beginningOf> {
  const facts = machineFacts({ annotations, status: { released }, version, ...sample });
  return beginningOf(facts, 5, digestOfVersion(version));
}

describe('a new number begins', () => {
  test.each<[string, string, SampleFacts, object]>([
    ['with pre', 't2', { lifecycle: { rollingUpdate: { pre } } }, { phase: 'Pre', more: {} }],
    ['with pre, also without hooks', 't2', {}, { phase: 'Pre', more: { reason: 'NoHooks' } }],
    [
      'with the release, if its template already runs',
      't1',
      { lifecycle: { rollingUpdate: { pre } } },
      { phase: 'Releasing', more: { reason: 'Reverted' } },
    ],
    [
      'with pre, if its template is the released one but was drained',
      't1',
      {
        lifecycle: { rollingUpdate: { pre } },
        annotations: { ...annotations, 'wanted-replicas': '3' },
      },
      { phase: 'Pre', more: {} },
    ],
    [
      'with pre, if its template was replaced before its post',
      't1',
      {
        lifecycle: { rollingUpdate: { pre } },
        status: { released, rollout: openRollout('t1', { number: 4, phase: 'Post' }) },
      },
      { phase: 'Pre', more: {} },
    ],
    [
      'with pre, if the released template is recorded as unfinished',
      't1',
      {
        lifecycle: { rollingUpdate: { pre } },
        status: { released: { ...released, unfinished: true } },
      },
      { phase: 'Pre', more: {} },
    ],
    [
      'with pre, if a user retries the same template',
      't1',
      { lifecycle: { rollingUpdate: { pre } }, annotations: { ...annotations, retry: '4' } },
      { phase: 'Pre', more: {} },
    ],
    ['held, after an abort under Rollback', 't2', rollback(aborted), { phase: 'Held' }],
    [
      'with pre, after an abort under Hold',
      't2',
      { status: aborted, lifecycle: { rollingUpdate: { pre } } },
      { phase: 'Pre' },
    ],
    [
      'with pre, after an abort and a retry',
      't2',
      { ...rollback(aborted), annotations: { ...annotations, retry: '4' } },
      { phase: 'Pre' },
    ],
    [
      'with Restoring, if a user wrote between its two writes',
      't2',
      { status: { ...aborted, rollout: openRollout('t2', { number: 4, phase: 'Restoring' }) } },
      { phase: 'Restoring', more: { failure: { reason: 'AbortedBefore' } } },
    ],
  ])('%s', (...row) => {
    const [, version, sample, beginning] = row;
    expect(begin(version, sample)).toMatchObject(beginning);
  });
});

describe('a new number of a template that was aborted before', () => {
  const message =
    'a rollout of this same template was aborted before: change the template, or request a retry';
  const failure = { reason: 'AbortedBefore', message, at: microAgo(0) };
  const notices = [
    { type: 'Warning', reason: 'Held', message: `The rollout is held: ${message}.` },
  ];
  const drained = { ...annotations, 'wanted-replicas': '3' };

  test('begins held, with the way out of it', () => {
    expect(begin('t2', rollback(aborted))).toStrictEqual({
      phase: 'Held',
      more: { failure, finishedAt: microAgo(0) },
      notices,
    });
  });

  test('begins held although a user retries an older number', () => {
    const sample = { ...rollback(aborted), annotations: { ...annotations, retry: '3' } };
    expect(begin('t2', sample)).toMatchObject({ phase: 'Held' });
  });

  test('begins with Restoring if it was drained', () => {
    expect(begin('t2', { ...rollback(aborted), annotations: drained })).toStrictEqual({
      phase: 'Restoring',
      more: { failure },
      notices,
    });
  });

  test('begins held if it was drained and nothing was ever released', () => {
    const { abortedDigests } = aborted;
    const first = { rollout: '5', released: '0', 'wanted-replicas': '3' };
    expect(begin('t2', { ...rollback({ abortedDigests }), annotations: first })).toMatchObject({
      phase: 'Held',
    });
  });
});

test.each([
  ['a new template', 't2', { status: {} }],
  ['the template that runs', 't1', {}],
])('a beginning of %s is reported by its opening alone', (...[, version, sample]) => {
  expect(begin(version, sample).notices).toEqual([]);
});

test('a rollout that has a post hook alone has hooks', () => {
  expect(begin('t2', { lifecycle: { rollingUpdate: { post: pre } } })).toEqual({
    phase: 'Pre',
    more: {},
    notices: [],
  });
});

describe('the direction is', () => {
  test.each<[string, string, SampleFacts, string]>([
    ['Rollout for a template that nothing has run', 't2', {}, 'Rollout'],
    [
      'Rollback for the template of an older ReplicaSet (kubectl rollout undo)',
      't0',
      { sets: [versionSet('t0', { replicas: 0 }), versionSet('t1', { replicas: 3, revision: 2 })] },
      'Rollback',
    ],
    [
      'Rollout for the template of the newest ReplicaSet',
      't2',
      { sets: [versionSet('t1', { replicas: 3 }), versionSet('t2', { replicas: 0, revision: 2 })] },
      'Rollout',
    ],
    ['Rollout for the first template', 't2', { status: {} }, 'Rollout'],
    ['Rollback for the released template after a drain', 't1', {}, 'Rollback'],
    [
      'Rollback for the released template, if its ReplicaSet is not kept',
      't1',
      {
        annotations: { rollout: '6', released: '5' },
        status: { released, rollout: openRollout('t2', { number: 5, phase: 'RollingBack' }) },
      },
      'Rollback',
    ],
    [
      'Rollout for a retry',
      't2',
      { status: { released, rollout: openRollout('t2', { number: 4, phase: 'Failed' }) } },
      'Rollout',
    ],
  ])('%s', (...row) => {
    const [, version, sample, direction] = row;
    const facts = machineFacts({ annotations, status: { released }, version, ...sample });
    expect(directionOf(facts, digestOfVersion(version))).toBe(direction);
  });
});

describe('expectedRevision', () => {
  const sets = [
    versionSet('a', { replicas: 0, revision: 1 }),
    versionSet('b', { replicas: 3, revision: 2 }),
  ];
  test.each([
    ['is 1 without ReplicaSets', [], 'a', '1'],
    ['follows the highest for a new template', sets, 'c', '3'],
    ['follows the highest for an undo', sets, 'a', '3'],
    ['stays for the template of the highest', sets, 'b', '2'],
    [
      'stays for the template of the highest after a gap',
      [versionSet('a', { replicas: 0 }), versionSet('b', { replicas: 3, revision: 5 })],
      'b',
      '5',
    ],
  ])('%s', (...row) => {
    const [, known, version, revision] = row;
    const facts = machineFacts({ annotations, version, sets: known });
    expect(expectedRevision(facts, digestOfVersion(version))).toBe(revision);
  });
});

function rollback(status: SampleFacts['status'] & object): SampleFacts {
  return { status, lifecycle: { onAbort: 'Rollback' } };
}
