import { describe, expect, test } from 'vitest';

import { lifecycleDefaults } from './defaults.ts';
import type { LifecycleDefaults } from './defaults.ts';

/** The defaults of a hook: lifecycle, point, per-attempt deadline, failure policy. */
const table = [
  ['container', 'precreate', null, 'Abort'],
  ['container', 'prestart', null, 'Abort'],
  ['container', 'createRuntime', null, 'Abort'],
  ['container', 'createContainer', null, 'Abort'],
  ['container', 'startContainer', null, 'Abort'],
  ['container', 'poststart', null, 'Abort'],
  ['container', 'postexit', null, 'Ignore'],
  ['container', 'poststop', null, 'Ignore'],
  ['pod', 'postStart', null, 'Abort'],
  ['pod', 'preStop', null, 'Ignore'],
  ['rollout', 'pre', null, 'Retry'],
  ['rollout', 'mid', null, 'Retry'],
  ['rollout', 'post', null, 'Retry'],
  ['snapshot', 'preAction', 30, 'Retry'],
  ['snapshot', 'postAction', 30, 'Retry'],
  ['pipeline', 'before', null, 'Abort'],
  ['pipeline', 'after', null, 'Abort'],
] as const;

const lifecycles: Readonly<Record<string, LifecycleDefaults<string>>> = { ...lifecycleDefaults };
const rows = Object.entries(lifecycles).flatMap(([lifecycle, { points }]) =>
  Object.entries(points).map(([point, defaults]) => ({ lifecycle, point, defaults })),
);

describe('the defaults of a hook', () => {
  test.each(table)('at %s %s: attempts of %s s, then %s', (...row) => {
    const [lifecycle, point, timeoutSeconds, failurePolicy] = row;
    const found = rows.find((one) => one.lifecycle === lifecycle && one.point === point);
    expect(found?.defaults).toEqual({
      timeoutSeconds,
      retry: { limit: 0, backoffSeconds: 1 },
      failurePolicy,
    });
  });

  test('exist for these points and no other', () => {
    expect(rows.map(({ lifecycle, point }) => `${lifecycle} ${point}`)).toEqual(
      table.map(([lifecycle, point]) => `${lifecycle} ${point}`),
    );
  });

  test.each([
    ['container', null],
    ['pod', 'terminationGracePeriodSeconds'],
    ['rollout', 'progressDeadlineSeconds'],
    ['snapshot', 'expirationSeconds'],
    ['pipeline', null],
  ] as const)('of %s have the run deadline %s', (lifecycle, deadline) => {
    expect(lifecycleDefaults[lifecycle].deadline).toBe(deadline);
  });
});
