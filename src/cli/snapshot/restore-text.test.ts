import { expect, it } from 'vitest';

import type {
  RestoredClaim,
  SnapshotRestoreStatus,
} from '../../lifecycles/snapshot/restore/kinds.ts';
import { restoreText, waitsForText } from './restore-text.ts';

const claim: RestoredClaim = {
  sourceClaimName: 'data',
  volumeSnapshotName: 's',
  volumeSnapshotUID: 'su',
  claimName: 'copy',
  accessModes: [],
  size: '1Gi',
  claimUID: 'u',
  bound: true,
};
const status: SnapshotRestoreStatus = {
  phase: 'Completed',
  sourceVerdict: {
    value: 'ApplicationConsistent',
    reason: 'FrozenAtCut',
    message: '',
    origin: 'Record',
  },
  claims: [claim, { ...claim, claimName: 'other', bound: false }],
  hooks: [{ name: 'check', stage: 'verify', outcome: 'Succeeded', attempts: [{ startedAt: '' }] }],
  verification: { result: 'Passed', reason: 'Verified', message: '', at: '' },
};
const spec = { source: {} };

it('restoreText prints the verdict, the claims, the hooks and the result', () => {
  expect(restoreText({ spec, status })).toBe(
    'snapshot  ApplicationConsistent (FrozenAtCut)\n' +
      'claim     data -> copy, 1Gi, bound\n' +
      'claim     data -> other, 1Gi, not bound\n' +
      'hook      check (verify): Succeeded, 1 attempt\n' +
      'verified  Passed\n' +
      'restore   Completed\n',
  );
  const cleaned = restoreText({ spec, status: { ...status, cleanedUpAt: 'now' } });
  expect(cleaned).toContain('claim     data -> copy, 1Gi, deleted\n');
  expect(restoreText({ spec })).toBe('restore   \n');
});

it.each([
  ['WaitForFirstConsumer', 'Claim copy waits for its first consumer: start a pod that mounts it.'],
  ['WaitForSnapshot', 'VolumeSnapshot s has no verdict yet (ApplicationSnapshot w is Cutting)'],
])('waitsForText prints the message of %s instead of the phase', (reason, message) => {
  expect(waitsForText({ spec, status })).toBe('Completed');
  const reconciling = {
    type: 'Reconciling',
    status: 'True',
    reason,
    message,
  } as const;
  const waiting = { ...status, conditions: [{ ...reconciling, lastTransitionTime: '' }] };
  expect(waitsForText({ spec, status: waiting })).toBe(message);
});
