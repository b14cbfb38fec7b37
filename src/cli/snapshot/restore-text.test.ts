import { describe, expect, it } from 'vitest';

import type {
  RestoredClaim,
  SnapshotRestoreStatus,
} from '../../lifecycles/snapshot/restore/kinds.ts';
import { failureText, restoreStatusText, restoreText, waitsForText } from './restore-text.ts';

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
  expect(restoreStatusText({ spec, status: waiting })).toContain(
    `restore   Completed\nwaits     ${message}\n`,
  );
});

describe('failureText', () => {
  const output = `${Array.from({ length: 12 }, (_, at) => `row ${at}`).join('\n')}\n\u001B[2Jindex broken\n`;
  const attempts = [{ startedAt: '', outcome: 'Failed' as const, output }];
  const failed: SnapshotRestoreStatus = {
    ...status,
    hooks: [{ name: 'check', stage: 'verify', outcome: 'Failed', attempts }],
    failure: {
      reason: 'CheckFailed',
      message: `Pod p ended with exit code 1. Output: ${output.trim()}. Deployment db stays at 0.`,
      at: '',
    },
  };

  it('prints the cause in one line, and the last lines of the failed hook under it', () => {
    expect(
      failureText({ metadata: { namespace: 'ns', name: 'friday' }, spec, status: failed }),
    ).toEqual({
      message:
        'The restore ns/friday failed (CheckFailed): Pod p ended with exit code 1. Deployment db stays at 0.',
      output:
        'Last lines of hook check:\n' +
        [3, 4, 5, 6, 7, 8, 9, 10, 11].map((row) => `  row ${row}\n`).join('') +
        '  \uFFFD[2Jindex broken\n',
    });
  });

  it('prints no lines if the hook printed none, or none has failed', () => {
    const failure = { reason: 'NotBound', message: 'Claim c was not bound.', at: '' };
    const silent = [{ name: 'a', stage: 'verify' as const, attempts: [{ startedAt: '' }] }];
    for (const hooks of [[], silent, [{ ...silent[0], outcome: 'Succeeded' as const, attempts }]]) {
      const own = { ...status, hooks, failure } as SnapshotRestoreStatus;
      expect(failureText({ spec, status: own })).toEqual({
        message: 'The restore / failed (NotBound): Claim c was not bound.',
        output: '',
      });
    }
  });
});

it('restoreStatusText prints the object, its result and its failure', () => {
  const metadata = { namespace: 'ns', name: 'friday' };
  const restore = { metadata, spec, status };
  expect(restoreStatusText(restore)).toBe(`SnapshotRestore ns/friday\n${restoreText(restore)}`);
  const failure = { reason: 'NotBound', message: 'Claim c was not bound.', at: '' };
  const failed = { ...restore, status: { ...status, failure } };
  expect(restoreStatusText(failed)).toBe(
    `SnapshotRestore ns/friday\n${restoreText(failed)}\nThe restore ns/friday failed (NotBound): Claim c was not bound.\n`,
  );
});
