import { describe, expect, it } from 'vitest';

import type { ExecutionHook, ExecutionHookStatus } from '../kinds.ts';
import { causeOf } from './hook-cause.ts';
import { whyNotHeld } from './thaw-order.ts';

const AT = '2026-01-01T00:00:00Z';

function failedHook(reason: string, more: ExecutionHookStatus = {}): ExecutionHook {
  const failed = { type: 'Failed', status: 'True', reason, message: 'why', lastTransitionTime: AT };
  const conditions = [{ ...failed, status: 'True' as const }];
  return { metadata: { name: 'h', namespace: 'ns' }, spec: {}, status: { conditions, ...more } };
}

describe('the cause of a hook', () => {
  it.each<[string, ExecutionHookStatus]>([
    ['TemplateNotFound', { preActionSucceed: false }],
    ['PreActionFailed', { preActionSucceed: false, release: { cause: 'PreFailed', at: AT } }],
    ['FreezeLost', { preActionSucceed: true, release: { cause: 'Broken', at: AT } }],
    ['Expired', { preActionSucceed: true, release: { cause: 'Expired', at: AT } }],
  ])('%s is named by the snapshot with reason and message', (reason, status) => {
    expect(whyNotHeld(failedHook(reason, status))).toBe(`ExecutionHook h: ${reason}: why`);
  });

  it('is none where a user asked for the thaw, or only the thaw has failed', () => {
    const byHand = { preActionSucceed: false, release: { cause: 'Human', at: AT } } as const;
    expect(whyNotHeld(failedHook('PreActionFailed', byHand))).toBe('hook h was thawed: Human');
    expect(causeOf(failedHook('PostActionFailed', { preActionSucceed: true }))).toBeNull();
  });

  it('is cut to 512 characters, since a message of the snapshot contains it', () => {
    const hook = failedHook('TemplateNotFound');
    const conditions = (hook.status?.conditions ?? []).map((one) => ({
      ...one,
      message: 'm'.repeat(600),
    }));
    const cause = causeOf({ ...hook, status: { ...hook.status, conditions } });
    expect(cause).toHaveLength(512);
    expect(cause).toMatch(/^ExecutionHook h: TemplateNotFound: m+$/);
  });
});
