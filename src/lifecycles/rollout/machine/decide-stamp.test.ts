import { describe, expect, test } from 'vitest';

import {
  machineFacts,
  openRollout,
  releasedVersion,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decideStamp } from './decide-stamp.ts';

const atRest = { status: { released: releasedVersion('t1', 4) } };
const overRollout = (number: number): NonNullable<SampleFacts['status']> => ({
  ...atRest.status,
  rollout: openRollout('t1', { number, phase: 'Done', releasedAt: '2026-01-01T00:00:00Z' }),
});
const PAUSED_AT_REST = { lifecycle: { gate: 'PausedAtRest' } } as const;

describe('a Deployment without a number', () => {
  test('what runs is recorded first as what was released, and no pod is touched', () => {
    expect(decideStamp(machineFacts({ spec: { paused: false } }))).toMatchObject({
      kind: 'record',
      status: { deploymentUID: 'uid-web', released: releasedVersion('t1', 1) },
    });
  });

  test('one that came after its lifecycle came past the webhook, and that is told', () => {
    const old = { creationTimestamp: '2020-01-01T00:00:00Z', name: 'web', namespace: 'shop' };
    const after = machineFacts();
    const before = machineFacts();
    before.deployment.metadata = { ...before.deployment.metadata, ...old };
    expect(decideStamp(after)).toMatchObject({
      telling: { notices: [{ reason: 'GateBypassed' }] },
    });
    expect(decideStamp(before)).toMatchObject({ telling: {} });
  });

  test.each<[string, SampleFacts, object]>([
    [
      'it gets the number that is known of its template, and the label',
      atRest,
      {
        labelled: true,
        annotations: { 'lifehook.dev/rollout': '4', 'lifehook.dev/released': '4' },
      },
    ],
    [
      'with another template it is a new number, paused',
      { ...atRest, version: 't2' },
      {
        labelled: true,
        paused: true,
        annotations: { 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '4' },
      },
    ],
    [
      'in the midst of a rollout it is gated again',
      {
        version: 't2',
        status: { ...atRest.status, rollout: openRollout('t2', { number: 5, phase: 'Pre' }) },
      },
      {
        labelled: true,
        paused: true,
        annotations: { 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '4' },
      },
    ],
    [
      'at rest after a rollout back, the template before it is the released one',
      {
        version: 't1',
        status: {
          released: releasedVersion('t1', 5),
          rollout: openRollout('t2', { number: 5, phase: 'RolledBack' }),
        },
      },
      {
        labelled: true,
        annotations: { 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '5' },
      },
    ],
    [
      'paused, and with no set yet: nothing of it has run',
      PAUSED_AT_REST,
      { paused: true, annotations: { 'lifehook.dev/rollout': '1', 'lifehook.dev/released': '0' } },
    ],
  ])('%s', (_, sample, change) => {
    const step = decideStamp(machineFacts(sample));
    expect(step).toMatchObject({ kind: 'changeDeployment' });
    expect(step?.kind === 'changeDeployment' ? step.change : null).toEqual(change);
  });

  test('a change before it has its label is what runs, and is recorded instead', () => {
    const sample = { ...atRest, version: 't2', labelled: false };
    expect(decideStamp(machineFacts(sample))).toMatchObject({
      kind: 'record',
      status: { released: releasedVersion('t2', 4) },
    });
  });

  test('paused over another template: that of the set with pods is the released one', () => {
    const sets = [
      versionSet('t0', { replicas: 0 }),
      versionSet('t1', { replicas: 3, revision: 2 }),
    ];
    expect(decideStamp(machineFacts({ ...PAUSED_AT_REST, version: 't2', sets }))).toMatchObject({
      kind: 'record',
      status: { released: { ...releasedVersion('t1', 1), revision: '2' } },
    });
  });
});

describe('a number that was released, and that the status does not tell of', () => {
  // `kubectl rollout undo` puts the annotations of the older set on, ours with them.
  const undone: SampleFacts = { ...atRest, annotations: { rollout: '6', released: '6' } };

  test.each<[string, SampleFacts]>([
    ['the same template, without its label yet', { labelled: false }],
    ['the same template, with its label', {}],
    ['another template: it runs already', { labelled: false, version: 't0' }],
    ['over a rollout that is past', { status: overRollout(5) }],
  ])('is recorded as what was released: %s', (_, more) => {
    const { version = 't1' } = more;
    expect(decideStamp(machineFacts({ ...undone, ...more }))).toMatchObject({
      kind: 'record',
      status: { deploymentUID: 'uid-web', released: releasedVersion(version, 6) },
    });
  });

  test('is not turned back where nothing of it has run yet', () => {
    const step = decideStamp(machineFacts({ ...undone, ...PAUSED_AT_REST }));
    expect(step).toMatchObject({
      change: { annotations: { 'lifehook.dev/rollout': '6', 'lifehook.dev/released': '0' } },
    });
  });

  test('is left where the status tells of it', () => {
    const status = overRollout(6);
    expect(decideStamp(machineFacts({ ...undone, status }))).toBeNull();
  });
});

describe('a Deployment that was released without a lifecycle, and has another template since', () => {
  const annotations = { rollout: '3', released: '2' };
  const stepOver = (sets: SampleFacts['sets']): object | null =>
    decideStamp(
      machineFacts({ annotations, version: 't2', ...(sets === undefined ? {} : { sets }) }),
    );

  test('what has pods is recorded as what was released', () => {
    const sets = [
      versionSet('t0', { replicas: 0, revision: 3 }),
      versionSet('t1', { replicas: 3 }),
    ];
    expect(stepOver(sets)).toMatchObject({ status: { released: releasedVersion('t1', 2) } });
  });

  test('at zero it is the newest set of another template', () => {
    const sets = [
      versionSet('t2', { replicas: 0, revision: 3 }),
      versionSet('t1', { replicas: 0, revision: 2 }),
      versionSet('t0', { replicas: 0, revision: 1 }),
    ];
    expect(stepOver(sets)).toMatchObject({ status: { released: releasedVersion('t1', 2) } });
  });

  test('with no set at all there is nothing to record', () => {
    expect(stepOver([])).toBeNull();
  });
});

describe('a template that has kept its number', () => {
  const numbered = { ...atRest, annotations: { rollout: '4', released: '4' } };

  test('is stamped, and that is a bypass of the gate', () => {
    const step = decideStamp(machineFacts({ ...numbered, version: 't2' }));
    expect(step).toMatchObject({
      kind: 'stampDeployment',
      telling: { notices: [{ reason: 'GateBypassed' }] },
    });
  });

  test('is what PausedAtRest is made for, where it was paused', () => {
    const step = decideStamp(machineFacts({ ...numbered, ...PAUSED_AT_REST, version: 't2' }));
    expect(step).toMatchObject({ kind: 'stampDeployment', telling: {} });
  });

  test('the template before it belongs into the spec while it is restored', () => {
    const rollout = openRollout('t2', { number: 5, phase: 'Restoring' });
    const status = { released: releasedVersion('t1', 4), rollout };
    const annotations = { rollout: '5', released: '4' };
    expect(decideStamp(machineFacts({ annotations, status, version: 't1' }))).toBeNull();
    expect(decideStamp(machineFacts({ annotations, status, version: 't2' }))).toBeNull();
    expect(decideStamp(machineFacts({ annotations, status, version: 't3' }))).not.toBeNull();
  });

  test('a number that is not opened yet is no matter of the stamp', () => {
    const annotations = { rollout: '5', released: '4' };
    expect(decideStamp(machineFacts({ ...atRest, annotations, version: 't2' }))).toBeNull();
  });
});
