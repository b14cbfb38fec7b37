import { describe, expect, test } from 'vitest';

import {
  type Case,
  facts,
  free,
  gated,
  released,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  digestOfVersion,
  type ManagedFacts,
  versionTemplate,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';
import type { DeploymentChange } from './step.ts';

const again = { 'lifehook.dev/rollout': '6' };

function held(sample: Case = {}): ManagedFacts {
  return facts({ phase: 'Held', annotations: { ...gated, retry: '5' }, ...sample });
}

function changeOf(sample: ManagedFacts): DeploymentChange | null {
  const step = decide(sample);
  return step.kind === 'changeDeployment' ? step.change : null;
}

describe('a retry that a user asks for', () => {
  test('gives the same template the next number, paused, in one write', () => {
    expect(decide(held())).toEqual({
      kind: 'changeDeployment',
      reason: 'rollout 5 is retried',
      change: { paused: true, annotations: again },
      emits: {},
    });
  });

  test('first forgets that the template was aborted, and no other one', () => {
    const sample = held();
    const abortedDigests = ['other', digestOfVersion('t2')];
    sample.lifecycle.status = { ...sample.lifecycle.status, abortedDigests };
    expect(decide(sample)).toEqual({
      kind: 'record',
      reason: 'rollout 5 is retried',
      status: { abortedDigests: ['other'] },
      emits: {},
    });
    sample.lifecycle.status = { ...sample.lifecycle.status, abortedDigests: ['other'] };
    expect(changeOf(sample)).toEqual({ paused: true, annotations: again });
  });

  test('writes its template again where another one is in the spec', () => {
    const back = {
      phase: 'RolledBack',
      version: 't1',
      annotations: { ...free, retry: '5' },
    } as const;
    expect(changeOf(held(back))).toEqual({
      template: versionTemplate('t2'),
      paused: true,
      annotations: again,
    });
  });

  test.each([
    ['keeps the wanted count (ROLL-C17)', { ...gated, 'wanted-replicas': '3' }, '3'],
    ['wants none where none are wanted', gated, '0'],
  ])(
    'of a Deployment at zero replicas %s, since no pod may start (ROLL-E15)',
    (...[, marks, count]) => {
      const sample = held({ spec: { replicas: 0 }, annotations: { ...marks, retry: '5' } });
      expect(changeOf(sample)?.annotations).toEqual({
        'lifehook.dev/wanted-replicas': count,
        ...again,
      });
    },
  );

  test('of another number is ignored', () => {
    expect(decide(held({ annotations: { ...gated, retry: '4' } }))).toMatchObject({ kind: 'wait' });
  });

  test('is ignored once its rollout is done, also with a template that was aborted', () => {
    const sample = held({ phase: 'Done', annotations: { ...free, retry: '5' } });
    sample.lifecycle.status = {
      ...sample.lifecycle.status,
      released,
      abortedDigests: [digestOfVersion('t2')],
    };
    expect(decide(sample)).toEqual({ kind: 'wait', reason: 'nothing is rolled out' });
  });
});
