import { describe, expect, it } from 'vitest';

import { beginCleanUp, CLEAN_UP_FINALIZER, conditionOf, withCondition } from './conditions.ts';

const now = '2026-01-01T00:00:00Z';

describe('the clean-up of a custom resource definition', () => {
  const old = { metadata: { name: 'a', generation: 3, finalizers: ['example.com/hold'] } };
  const marked = {
    metadata: {
      ...old.metadata,
      generation: 4,
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
    },
  };

  it('begins with a finalizer and a condition, and changes neither grace period nor generation', () => {
    expect(beginCleanUp(marked, old)).toEqual({
      metadata: {
        ...old.metadata,
        deletionTimestamp: now,
        finalizers: ['example.com/hold', CLEAN_UP_FINALIZER],
      },
      status: {
        conditions: [
          expect.objectContaining({
            type: 'Terminating',
            status: 'True',
            reason: 'InstanceDeletionPending',
            lastTransitionTime: now,
          }),
        ],
      },
    });
  });

  it('begins only once', () => {
    const begun = beginCleanUp(marked, old);
    const condition = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: '',
    } as const;
    const terminating = withCondition(begun, condition, now);
    expect(beginCleanUp(terminating, begun)).toBe(terminating);
    expect(conditionOf(terminating, 'Terminating')).toMatchObject({ reason: condition.reason });
  });
});
