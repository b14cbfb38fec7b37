import { describe, expect, it } from 'vitest';

import { NOW_MS } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  attempt,
  newRollout,
  open,
  type SampleRun,
  sampleRun,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { Decision } from '../../../engine/step.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import type { HookAttempt } from '../kinds.ts';
import { deadlineAtMs, judgeRun, recordsOf } from './run-plan.ts';
import type { StageAbort } from './stage.ts';

const records = (run: SampleRun, abort: StageAbort | null = null): RunRecord[] =>
  recordsOf({ run: sampleRun(run), nowMs: NOW_MS, abort });
const ms = (seconds: number): number => NOW_MS - seconds * 1_000;
const of = (number: number): object => ({ runId: 'uid-run', step: 'pre', attempt: number });

describe('the records of a HookRun for the engine', () => {
  it('are none before its first attempt', () => {
    expect(records({})).toEqual([]);
    expect(records({ status: {} })).toMatchObject([{ type: 'RunOpened' }]);
  });

  it('are its start, its attempts and their ends, with their times', () => {
    const run = { attempts: [{ ...attempt(1, 'Failed', 30), reason: 'Error' }, open(2)] };
    const nothing = { text: '', totalBytes: 0 };
    const result = {
      outcome: 'Failed',
      exitCode: null,
      signal: null,
      durationMs: 20_000,
      stdout: nothing,
      stderr: nothing,
      reason: 'Error',
    };
    expect(records(run)).toEqual([
      {
        type: 'RunOpened',
        runId: 'uid-run',
        atMs: ms(100),
        title: '',
        steps: [],
        deadlineAtMs: ms(100) + 600_000,
      },
      { type: 'AttemptStarted', ...of(1), atMs: ms(50) },
      { type: 'AttemptSettled', ...of(1), atMs: ms(30), result },
      { type: 'AttemptStarted', ...of(2), atMs: ms(60) },
    ]);
  });

  it('end with an abort', () => {
    const cancelled = { type: 'CancelRequested', runId: 'uid-run', atMs: NOW_MS };
    expect(records({}, newRollout)).toEqual([{ ...cancelled, reason: newRollout.message }]);
  });

  it.each<[HookAttempt['outcome'], string]>([
    ['Succeeded', 'Succeeded'],
    ['TimedOut', 'TimedOut'],
    ['Aborted', 'Cancelled'],
    ['Unknown', 'Unknown'],
  ])('say of an attempt that %s: %s', (...[outcome, expected]) => {
    const last = records({ attempts: [attempt(1, outcome)] }).at(-1);
    expect(last).toMatchObject({ result: { outcome: expected, reason: '' } });
  });

  const numbersOf = (run: SampleRun): [number[], number[]] => {
    const all = records(run);
    return [
      all.flatMap((one) => (one.type === 'AttemptStarted' ? [one.attempt] : [])),
      all.flatMap((one) => (one.type === 'AttemptSettled' ? [one.attempt] : [])),
    ];
  };
  const upTo = (first: number, last: number): number[] =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);

  it('fill in the last ten dropped attempts as failures before the first that is kept', () => {
    const run = { attempts: [attempt(30, 'Failed'), attempt(31, undefined)] };
    expect(numbersOf(run)).toEqual([upTo(20, 31), upTo(20, 30)]);
    expect(records(run)[2]).toMatchObject({ result: { outcome: 'Failed', durationMs: 0 } });
  });

  it('fill in no more attempts than there were', () => {
    const run = { attempts: [attempt(3, 'Failed'), attempt(4, undefined)] };
    expect(numbersOf(run)).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
    ]);
  });
});

describe('the deadline of a stage (ROLL-DH16)', () => {
  it('counts from its start', () => {
    const run = sampleRun({ status: {}, started: 100, deadlineSeconds: 90 });
    expect(deadlineAtMs({ run, nowMs: NOW_MS })).toBe(ms(10));
  });

  it('counts from now before it has started', () => {
    const run = sampleRun({ deadlineSeconds: 90 });
    expect(deadlineAtMs({ run, nowMs: NOW_MS })).toBe(ms(-90));
  });
});

describe('a HookRun that was edited by hand to what cannot be run', () => {
  const judge = (run: SampleRun): Decision =>
    judgeRun({ run: sampleRun(run), nowMs: NOW_MS, abort: null });

  it('is refused with its stage, its rollout and its Deployment', () => {
    expect(() => judge({ deadlineSeconds: 1e20 })).toThrow(/"pre of rollout 7 of web" has/u);
  });

  it('is refused with its own name', () => {
    const { metadata } = sampleRun();
    const timeoutSeconds = 1e9;
    expect(() => judge({ hook: { timeoutSeconds } })).toThrow(metadata?.name ?? 'none');
  });
});
