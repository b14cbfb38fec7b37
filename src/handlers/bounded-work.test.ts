import { describe, expect, it } from 'vitest';

import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import type { AttemptRequest } from '../engine/act.ts';
import { makeMasker } from '../model/secrets.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import { runBounded, type Verdict, type Work } from './bounded-work.ts';

const request = (more: Partial<AttemptRequest> = {}): AttemptRequest => ({
  runId: 'run',
  step: 'a',
  attempt: 1,
  timeoutMs: 1_000,
  signal: new LinkedSignal(),
  ...more,
});

const work = (run: Work['run']): Work => ({
  what: 'The work',
  masker: makeMasker(['hunter22']),
  run,
});
const good: Verdict = { succeeded: true, reason: 'is done' };

describe('runBounded', () => {
  it('reports what the work comes to, with its output and duration', async () => {
    const { platform, advance } = handTime();
    advance(1_000);
    const result = await runBounded(
      request(),
      platform,
      work(async (_signal, output) => {
        advance(7);
        output.add('stdout', 'hunter22', 8);
        return { succeeded: false, reason: 'was answered with hunter22' };
      }),
    );
    expect(result).toEqual({
      outcome: 'Failed',
      exitCode: null,
      signal: null,
      durationMs: 7,
      stdout: { text: '***', totalBytes: 8 },
      stderr: { text: '', totalBytes: 0 },
      reason: 'The work was answered with ***.',
    });
  });

  it('fails where the work rejects, with its message', async () => {
    const { platform } = handTime();
    const result = await runBounded(
      request(),
      platform,
      work(async () => {
        throw new Error('ECONNREFUSED');
      }),
    );
    expect(result).toMatchObject({ outcome: 'Failed', reason: 'The work failed: ECONNREFUSED.' });
  });

  it.each([
    [{ timeoutMs: 0 }, 'TimedOut', 'The work had no time left: it was not started.'],
    [{ signal: AbortSignal.abort() }, 'Cancelled', 'The work was cancelled: it was not started.'],
  ])('does not start the work where %j', async (more, outcome, reason) => {
    const { platform } = handTime();
    let started = false;
    const result = await runBounded(
      request(more),
      platform,
      work(async () => {
        started = true;
        return good;
      }),
    );
    expect(result).toMatchObject({ outcome, reason });
    expect(started).toBe(false);
  });

  it.each([
    ['TimedOut', 'The work did not end within 1 s.'],
    ['Cancelled', 'The work was cancelled.'],
  ])('aborts the work that is %s', async (outcome, reason) => {
    const { platform, advance } = handTime();
    const signal = new LinkedSignal();
    let stopped: AbortSignal | undefined;
    const running = runBounded(
      request({ signal }),
      platform,
      work((given) => {
        stopped = given;
        return new Promise(() => {});
      }),
    );
    if (outcome === 'Cancelled') signal.abort();
    else advance(1_000);
    expect(await running).toMatchObject({ outcome, reason });
    expect(stopped?.aborted).toBe(true);
  });
});
