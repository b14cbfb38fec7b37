/** The summary of the first failure of a hook, for a user (SNAP-R16). */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  facts,
  frozen,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus, ExecutionHookStatus } from '../kinds.ts';
import { namesOf, summarize } from './summarize.ts';

interface Case {
  readonly release?: ExecutionHookStatus['release'];
  readonly targets: readonly ContainerStatus[];
  readonly before?: ExecutionHookStatus;
}

function conditionsOf({ targets, before = {}, release }: Case) {
  const all = { resolved: actions(), ...before };
  const summary = { facts: facts(targets, { status: all }), before: all, release, targets };
  return summarize(summary).conditions ?? [];
}
function failedOf(of: Case): string {
  const found = conditionsOf(of).find(({ type }) => type === 'Failed');
  return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
}

const { release } = released('Cut');
const error = (message: string) => ({ error: { time: ago(1), message } });
const failed = (place: string, more: object = {}) =>
  target(place, {
    preActionStatus: tried(['Failed'], { actionSucceed: false, ...error('exit code 3'), ...more }),
  });
const never = (place: string) =>
  target(place, { preActionStatus: { actionSucceed: false, ...error('It was not begun.') } });
const thawed = (place: string) =>
  target(place, {
    ...frozen,
    postActionStatus: { actionTimestamp: ago(1), actionSucceed: true },
    thawedBy: 'post',
  });
const stuck = (place: string) =>
  target(place, {
    ...frozen,
    postActionStatus: { actionTimestamp: ago(40), actionSucceed: false, ...error('exit code 4') },
  });

describe('the condition Failed', () => {
  const unstarted = (place: string) =>
    failed(place, { unstartedAttempts: 1, ...error('pods/exec was denied') });
  const lost = target('a/x', {
    ...frozen,
    freezeLost: { at: ago(1), reason: 'the pod a is deleted' },
  });

  it.each<[string, Case, string]>([
    ['is absent where nothing has failed', { targets: [thawed('a/x')], release }, 'absent'],
    [
      'names the container whose freeze has failed, before those that were not begun',
      { targets: [never('a/x'), failed('b/x')], release },
      'True PreActionFailed: x in pod b: exit code 3',
    ],
    [
      'names a command that ran before one that was never started',
      { targets: [unstarted('a/x'), failed('b/x')], release },
      'True PreActionFailed: x in pod b: exit code 3',
    ],
    [
      'names a command that was never started before one that was not begun',
      { targets: [never('a/x'), unstarted('b/x')], release },
      'True PreActionFailed: x in pod b: pods/exec was denied',
    ],
    [
      'names what was not begun where nothing else has failed',
      { targets: [never('a/x')], release },
      'True PreActionFailed: x in pod a: It was not begun.',
    ],
    [
      'names the container that did not stay frozen (SNAP-CASE36)',
      { targets: [lost, stuck('b/x')], release },
      'True FreezeLost: x in pod a did not stay frozen: the pod a is deleted.',
    ],
    [
      'reports the expiry (SNAP-R22)',
      { targets: [stuck('a/x')], ...released('Expired') },
      'True Expired: The freeze lasted for expirationSeconds, and no thaw was requested.',
    ],
    [
      'names the container whose thaw has failed (SNAP-CASE16)',
      { targets: [thawed('a/x'), stuck('b/x')], release },
      'True PostActionFailed: x in pod b: exit code 4',
    ],
  ])('%s', (_, of, expected) => {
    expect(failedOf(of)).toBe(expected);
  });

  it('keeps the first cause', () => {
    const first = [...conditionsOf({ targets: [failed('a/x')] })];
    const later = {
      targets: [failed('a/x'), stuck('b/x')],
      release,
      before: { conditions: first },
    };
    expect(failedOf(later)).toBe('True PreActionFailed: x in pod a: exit code 3');
  });

  it('keeps the first cause, also where a graver one is found later', () => {
    const first = [...conditionsOf({ targets: [stuck('a/x')], release })];
    const later = { targets: [lost, failed('b/x')], release, before: { conditions: first } };
    expect(failedOf(later)).toBe('True PostActionFailed: x in pod a: exit code 4');
  });

  it('names three containers at most, and counts the others', () => {
    const many = ['a/x', 'b/x', 'c/x', 'd/x', 'e/x'].map((place) => target(place));
    expect(namesOf(many)).toBe('x in pod a, x in pod b, x in pod c, and 2 more');
    expect(namesOf(many.slice(0, 3))).toBe('x in pod a, x in pod b, x in pod c');
  });
});
