/** The smallest form of a status keeps every field that decides (SNAP-I6, SNAP-I13), and shortens every text. */
import { expect, it } from 'vitest';

import { ago, target } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ActionAttempt, ContainerStatus, ProbeStatus } from '../kinds.ts';
import { smallestStatus, smallestTarget, withoutOutputs } from './smallest-form.ts';

const LONG = 'x'.repeat(500);
/** At most 128 stored bytes, with the mark for left-out text. */
const SHORT = /^x{100,127}…$/u;
const attempt = (second: number, more: Partial<ActionAttempt> = {}): ActionAttempt => ({
  startedAt: ago(second),
  endedAt: ago(second - 1),
  outcome: 'Failed',
  exitCode: 3,
  notStarted: 'Unreached',
  number: 1,
  reason: LONG,
  output: LONG,
  ...more,
});
const bare = (second: number): ActionAttempt => ({
  startedAt: ago(second),
  endedAt: ago(second - 1),
  outcome: 'Failed',
  exitCode: 3,
  notStarted: 'Unreached',
});
const probe = (when: ProbeStatus['when'], second: number): ProbeStatus => ({
  when,
  at: ago(second),
  outcome: 'Frozen',
  reason: LONG,
});
const lost = { at: ago(1), reason: LONG };
const error = { time: ago(1), message: LONG };
const identity = target('a/x');
const whole: ContainerStatus = {
  ...identity,
  preActionStatus: {
    actionTimestamp: ago(9),
    actionSucceed: false,
    error,
    attempts: [attempt(9), attempt(8), attempt(7)],
    earlierAttempts: 4,
  },
  postActionStatus: { actionTimestamp: ago(5), error, attempts: [{ startedAt: ago(5) }] },
  probes: [
    probe('AfterFreeze', 9),
    probe('AfterFreeze', 7),
    probe('AfterCut', 6),
    probe('AfterCut', 5),
  ],
  freezeLost: lost,
  freezeDoubted: lost,
  thawUnproven: lost,
  thawedBy: 'post',
};
const short = { at: ago(1), reason: expect.stringMatching(SHORT) as string };
const shortError = { time: ago(1), message: expect.stringMatching(SHORT) as string };
const answer = ({ when, at, outcome }: ProbeStatus): ProbeStatus => ({ when, at, outcome });

it('keeps the last attempt of each action, counts the others, and keeps the last answers', () => {
  expect(smallestTarget(whole)).toEqual({
    ...identity,
    preActionStatus: {
      actionTimestamp: ago(9),
      actionSucceed: false,
      error: shortError,
      attempts: [bare(7)],
      earlierAttempts: 6,
    },
    postActionStatus: {
      actionTimestamp: ago(5),
      error: shortError,
      attempts: [{ startedAt: ago(5) }],
    },
    probes: [answer(probe('AfterFreeze', 7)), answer(probe('AfterCut', 5))],
    freezeLost: short,
    freezeDoubted: short,
    thawUnproven: short,
    thawedBy: 'post',
  });
  const { postActionStatus } = smallestTarget(whole);
  expect(Object.keys(postActionStatus ?? {})).not.toContain('earlierAttempts');
  expect(Object.keys(postActionStatus?.attempts?.[0] ?? {})).toEqual(['startedAt']);
  const [open = {}] = withoutOutputs(whole).postActionStatus?.attempts ?? [];
  expect(Object.keys(open)).toEqual(['startedAt']);
});

it('keeps all attempts, with their numbers, and answers without their texts, where that is enough', () => {
  const { preActionStatus, probes } = withoutOutputs(whole);
  expect(preActionStatus).toEqual({
    actionTimestamp: ago(9),
    actionSucceed: false,
    error: shortError,
    attempts: [9, 8, 7].map((second) => ({ ...bare(second), number: 1 })),
    earlierAttempts: 4,
  });
  expect(probes).toEqual(whole.probes?.map(answer));
});

it('adds nothing to a target of which nothing is recorded', () => {
  for (const form of [smallestTarget(identity), withoutOutputs(identity)]) {
    expect(Object.keys(form)).toEqual(Object.keys(identity));
  }
  const issued = { ...identity, preActionStatus: { actionTimestamp: ago(1) } };
  for (const form of [smallestTarget(issued), withoutOutputs(issued)]) {
    expect(form).toEqual(issued);
    expect(Object.keys(form.preActionStatus)).toEqual(['actionTimestamp']);
  }
});

it('has the smallest form of each target of a status', () => {
  const { containerExecutionHookStatuses: targets } = smallestStatus({
    containerExecutionHookStatuses: [whole],
  });
  expect(targets).toEqual([smallestTarget(whole)]);
});

it('shortens the messages of the conditions of a status', () => {
  const condition = {
    type: 'Failed',
    status: 'True',
    reason: 'PreActionFailed',
    message: LONG,
    lastTransitionTime: ago(1),
  } as const;
  const status = smallestStatus({ preActionSucceed: false, conditions: [condition] });
  expect(status).toEqual({
    preActionSucceed: false,
    conditions: [{ ...condition, message: expect.stringMatching(SHORT) as string }],
  });
  expect(Object.keys(status)).toEqual(['preActionSucceed', 'conditions']);
  expect(Object.keys(smallestStatus({ containerExecutionHookStatuses: [] }))).toEqual([
    'containerExecutionHookStatuses',
  ]);
});
