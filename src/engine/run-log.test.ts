import { expect, it } from 'vitest';

import { deferred } from '../../test/fixtures/deferred.ts';
import type { AttemptResult, RunRecord } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import { runEnvelope, RunLog } from './run-log.ts';

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

it('passes a record to its listener, and counts it, once the ledger has it', async () => {
  const written = deferred<void>();
  const emitted: RunEvent[] = [];
  const ledger = { read: async () => [], append: () => written.promise };
  const log = await RunLog.open('run-1', { ledger, emit: (event) => void emitted.push(event) });
  const reason = 'a user asked for it';
  const record: RunRecord = { type: 'CancelRequested', runId: 'run-1', atMs: 1, reason };
  const appending = log.append(record);
  await new Promise((resolve) => void setImmediate(resolve));
  expect([emitted, log.records]).toEqual([[], []]);
  written.resolve();
  await appending;
  expect([emitted, log.records]).toEqual([[record], [record]]);
});
