/** Which attempts and outputs a status keeps: those that say why an action failed. */
import { describe, expect, it } from 'vitest';

import { ago, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ActionAttempt, ActionStatus } from '../kinds.ts';
import {
  attemptNumber,
  isDenied,
  isUnstarted,
  keepAttempts,
  keepOutputs,
  MAX_ATTEMPTS_KEPT,
} from './kept-attempts.ts';

const attempt = (name: string, more: Partial<ActionAttempt> = {}): ActionAttempt => ({
  startedAt: ago(1),
  endedAt: ago(1),
  outcome: 'Failed',
  output: name,
  ...more,
});
const unreached = (name: string): ActionAttempt => attempt(name, { notStarted: 'Unreached' });
const { outcome: _outcome, endedAt: _endedAt, ...open } = attempt('open');
const list = (...names: (string | ActionAttempt)[]): ActionAttempt[] =>
  names.map((one) => (typeof one === 'string' ? attempt(one) : one));
const outputs = (attempts: readonly ActionAttempt[] = []): (string | undefined)[] =>
  attempts.map(({ output }) => output);

describe('the attempts that are kept', () => {
  const kept = (attempts: ActionAttempt[], earlierAttempts?: number): ActionStatus =>
    keepAttempts({ attempts, ...(earlierAttempts === undefined ? {} : { earlierAttempts }) });

  it('are all of five', () => {
    const status = { attempts: list('1', '2', '3', '4', '5') };
    expect(keepAttempts(status)).toBe(status);
    expect(MAX_ATTEMPTS_KEPT).toBe(5);
  });

  it('are the first, which carries its number, and the newest', () => {
    const six = kept(list('1', '2', '3', '4', '5', '6'));
    expect([outputs(six.attempts), six.earlierAttempts]).toEqual([['1', '3', '4', '5', '6'], 1]);
    expect(six.attempts?.map(({ number }) => number)).toEqual([
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([0, 1, 4].map((index) => attemptNumber(six, index))).toEqual([1, 3, 6]);
    const seven = kept([...(six.attempts ?? []), attempt('7')], six.earlierAttempts);
    expect([outputs(seven.attempts), seven.earlierAttempts]).toEqual([
      ['1', '4', '5', '6', '7'],
      2,
    ]);
    expect(seven.attempts?.[0]?.number).toBe(1);
  });

  it('are the first and the last that were started, whatever was never started since', () => {
    const unstarted = ['3', '4', '5', '6'].map(unreached);
    const status = kept(list('1', '2', ...unstarted));
    expect(outputs(status.attempts)).toEqual(['1', '2', '4', '5', '6']);
    expect(status.attempts?.map(({ number }) => number)).toEqual([
      1,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are the newest where none was started', () => {
    const status = kept(['1', '2', '3', '4', '5', '6'].map(unreached));
    expect(outputs(status.attempts)).toEqual(['2', '3', '4', '5', '6']);
    expect(status.attempts?.[0]?.number).toBeUndefined();
  });

  it('have among them one that runs, which does not count as started yet', () => {
    const status = kept(list('1', '2', '3', '4', '5', open));
    expect(outputs(status.attempts)).toEqual(['1', '3', '4', '5', 'open']);
  });
});

describe('the outputs that are kept', () => {
  it('are those of the first and of the last attempt that were started', () => {
    expect(outputs(keepOutputs(list('1', '2', '3')))).toEqual(['1', undefined, '3']);
    const mixed = list(unreached('1'), '2', '3', '4', unreached('5'));
    expect(outputs(keepOutputs(mixed))).toEqual([undefined, '2', undefined, '4', undefined]);
  });

  it('are no output of an attempt that runs', () => {
    expect(outputs(keepOutputs(list('1', '2', open)))).toEqual(['1', '2', undefined]);
  });

  it('leave an attempt without output as it is', () => {
    const { output: _, ...silent } = attempt('2');
    const [, same, changed] = keepOutputs([attempt('1'), silent, attempt('3'), attempt('4')]);
    expect(same).toBe(silent);
    expect(Object.keys(changed ?? {})).not.toContain('output');
  });
});

describe('an action', () => {
  it('is unstarted where each attempt is certain not to have started', () => {
    expect(isUnstarted(tried(['Failed', 'Failed'], { unstartedAttempts: 2 }))).toBe(true);
    expect(isUnstarted(tried(['Failed', 'Failed'], { unstartedAttempts: 1 }))).toBe(false);
    expect(isUnstarted(tried(['Failed'], { unstartedAttempts: 2, earlierAttempts: 1 }))).toBe(true);
    expect(isUnstarted(tried(['open'], { unstartedAttempts: 1 }))).toBe(false);
    expect(isUnstarted({ attempts: [] })).toBe(false);
    expect(isUnstarted(undefined)).toBe(false);
  });

  it('is denied where the server refused the last attempt permanently', () => {
    const denied = attempt('2', { notStarted: 'Denied' });
    expect(isDenied({ attempts: [attempt('1'), denied] })).toBe(true);
    expect(isDenied({ attempts: [denied, attempt('2')] })).toBe(false);
    expect(isDenied({ attempts: [unreached('1')] })).toBe(false);
    expect(isDenied(undefined)).toBe(false);
  });
});
