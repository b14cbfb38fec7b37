/** Which hook is thawed next, and how long the others wait for its thaw. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  CUT_PROOFS,
  cutMarkAgo,
  frozen,
  NOW_MS,
  sampleHook,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ExecutionHook, ExecutionHookStatus } from '../kinds.ts';
import { CUT_RELEASE, EVIDENCE_FINALIZER, RELEASE } from '../names.ts';
import {
  causeOf,
  cutReleaseOf,
  isSettled,
  nextThaw,
  whyExpired,
  whyNotHeld,
} from './thaw-order.ts';

const next = (last: ExecutionHook, failedAt?: string): string => {
  const hooks = [sampleHook(), last].map((hook) => ({ name: hook.metadata?.name ?? '', hook }));
  const step = nextThaw({ hooks, failedAt, nowMs: NOW_MS });
  if (step.kind === 'wait') return `wait ${step.ms}`;
  return step.kind === 'asked' ? 'asked' : `release ${step.hook.metadata?.name ?? ''}`;
};
const last = (more: Parameters<typeof sampleHook>[0] = {}): ExecutionHook =>
  sampleHook({ name: 'hook-1', ...more });
const refused = frozen({ preActionSucceed: false });

describe('the thaw of several hooks', () => {
  it.each<[string, ExecutionHook, string | undefined, string]>([
    ['SNAP-G18: begins with the last', last(), undefined, 'release hook-1'],
    ['waits for a deleted one from now', last({ terminating: ago(0) }), undefined, 'wait 2000'],
    [
      'SNAP-I15: waits for two seconds and no longer',
      last({ terminating: ago(2) }),
      undefined,
      'release hook-0',
    ],
    [
      'does not wait for one whose deletion is in the future of our clock',
      last({ terminating: ago(-1) }),
      undefined,
      'release hook-0',
    ],
    [
      'counts from the first of its causes',
      last({
        terminating: ago(0.5),
        annotations: { [CUT_RELEASE]: cutMarkAgo(1) },
        status: frozen({ release: { cause: 'Cut', at: ago(0.75) } }),
      }),
      undefined,
      'wait 1000',
    ],
    [
      'does not wait for one that a user released without a time',
      last({ annotations: { [RELEASE]: 'Human' } }),
      undefined,
      'release hook-0',
    ],
    [
      'SNAP-G9: counts from the failure where a preAction has failed, since that hook thaws by itself',
      last({ status: refused }),
      ago(0.5),
      'wait 1500',
    ],
    [
      'SNAP-G9: does not release a hook whose preAction has failed',
      last({ status: refused }),
      undefined,
      'release hook-0',
    ],
    [
      'does not count from the failure where the preAction has succeeded',
      last(),
      ago(0.5),
      'release hook-1',
    ],
  ])('%s', (...[, hook, failedAt, expected]) => {
    expect(next(hook, failedAt)).toBe(expected);
  });
});

describe('a hook', () => {
  const finalizers = [EVIDENCE_FINALIZER];

  it.each<[string, ExecutionHook, boolean]>([
    ['is not settled while it freezes', sampleHook({ status: {} }), false],
    ['is not settled before it is begun', sampleHook({ status: {}, finalizers }), false],
    ['is settled if it is refused', sampleHook({ status: refused, finalizers }), true],
    ['is not settled while it thaws what it froze', sampleHook({ status: refused }), false],
    [
      'is settled if it is deleted before it begins',
      last({ terminating: ago(1), status: {}, finalizers }),
      true,
    ],
    ['is not settled while it is deleted and thaws', last({ terminating: ago(1) }), false],
    [
      'is settled with the outcome of its thaw',
      sampleHook({ status: frozen({ postActionSucceed: false }) }),
      true,
    ],
  ])('%s', (_, hook, expected) => {
    expect(isSettled(hook)).toBe(expected);
  });

  it('SNAP-S8: gives the release after the cut only with the token of this snapshot', () => {
    const released = (text: string): string | undefined =>
      cutReleaseOf(sampleHook({ annotations: { [CUT_RELEASE]: text } }), CUT_PROOFS);
    expect(released(cutMarkAgo(1))).toBe(cutMarkAgo(1));
    expect(released(`Cut@${ago(1)}`)).toBeUndefined();
    expect(cutReleaseOf(sampleHook({ annotations: { [CUT_RELEASE]: cutMarkAgo(1) } }), {})).toBe(
      undefined,
    );
    expect(cutReleaseOf(sampleHook(), CUT_PROOFS)).toBeUndefined();
    expect(cutReleaseOf(null, CUT_PROOFS)).toBeUndefined();
  });

  it.each<[string, ExecutionHook, string | null]>([
    ['is held', sampleHook(), null],
    ['is held before it has a target', sampleHook({ status: {} }), null],
    [
      'is not held after its release',
      sampleHook({ status: frozen({ release: { cause: 'Deleted', at: ago(1) } }) }),
      'hook hook-0 was thawed: Deleted',
    ],
    [
      'is not held when it is deleted',
      sampleHook({ terminating: ago(1) }),
      'hook hook-0 was deleted',
    ],
    [
      'is not held after a release that another client has written (SNAP-S8)',
      sampleHook({ annotations: { [CUT_RELEASE]: 'Cut' } }),
      'hook hook-0 was released: another client has set its annotation lifehook.dev/cut-release',
    ],
    [
      'is not held where its preAction has failed',
      sampleHook({ status: refused }),
      'the preAction of hook hook-0 has failed',
    ],
  ])('%s', (_, hook, why) => {
    expect(whyNotHeld(hook)).toBe(why);
  });
});

it('SNAP-I2: a freeze is over when its time is over, whatever its status has recorded', () => {
  const resolved = {
    policy: 'ExecuteAll',
    preAction: { actionTimeoutSeconds: 1 },
    origin: 'x',
  } as const;
  const expiring = (expirationSeconds: number): ExecutionHook =>
    sampleHook({ status: frozen({ resolved: { ...resolved, expirationSeconds } }) });
  expect(whyExpired(expiring(10), NOW_MS)).toBe('hook hook-0 had expired');
  expect(whyExpired(expiring(11), NOW_MS)).toBeNull();
  expect(whyExpired(sampleHook({ status: frozen({ resolved }) }), NOW_MS)).toBeNull();
  expect(whyExpired(sampleHook({ status: {} }), NOW_MS)).toBeNull();
});

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

  it.each(['m', 'mm'])('is cut between two characters after %s', (start) => {
    const hook = failedHook('TemplateNotFound');
    const message = `${start}${'\u{1F600}'.repeat(300)}`;
    const conditions = (hook.status?.conditions ?? []).map((one) => ({ ...one, message }));
    const cause = causeOf({ ...hook, status: { ...hook.status, conditions } });
    expect(Buffer.from(cause ?? '').toString()).toBe(cause);
  });
});
