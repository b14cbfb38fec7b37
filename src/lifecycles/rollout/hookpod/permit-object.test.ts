import { describe, expect, it } from 'vitest';

import {
  permitData,
  permitObject,
  permits,
  revokedData,
  tokenFromPermit,
} from './permit-object.ts';

const owner = { namespace: 'shop', name: 'web', uid: 'uid-web' };
const attempt = { uid: 'uid-web', number: 12, stage: 'mid', attempt: 3 } as const;

describe('permitObject', () => {
  it('names one attempt, and is owned by the Deployment', () => {
    expect(permitObject(owner, permitData(attempt))).toEqual({
      metadata: {
        namespace: 'shop',
        name: 'hook-permit-uid-web',
        labels: { 'lifehook.dev/deployment': 'web' },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web' },
        ],
      },
      data: { '12-mid-3': '12100003' },
    });
  });
});

describe('permits', () => {
  it.each([
    ['allows the attempt that it names', attempt, true],
    ['allows no other attempt', { ...attempt, attempt: 2 }, false],
    ['allows no other stage', { ...attempt, stage: 'pre' } as const, false],
    ['allows no other rollout', { ...attempt, number: 1 }, false],
  ])('%s', (...[, asked, expected]) => {
    expect(permits({ data: { ...permitData(attempt) } }, asked)).toBe(expected);
  });

  it('allows no attempt when the permit has no data', () => {
    expect(permits({}, attempt)).toBe(false);
  });
});

describe('revokedData', () => {
  it('takes the entry of its attempt away and no other one, and says when', () => {
    const data = { ...permitData(attempt), ...permitData({ ...attempt, attempt: 4 }) };
    const revoked = revokedData({ data }, attempt, '7');
    expect(revoked).toEqual({ '12-mid-4': '12100004', revoked: '12-mid-3 at 7' });
    expect(revokedData({ data: revoked }, attempt, '8')).not.toEqual(revoked);
    expect(revokedData(null, attempt, '7')).toEqual({ revoked: '12-mid-3 at 7' });
  });
});

describe('tokenFromPermit', () => {
  it('reads the entry of its attempt, and requires it', () => {
    const configMapKeyRef = { name: 'hook-permit-uid-web', key: '12-mid-3' };
    expect(tokenFromPermit(attempt)).toEqual({ configMapKeyRef });
  });
});
