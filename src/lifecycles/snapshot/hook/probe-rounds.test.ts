/** The probe round after the cut: targets that answer in time, and targets that do not (SNAP-I5, SNAP-CASE14). */
import { describe, expect, it } from 'vitest';

import { deferred } from '../../../../test/fixtures/deferred.ts';
import { ago, NOW_MS, target } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ProbeStatus } from '../kinds.ts';
import { type BeginningRound, ProbeRounds, type RoundAsking } from './probe-rounds.ts';

interface Timer {
  readonly ms: number;
  readonly ring: () => void;
  isOff: boolean;
}

/** Probe rounds with timers that the test fires. */
function bench() {
  const timers: Timer[] = [];
  const rounds = new ProbeRounds({
    clock: { nowMs: () => NOW_MS, monotonicMs: () => 0 },
    timers: {
      after: (ms, ring) => {
        const timer = { ms, ring, isOff: false };
        timers.push(timer);
        return () => {
          timer.isOff = true;
        };
      },
    },
  });
  const asked = new Map<string, RoundAsking>();
  const answers = new Map<string, (status: ProbeStatus) => void>();
  const { promise: ended, resolve: onEnd } = deferred<void>();
  const begin = (more: Partial<BeginningRound> = {}): void => {
    rounds.begin({
      hookUid: 'uid-h',
      cutToken: 'ab12',
      targets: [target('a/x'), target('b/x')],
      restUntilExpiryMs: null,
      ask: ({ podName }, asking) => {
        asked.set(podName, asking);
        return new Promise((resolve) => {
          answers.set(podName, resolve);
        });
      },
      onEnd,
      ...more,
    });
  };
  return { rounds, timers, asked, answers, begin, ended };
}
const frozen: ProbeStatus = { when: 'AfterCut', at: ago(0), outcome: 'Frozen' };
const tick = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const silent = (why: string): ProbeStatus => ({
  when: 'AfterCut',
  at: ago(0),
  outcome: 'Unknown',
  reason: `The probe did not answer ${why}, so the thaw starts without the answer.`,
});

describe('a round of questions', () => {
  it('asks all targets at once, and ends with the last answer', async () => {
    const { rounds, timers, asked, answers, begin, ended } = bench();
    expect(rounds.look('uid-h')).toEqual({ kind: 'none' });
    begin();
    await tick();
    expect([rounds.look('uid-h'), [...asked.keys()]]).toEqual([
      { kind: 'underWay', cutToken: 'ab12' },
      ['a', 'b'],
    ]);
    expect([...asked.values()].map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 5_000]);
    answers.get('a')?.(frozen);
    answers.get('b')?.({ ...frozen, outcome: 'NotFrozen' });
    await ended;
    expect(rounds.look('uid-h')).toEqual({
      kind: 'answered',
      cutToken: 'ab12',
      answers: new Map([
        ['uid-a/x', frozen],
        ['uid-b/x', { ...frozen, outcome: 'NotFrozen' }],
      ]),
    });
    expect(timers.map(({ ms, isOff }) => [ms, isOff])).toEqual([[5_000, true]]);
  });

  it('ends after five seconds, with Unknown of those that did not answer', async () => {
    const { rounds, timers, asked, answers, begin, ended } = bench();
    begin();
    await tick();
    answers.get('b')?.(frozen);
    await tick();
    timers[0]?.ring();
    await ended;
    expect(rounds.look('uid-h')).toMatchObject({
      answers: new Map([
        ['uid-a/x', silent('within 5 s')],
        ['uid-b/x', frozen],
      ]),
    });
    expect(asked.get('a')?.signal.aborted).toBe(true);
  });

  it('ends when its hook expires, and reports that (SNAP-I5)', async () => {
    const { rounds, timers, asked, begin, ended } = bench();
    begin({ restUntilExpiryMs: 2_000 });
    await tick();
    expect([timers[0]?.ms, asked.get('a')?.timeoutMs]).toEqual([2_000, 2_000]);
    timers[0]?.ring();
    await ended;
    expect(rounds.look('uid-h')).toMatchObject({
      answers: new Map([
        ['uid-a/x', silent('before the hook expired')],
        ['uid-b/x', silent('before the hook expired')],
      ]),
    });
  });

  it('lasts five seconds although its hook expires later', () => {
    const { timers, begin } = bench();
    begin({ restUntilExpiryMs: 9_000 });
    expect(timers[0]?.ms).toBe(5_000);
  });

  it('begins once for a hook', async () => {
    const { timers, answers, begin, rounds, ended } = bench();
    begin();
    begin();
    await tick();
    expect(timers).toHaveLength(1);
    for (const answer of answers.values()) answer(frozen);
    await ended;
    begin();
    expect([timers.length, rounds.look('uid-h').kind]).toEqual([1, 'answered']);
  });

  it('is called off with its hook, and reports nothing then', async () => {
    const { rounds, timers, asked, begin } = bench();
    let ends = 0;
    begin({ onEnd: () => (ends += 1) });
    await tick();
    rounds.forget('uid-other');
    expect(asked.get('a')?.signal.aborted).toBe(false);
    rounds.forget('uid-h');
    timers[0]?.ring();
    await tick();
    expect([asked.get('a')?.signal.aborted, ends, rounds.look('uid-h')]).toEqual([
      true,
      0,
      { kind: 'none' },
    ]);
  });

  it('is called off when the controller leaves (SNAP-I14)', async () => {
    const { rounds, asked, begin } = bench();
    begin();
    await tick();
    rounds.close();
    expect([asked.get('b')?.signal.aborted, rounds.look('uid-h')]).toEqual([
      true,
      { kind: 'none' },
    ]);
  });
});
