import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../../../../../src/kube/object.ts';
import { claimStep } from './claim.ts';

const OWNER: KubeObject = { metadata: { name: 'web', uid: 'mine' } };
const TERMINATING: KubeObject = { metadata: { ...OWNER.metadata, deletionTimestamp: 'now' } };

const child = (uid: string | null, more: KubeObject['metadata'] = {}): KubeObject => ({
  metadata: {
    ...more,
    ownerReferences:
      uid === null
        ? []
        : [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }],
  },
});

describe('claimStep', () => {
  it.each([
    ['keeps its own object while it selects it', child('mine'), true, 'keep'],
    ['releases its own object that it no longer selects', child('mine'), false, 'release'],
    ['ignores an object of another owner, whatever its labels', child('other'), true, 'leave'],
    ['adopts an orphan that it selects', child(null), true, 'adopt'],
    ['ignores an orphan that it does not select', child(null), false, 'leave'],
    [
      'ignores an orphan that is terminating',
      child(null, { deletionTimestamp: 'now' }),
      true,
      'leave',
    ],
  ])('%s', (_, ...[object, selected, step]) => {
    expect(claimStep(OWNER, object, selected)).toBe(step);
  });

  it('adopts and releases nothing when the owner is terminating', () => {
    expect(claimStep(TERMINATING, child(null), true)).toBe('leave');
    expect(claimStep(TERMINATING, child('mine'), false)).toBe('leave');
    expect(claimStep(TERMINATING, child('mine'), true)).toBe('keep');
  });

  it('ignores an object whose owner reference is not controlling', () => {
    const owners = child('mine').metadata?.ownerReferences ?? [];
    const named = owners.map((reference) => ({ ...reference, controller: false }));
    expect(claimStep(OWNER, { metadata: { ownerReferences: named } }, false)).toBe('leave');
  });
});
