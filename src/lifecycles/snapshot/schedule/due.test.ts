import { describe, expect, it } from 'vitest';

import { cronTimes } from './cron.ts';
import { type DueInput, dueNow, dueTime, MISSED_MAX, nextDueMs } from './due.ts';

const at = (time: string): number => Date.parse(`2026-05-01T${time}Z`);

function input(more: Partial<DueInput> & { readonly schedule?: string }): DueInput {
  const { schedule = '0 * * * *', ...rest } = more;
  return {
    spec: {},
    uid: 'u1',
    times: cronTimes({ schedule }),
    handledMs: at('00:00:00'),
    nowMs: at('01:00:00'),
    ...rest,
  };
}

describe('the time that is due (SNAP-T3)', () => {
  it('is the scheduled time from its minute on, and none before', () => {
    expect(dueNow(input({ nowMs: at('00:59:59') }))).toBeNull();
    expect(dueNow(input({}))).toEqual({
      scheduledMs: at('01:00:00'),
      dueMs: at('01:00:00'),
      missedBefore: 0,
      isTooLate: false,
    });
  });

  it('is none that was handled', () => {
    expect(dueNow(input({ handledMs: at('01:00:00') }))).toBeNull();
  });

  it('is the last of several, and those before it are missed', () => {
    expect(dueNow(input({ nowMs: at('05:30:00') }))).toMatchObject({
      scheduledMs: at('05:00:00'),
      missedBefore: 4,
    });
  });

  it('is found after years without a controller, and counts at most the bound', () => {
    const nowMs = Date.parse('2029-05-01T00:30:00Z');
    const due = dueNow(input({ schedule: '*/5 * * * *', nowMs }));
    expect([due?.scheduledMs, due?.missedBefore]).toEqual([nowMs, MISSED_MAX]);
  });
});

it('is too late once startingDeadlineSeconds have passed since the due time (SNAP-T5)', () => {
  const spec = { startingDeadlineSeconds: 600 };
  const isTooLate = (time: string): boolean | undefined =>
    dueNow(input({ spec, nowMs: at(time) }))?.isTooLate;
  expect([isTooLate('01:10:00'), isTooLate('01:10:01')]).toEqual([false, true]);
});

describe('the jitter (SNAP-T4)', () => {
  const spec = { jitterSeconds: 120 };

  it('depends on the schedule and its time alone, and stays within its bound', () => {
    const times = cronTimes({ schedule: '0 * * * *' });
    const delays = Array.from({ length: 200 }, (_, hour) => {
      const scheduledMs = at('00:00:00') + hour * 3_600_000;
      const dueMs = dueTime({ spec, uid: 'u1', times }, scheduledMs);
      expect(dueTime({ spec, uid: 'u1', times }, scheduledMs)).toBe(dueMs);
      return (dueMs - scheduledMs) / 1_000;
    });
    expect([Math.min(...delays) >= 0, Math.max(...delays) <= 120]).toEqual([true, true]);
    expect(new Set(delays).size).toBeGreaterThan(50);
    const others = delays.map((_, hour) =>
      dueTime({ spec, uid: 'u2', times }, at('00:00:00') + hour * 3_600_000),
    );
    expect(others).not.toEqual(
      delays.map((seconds, hour) => at('00:00:00') + hour * 3_600_000 + seconds * 1_000),
    );
  });

  it('ends before the next scheduled time', () => {
    const times = cronTimes({ schedule: '* * * * *' });
    for (let minute = 0; minute < 200; minute += 1) {
      const scheduledMs = at('00:00:00') + minute * 60_000;
      const delayMs =
        dueTime({ spec: { jitterSeconds: 3_600 }, uid: 'u1', times }, scheduledMs) - scheduledMs;
      expect(delayMs).toBeLessThan(60_000);
    }
  });

  it('delays the due time, and the time before stays due until it is over', () => {
    const dueMs = dueTime(input({ spec }), at('02:00:00'));
    expect(dueMs).toBeGreaterThan(at('02:00:00'));
    const before = input({ spec, nowMs: dueMs - 1 });
    expect(dueNow(before)?.scheduledMs).toBe(at('01:00:00'));
    expect(nextDueMs(before)).toBe(dueMs);
    expect(dueNow(input({ spec, nowMs: dueMs }))).toMatchObject({
      scheduledMs: at('02:00:00'),
      dueMs,
    });
  });
});
