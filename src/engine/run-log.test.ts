import { expect, it } from 'vitest';

import type { AttemptResult } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import { runEnvelope } from './run-log.ts';

const PLACE = {
  lifecycle: 'pod',
  target: { namespace: 'shop', pod: 'web-0' },
  point: 'preStop',
  run: 'run-1',
} as const;

const of = (detail: unknown): ReturnType<typeof runEnvelope<'pod'>> =>
  runEnvelope(PLACE, detail as RunEvent);

it('gives the place, the time and the attempt of an event', () => {
  const detail = { type: 'Output', runId: 'run-1', atMs: 7, step: 'preStop', attempt: 2 };
  expect(of(detail)).toEqual({ ...PLACE, attempt: 2, atMs: 7, detail });
});

it('has no attempt for an event of the whole run', () => {
  const detail = { type: 'RunFinished', runId: 'run-1', atMs: 9 };
  expect(of(detail)).toEqual({ ...PLACE, attempt: null, atMs: 9, detail });
});

it('logs outcome and duration only with the end of an attempt', () => {
  const result = { outcome: 'TimedOut', durationMs: 30, reason: 'it was too slow' };
  const detail = {
    type: 'AttemptSettled',
    runId: 'run-1',
    atMs: 9,
    attempt: 1,
    result: result as AttemptResult,
  };
  const end = { outcome: 'TimedOut', durationMs: 30 };
  expect(of(detail)).toEqual({ ...PLACE, attempt: 1, atMs: 9, detail, end });
});
