import { describe, expect, it } from 'vitest';
import { conflictCauses, conflictMessage } from './change-owners.ts';

const NOW = '2026-01-01T00:00:00Z';

describe('conflicts', () => {
  const conflict = {
    operation: 'Update',
    apiVersion: 'apps/v1',
    subresource: '',
    time: NOW,
  } as const;

  it('are grouped by manager in the message', () => {
    const conflicts = [
      { ...conflict, manager: 'b', field: '.spec.replicas' },
      { ...conflict, manager: 'b', field: '.spec.paused' },
      { ...conflict, manager: 'a', operation: 'Apply', field: '.spec.replicas' } as const,
    ];
    expect(conflictMessage(conflicts)).toBe(
      'Apply failed with 3 conflicts: conflicts with "a":\n- .spec.replicas\nconflicts with "b" using apps/v1:\n- .spec.replicas\n- .spec.paused',
    );
    expect(conflictMessage(conflicts.slice(0, 1))).toBe(
      'Apply failed with 1 conflict: conflict with "b" using apps/v1: .spec.replicas',
    );
    expect(conflictCauses(conflicts)[0]).toEqual({
      reason: 'FieldManagerConflict',
      message: 'conflict with "b" using apps/v1',
      field: '.spec.replicas',
    });
  });
});
