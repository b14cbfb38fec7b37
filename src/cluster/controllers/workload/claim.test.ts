import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../../../kube/object.ts';
import { claimStep } from './claim.ts';

const OWNER: KubeObject = { metadata: { name: 'web', uid: 'mine' } };
const GOING: KubeObject = { metadata: { ...OWNER.metadata, deletionTimestamp: 'now' } };

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
    ['its own that it selects', child('mine'), true, 'keep'],
    ['its own that it does not select any more', child('mine'), false, 'release'],
    ['another owner’s, whatever its labels', child('other'), true, 'leave'],
    ['an orphan that it selects', child(null), true, 'adopt'],
    ['an orphan that it does not select', child(null), false, 'leave'],
    ['an orphan that is going', child(null, { deletionTimestamp: 'now' }), true, 'leave'],
  ])('%s', (_, ...[object, selected, step]) => {
    expect(claimStep(OWNER, object, selected)).toBe(step);
  });

  it('adopts and releases nothing when the owner is terminating', () => {
    expect(claimStep(GOING, child(null), true)).toBe('leave');
    expect(claimStep(GOING, child('mine'), false)).toBe('leave');
    expect(claimStep(GOING, child('mine'), true)).toBe('keep');
  });

  it('ignores an object whose owner reference is not controlling', () => {
    const owners = child('mine').metadata?.ownerReferences ?? [];
    const named = owners.map((reference) => ({ ...reference, controller: false }));
    expect(claimStep(OWNER, { metadata: { ownerReferences: named } }, false)).toBe('leave');
  });
});
