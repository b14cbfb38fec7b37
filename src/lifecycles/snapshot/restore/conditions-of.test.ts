import { describe, expect, it } from 'vitest';

import { withConditions } from './conditions-of.ts';
import type { RestoredClaim, SnapshotRestoreStatus } from './kinds.ts';

const restore = { metadata: { generation: 1 }, spec: { source: {} } };

function conditions(status: SnapshotRestoreStatus): Record<string, string> {
  const { conditions: all = [] } = withConditions(restore, status, { nowMs: 0 });
  return Object.fromEntries(
    all.map(({ type, status: value, reason }) => [type, `${value} ${reason}`]),
  );
}

describe('the conditions of a restore', () => {
  it('say for kstatus that it is in progress, complete or failed (CTRL-K4)', () => {
    expect(conditions({ phase: 'Restoring' })).toEqual({
      Ready: 'False Restoring',
      Reconciling: 'True Restoring',
      Stalled: 'False Restoring',
      Complete: 'False Restoring',
      Failed: 'False Restoring',
    });
    expect(conditions({ phase: 'Completed' })).toMatchObject({
      Ready: 'True Restored',
      Reconciling: 'False Restored',
      Complete: 'True Restored',
    });
    const failure = { reason: 'NotBound', message: 'm', at: '' };
    const failed = { Ready: 'False NotBound', Stalled: 'True NotBound', Failed: 'True NotBound' };
    expect(conditions({ phase: 'Failed', failure })).toMatchObject(failed);
    expect(conditions({ phase: 'CleaningUp', failure })).toMatchObject({
      Reconciling: 'True NotBound',
    });
    expect(withConditions(restore, {}, { nowMs: 0 }).observedGeneration).toBe(1);
  });

  it('do not say of a restore that is no rehearsal that its claims are deleted', () => {
    const status = withConditions(restore, { phase: 'CleaningUp' }, { nowMs: 0 });
    const reconciling = status.conditions?.find(({ type }) => type === 'Reconciling');
    expect(reconciling?.message).toBe(
      'The pods of the hooks are being deleted, and the workloads started again. A rehearsal deletes its claims too.',
    );
  });

  it('say that a claim waits for its first consumer', () => {
    const claim = { claimName: 'c', claimUID: 'u', waitsForConsumer: true } as RestoredClaim;
    const waiting = conditions({ phase: 'Restoring', claims: [claim] });
    expect(waiting['Reconciling']).toBe('True WaitForFirstConsumer');
    const bound = conditions({ phase: 'Restoring', claims: [{ ...claim, bound: true }] });
    expect(bound['Reconciling']).toBe('True Restoring');
  });

  it.each([
    ['Passed', 'True'],
    ['Failed', 'False'],
    ['Unknown', 'Unknown'],
  ] as const)('say of a verification that is %s: %s', (result, value) => {
    const verification = { result, reason: 'R', message: '', at: '' };
    expect(conditions({ verification })['Verified']).toBe(`${value} R`);
  });
});
