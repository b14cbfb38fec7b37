import { describe, expect, test } from 'vitest';

import { settled } from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  machineFacts,
  type ManagedFacts,
  microAgo,
  openRollout,
  releasedVersion,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import type { HookRun, Phase } from '../kinds.ts';
import { decideResumed, decideStamp } from './decide-stamp.ts';

const atRest = { status: { released: releasedVersion('t1', 4) } };
const RUNS = { spec: { paused: false } } as const;
const PAUSED_AT_REST = { lifecycle: { gate: 'PausedAtRest' } } as const;
const step = (sample: SampleFacts): ReturnType<typeof decideStamp> =>
  decideStamp(machineFacts(sample));
const gets = (rollout: string, released: string): object => ({
  kind: 'changeDeployment',
  reason: `it gets the number ${rollout}; number ${released} is released`,
  change: { annotations: { 'lifehook.dev/rollout': rollout, 'lifehook.dev/released': released } },
});

describe('a Deployment that runs already when its lifecycle is created', () => {
  test.each<[string, SampleFacts, number]>([
    ['1', {}, 1],
    ['the number that it has', { annotations: { rollout: '6', released: '6' } }, 6],
    [
      'the number after its last HookRun',
      { more: { hookRuns: [runOf(3), runOf(7), runOf(5)] } },
      8,
    ],
    [
      'a number without regard to the HookRuns of another Deployment',
      { more: { hookRuns: [runOf(7, 'another')] } },
      1,
    ],
  ])('counts as released, as number %s', (...[, sample, number]) => {
    expect(step({ ...RUNS, ...sample })).toMatchObject({
      kind: 'record',
      reason: `the running template counts as rollout ${number}`,
      status: { deploymentUID: 'uid-web', released: releasedVersion('t1', number) },
    });
  });

  const emits = (sample: SampleFacts, created?: string): object => {
    const facts = machineFacts({ ...RUNS, ...sample });
    const { metadata } = facts.deployment;
    const creationTimestamp = created ?? metadata?.creationTimestamp ?? '';
    facts.deployment.metadata = { ...metadata, creationTimestamp };
    const decided = decideStamp(facts);
    return decided?.kind === 'record' ? decided.emits : {};
  };

  test('is reported as created past the webhook if it is newer than its lifecycle', () => {
    const message = 'the Deployment was created without the webhook, and runs already';
    expect(emits({})).toEqual({
      notices: [{ type: 'Warning', reason: 'GateBypassed', message: `${message}.` }],
      observed: [{ type: 'GateBypassed', number: 0, message }],
    });
  });

  test.each<[string, SampleFacts, string?]>([
    ['is as old as its lifecycle', {}, microAgo(2_000)],
    ['has a number', { annotations: { rollout: '6', released: '6' } }],
    ['is kept without a webhook', PAUSED_AT_REST],
  ])('is not reported if it %s', (...[, sample, created]) => {
    expect(emits(sample, created)).toEqual({});
  });
});

describe('a number that the status does not agree with (ROLL-M4)', () => {
  test('that is lower is replaced by the recorded one', () => {
    const annotations = { rollout: '3', released: '3' };
    expect(step({ ...atRest, ...RUNS, annotations })).toMatchObject(gets('4', '4'));
    expect(step({ ...atRest, ...RUNS, annotations, version: 't2' })).toMatchObject(gets('5', '4'));
  });

  test('that is missing before the first release stays unreleased', () => {
    const status = { rollout: openRollout('t1', { number: 1, phase: 'Pre' }) };
    expect(step({ status })).toMatchObject(gets('1', '0'));
  });

  test('of which nothing is released is kept, whatever has pods', () => {
    const annotations = { rollout: '3', released: '0' };
    expect(step({ annotations, sets: [versionSet('t0', { replicas: 3 })] })).toBeNull();
  });

  test('is kept over a released one, which is recorded', () => {
    const annotations = { rollout: '3', released: '2' };
    const sets = [versionSet('t0', { replicas: 3 })];
    expect(step({ annotations, sets })).toEqual({
      kind: 'record',
      reason: 'the running template counts as rollout 2',
      status: {
        deploymentUID: 'uid-web',
        released: {
          ...releasedVersion('t0', 2),
          template: expect.anything() as never,
          revision: '1',
        },
      },
      emits: {},
    });
  });
});

describe('an adopted template that was replaced', () => {
  const annotations = { rollout: '5', released: '4' };
  const adopted = { ...atRest, annotations, version: 't2' } as const;
  const running = versionSet('t0', { replicas: 3 });

  test('before its ReplicaSet was created leaves the running one released (ROLL-L6)', () => {
    expect(step({ ...adopted, sets: [running] })).toMatchObject({
      kind: 'record',
      reason: 'the running template counts as rollout 4',
      status: { deploymentUID: 'uid-web', released: releasedVersion('t0', 4) },
    });
  });

  test.each<[string, SampleFacts]>([
    ['that has a ReplicaSet', { sets: [running, versionSet('t1', { replicas: 0 })] }],
    ['over which nothing runs', { sets: [versionSet('t0', { replicas: 0 })] }],
    [
      'whose record a rollout follows',
      {
        status: { ...atRest.status, rollout: openRollout('t1', { number: 4, phase: 'Done' }) },
        sets: [running],
      },
    ],
  ])('%s stays the released one', (_, more) => {
    expect(step({ ...adopted, ...more })).toBeNull();
  });
});

