import { describe, expect, it } from 'vitest';

import { deploymentOf, patched } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { judgeDeployment, judgeScale } from './judge.ts';
import { stamp } from './stamp.ts';

const judged = (old: string | null, request: string, isProven: boolean = false): string => {
  const before = old === null ? null : deploymentOf(old);
  const verdict = judgeDeployment({
    object: deploymentOf(request),
    old: before,
    isProven,
    isNamed: null,
  });
  return verdict.allowed ? '' : `${verdict.status?.code ?? ''} ${verdict.status?.message ?? ''}`;
};

describe('the validating webhook', () => {
  it.each([
    ['label r4 l4 T1', 'label r5 l4 p T2'],
    ['label r4 l4 T1', 'label r4 l4 n9 T1'],
    ['label r5 l4 p n0 w3 T2', 'label r5 l4 p n0 w7 T2'],
    [null, 'label r1 l0 p'],
    [null, 'T1'],
    ['T1', 'T2'],
  ])('allows what the mutating webhook stamped: %s -> %s', (old, request) => {
    expect(judged(old, request)).toBe('');
  });

  it.each([
    ['label r4 l4 T1', 'label r4 l4 T2', 'lifehook.dev/rollout=5'],
    ['label r4 l4 T1', 'label r5 l4 T2', 'spec.paused: true'],
    ['label r5 l4 p T2', 'label r5 l4 T2', 'spec.paused: true'],
    ['label r5 l4 p T2', 'label r5 l5 p T2', 'lifehook.dev/released=4'],
    ['label r5 l4 p T2', 'r5 l4 p T2', 'the label lifehook.dev/gated'],
    ['label r5 l4 p n0 w3 T2', 'label r5 l4 p n3 w3 T2', 'spec.replicas: 0'],
    [null, 'label T1', 'spec.paused: true'],
  ])('refuses with 403 an object that lost its stamp: %s -> %s', (old, request, why) => {
    const message = judged(old, request);
    expect(message).toMatch(/^403 /u);
    expect(message).toContain(why);
  });

  it('allows every proven write', () => {
    expect(judged('label r5 l4 p T2', 'label r5 l5 T2', true)).toBe('');
  });

  it('allows what stamp makes of each request', () => {
    for (const request of ['label T2', 'T2', 'label r1 l1 n0 w1 T1', 'label p n7 T3']) {
      const old = deploymentOf('label r5 l4 p n0 w3 T2');
      const input = { object: deploymentOf(request), old, isProven: false, isNamed: null };
      const object = patched(input.object, stamp(input).patch);
      expect(judgeDeployment({ ...input, object }).allowed).toBe(true);
    }
  });
});

describe('judgeScale', () => {
  it.each([
    {
      title: 'refuses to scale a held Deployment',
      of: 'label r5 l4 p n0 w3',
      to: 5,
      allowed: false,
    },
    {
      title: 'refuses to scale a held Deployment without a wanted count',
      of: 'label r5 l4 p n0',
      to: 5,
      allowed: false,
    },
    {
      title: 'allows scaling a Deployment to zero that is held there',
      of: 'label r5 l4 p n0 w3',
      to: 0,
      allowed: true,
    },
    {
      title: 'refuses to scale a Deployment to zero between its record and its hold (ROLL-L5)',
      of: 'label r5 l4 p n2 w2',
      to: 0,
      allowed: false,
    },
    { title: 'allows scaling during pre (ROLL-E3)', of: 'label r5 l4 p n3', to: 5, allowed: true },
    { title: 'allows scaling a Deployment at rest', of: 'label r5 l5 n0', to: 5, allowed: true },
    {
      title: 'allows scaling a Deployment without the label',
      of: 'r5 l4 n0 w3',
      to: 5,
      allowed: true,
    },
  ])('$title', ({ of, to, allowed }) => {
    const verdict = judgeScale({ replicas: to, deployment: deploymentOf(of) });
    expect(verdict.allowed).toBe(allowed);
  });

  it('allows scaling a Deployment that was not found', () => {
    expect(judgeScale({ replicas: 5, deployment: null }).allowed).toBe(true);
  });

  it('names the count of a scale that bypassed the gate, since that is newer than the wanted count (ROLL-L16)', () => {
    const deployment = deploymentOf('label r5 l4 p n4 w3');
    expect(judgeScale({ replicas: 5, deployment }).status?.message).toContain('gets 4.');
  });

  it('names the command that sets another wanted count, with its namespace, when it refuses (ROLL-E26)', () => {
    const deployment = deploymentOf('label r5 l4 p n0 w3');
    expect(judgeScale({ replicas: 5, deployment }).status).toEqual({
      code: 403,
      reason: 'Forbidden',
      message:
        'deployments.apps "web" is held at 0 replicas until rollout 5 is released, and then gets 3. For another number: kubectl annotate deployment web -n x --overwrite lifehook.dev/wanted-replicas=5',
    });
  });
});
