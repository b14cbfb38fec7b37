import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { containersOf, restarts, type Role } from './containers.ts';

const on = (operator: string, ...values: number[]): object => ({
  action: 'Restart',
  exitCodes: { operator, values },
});

const isRestarted = (
  policies: { readonly pod: string; readonly role?: Role; readonly own?: object },
  exitCode: number | null,
): boolean => {
  const pod = { spec: { restartPolicy: policies.pod } } as Pod;
  const spec = { name: 'app', ...policies.own };
  return restarts({ role: policies.role ?? 'main', spec }, pod, exitCode);
};

describe('a container that has exited', () => {
  it.each([
    ['Always', 0, true],
    ['OnFailure', 0, false],
    ['OnFailure', 1, true],
    ['OnFailure', null, true],
    ['Never', 1, false],
  ])("by the pod's policy %s with code %s: restarted %s", (pod, code, expected) => {
    expect(isRestarted({ pod }, code)).toBe(expected);
  });

  it.each([
    ['Always', 'Never', 1, false],
    ['Never', 'OnFailure', 1, true],
    ['Never', 'OnFailure', 0, false],
    ['OnFailure', 'Always', 0, true],
  ])("by its own policy in place of the pod's (%s, %s, %s): %s", (...row) => {
    const [pod, own, code, expected] = row;
    expect(isRestarted({ pod, own: { restartPolicy: own } }, code)).toBe(expected);
  });

  it.each([
    ['In', 42, true],
    ['In', 3, false],
    ['In', null, false],
    ['NotIn', 42, false],
    ['NotIn', 3, true],
    ['NotIn', null, false],
  ])('by a rule in spite of its policy (%s 42, code %s): %s', (operator, code, expected) => {
    const own = { restartPolicy: 'Never', restartPolicyRules: [on(operator, 42)] };
    expect(isRestarted({ pod: 'Never', own }, code)).toBe(expected);
  });

  it('stays ended after a success if it is an init container, whatever the policy', () => {
    expect(isRestarted({ pod: 'Always', role: 'init' }, 0)).toBe(false);
    expect(isRestarted({ pod: 'Never', role: 'sidecar' }, 0)).toBe(true);
  });

  it.each([
    ['of another action', { action: 'Fail', exitCodes: { operator: 'In', values: [42] } }],
    ['without exit codes', { action: 'Restart' }],
    ['of no code at all', { action: 'Restart', exitCodes: { operator: 'In' } }],
    ['of no code at all', { action: 'Restart', exitCodes: { operator: 'In', values: [] } }],
  ])('is not restarted by a rule %s', (_, rule) => {
    const own = { restartPolicy: 'Never', restartPolicyRules: [rule] };
    expect(isRestarted({ pod: 'Never', own }, 42)).toBe(false);
  });

  it('is restarted by one of several rules', () => {
    const own = { restartPolicy: 'Never', restartPolicyRules: [on('In', 1), on('In', 42)] };
    expect(isRestarted({ pod: 'Never', own }, 42)).toBe(true);
  });

  it('is restarted in a pod without a policy', () => {
    expect(restarts({ role: 'main', spec: { name: 'app' } }, {}, 0)).toBe(true);
  });
});

it('containersOf lists init containers, sidecars and mains in the order of their start', () => {
  const sidecar = { name: 'log', restartPolicy: 'Always' };
  const spec = { initContainers: [{ name: 'setup' }, sidecar], containers: [{ name: 'web' }] };
  expect(containersOf({ spec })).toEqual([
    { role: 'init', spec: { name: 'setup' } },
    { role: 'sidecar', spec: sidecar },
    { role: 'main', spec: { name: 'web' } },
  ]);
  expect(containersOf({})).toEqual([]);
});