describe('a template that changed while the Deployment had no number', () => {
  const changed = { ...atRest, ...RUNS, version: 't2' } as const;
  const open = { rollout: openRollout('t1', { number: 4, phase: 'Pre' }) };

  test.each<[string, SampleFacts, object]>([
    ['with the label', {}, gets('5', '4')],
    ['under PausedAtRest', { ...PAUSED_AT_REST, labelled: false }, gets('5', '4')],
    ['while it is paused', { spec: { paused: true }, labelled: false }, gets('5', '4')],
    [
      'in an open rollout',
      { labelled: false, status: { ...atRest.status, ...open } },
      gets('5', '4'),
    ],
  ])('is gated %s', (...[, sample, expected]) => {
    expect(step({ ...changed, ...sample })).toMatchObject(expected);
  });

  test.each<[string, SampleFacts, string | null]>([
    ['is held at 0 if the Deployment has no replicas (ROLL-E15)', {}, '0'],
    [
      'is held at 0 whatever count a user has set',
      { annotations: { 'wanted-replicas': '4' } },
      '0',
    ],
    ['is not held if it is the released template', { version: 't1' }, null],
    [
      'is held at 0 in an open rollout that has no wanted count',
      { status: { ...atRest.status, ...open } },
      '0',
    ],
  ])('%s', (...[, sample, count]) => {
    expect(step({ ...changed, spec: { replicas: 0 }, ...sample })).toMatchObject({
      change: { annotations: { 'lifehook.dev/wanted-replicas': count } },
    });
  });

  test('is stamped if the Deployment has its number', () => {
    const annotations = { rollout: '4', released: '4' };
    expect(step({ ...changed, labelled: false, annotations })).toMatchObject({
      kind: 'stampDeployment',
    });
  });
});

describe('a template that changed under the same number', () => {
  const versions = ['t1', 't2', 't3'] as const;
  /** The templates that get a new number. */
  const stamped = (sample: SampleFacts): string[] =>
    versions.filter((version) => step({ ...sample, version }) !== null);
  const inPhase = (phase: Phase): SampleFacts => ({
    annotations: { rollout: '5', released: '4' },
    status: { ...atRest.status, rollout: openRollout('t2', { number: 5, phase }) },
  });

  test.each<[string, SampleFacts, string[]]>([
    ['any but that of the rollout in Pre', inPhase('Pre'), ['t1', 't3']],
    ['neither the old nor the new one in Restoring', inPhase('Restoring'), ['t3']],
    ['neither the old nor the new one in RollingBack', inPhase('RollingBack'), ['t3']],
    [
      'any but the released one after a rollback',
      {
        annotations: { rollout: '5', released: '5' },
        status: {
          released: releasedVersion('t1', 5),
          rollout: openRollout('t2', { number: 5, phase: 'RolledBack' }),
        },
      },
      ['t2', 't3'],
    ],
    [
      'any but the released one, if that is newer than the rollout',
      {
        annotations: { rollout: '6', released: '6' },
        status: {
          released: releasedVersion('t1', 6),
          rollout: openRollout('t2', { number: 5, phase: 'Done' }),
        },
      },
      ['t2', 't3'],
    ],
  ])('gets a new number: %s', (...[, sample, expected]) => {
    expect(stamped(sample)).toEqual(expected);
  });

  const numbered = { ...atRest, annotations: { rollout: '4', released: '4' }, version: 't2' };

  test('is reported as changed without its hooks', () => {
    const message = 'the template has changed without its hooks';
    expect(step(numbered)).toMatchObject({
      reason: 'the template has changed',
      emits: {
        notices: [{ type: 'Warning', reason: 'GateBypassed', message: `${message}.` }],
        observed: [{ type: 'GateBypassed', number: 4, message }],
      },
    });
  });

  test('is not reported under PausedAtRest, unless it runs', () => {
    const paused = step({ ...numbered, ...PAUSED_AT_REST });
    expect(paused?.kind === 'stampDeployment' && paused.emits).toEqual({});
    expect(step({ ...numbered, ...PAUSED_AT_REST, ...RUNS })).toMatchObject({
      emits: { notices: [{ reason: 'GateBypassed' }] },
    });
  });
});

test('a Deployment that was released is not taken for one that was left paused', () => {
  const sample: ManagedFacts = machineFacts({
    annotations: { rollout: '3', released: '2' },
    labelled: false,
    ...RUNS,
  });
  expect(decideResumed(sample)).toBeNull();
});

function runOf(rollout: number, deploymentUID = 'uid-web'): HookRun {
  const run = settled('pre', 'Succeeded');
  return { ...run, spec: { ...run.spec, rollout, deploymentUID } };
}
