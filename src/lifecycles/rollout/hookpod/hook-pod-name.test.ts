import { describe, expect, it } from 'vitest';

import { deploymentLabel, hookPodName, hookRunName } from './identity.ts';

const first = { deployment: 'web', uid: 'u-1', number: 12, stage: 'pre', attempt: 1 } as const;
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

describe('hookPodName', () => {
  it('names Deployment, rollout, stage and attempt, and is stable', () => {
    expect(hookPodName(first)).toMatch(/^web-12-pre-1-[0-9a-f]{10}$/);
    expect(hookPodName(first)).toBe(hookPodName({ ...first }));
    expect(hookRunName(first)).toMatch(/^web-12-pre-[0-9a-f]{10}$/);
  });

  it('differs for each UID, Deployment, number, stage and attempt', () => {
    const others = [
      first,
      { ...first, uid: 'u-2' },
      { ...first, deployment: 'web-12' },
      { ...first, number: 1 },
      { ...first, stage: 'post' as const },
      { ...first, attempt: 11 },
      { ...first, number: 121, attempt: 1 },
    ];
    expect(new Set(others.map((each) => hookPodName(each))).size).toBe(others.length);
  });

  it('is a valid name of at most 63 characters for a Deployment name of any length', () => {
    for (const deployment of ['a', `${'x'.repeat(50)}.`.repeat(4), 'a.b-'.repeat(60), 'web.v1']) {
      const longest = { ...first, deployment, number: 123_456_789, attempt: 99_999 };
      for (const name of [hookPodName(longest), hookRunName(longest)]) {
        expect(name.length).toBeLessThanOrEqual(63);
        expect(name).toMatch(NAME);
      }
    }
  });

  it('keeps a name of 63 characters as a label, and its dots as dashes in names', () => {
    const longest = 'x'.repeat(63);
    expect(deploymentLabel(longest)).toBe(longest);
    expect(hookRunName({ ...first, deployment: 'my-web.v1' })).toMatch(/^my-web-v1-12-pre-/);
    const dashes = hookRunName({ ...first, deployment: `a-b${'-'.repeat(60)}` });
    expect(dashes).toMatch(/^a-b-12-pre-/);
  });

  it('differs for Deployments whose long names share a prefix', () => {
    const [one, other] = ['-one', '-other'].map((end) => {
      const deployment = 'x'.repeat(100) + end;
      return {
        pod: hookPodName({ ...first, deployment, uid: end }),
        label: deploymentLabel(deployment),
      };
    });
    expect(one?.pod).not.toBe(other?.pod);
    expect(one?.label).not.toBe(other?.label);
    expect(one?.label.length).toBe(63);
    expect(deploymentLabel('web.v1')).toBe('web.v1');
  });
});
