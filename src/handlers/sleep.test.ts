import { describe, expect, test } from 'vitest';

import { attempt } from '../../test/fixtures/processes/attempt.ts';

describe('a sleep hook', () => {
  test('succeeds after its duration, not before', async () => {
    const result = await attempt({ kind: 'sleep', seconds: 0.2 });
    expect(result).toMatchObject({ outcome: 'Succeeded', exitCode: null });
    expect(result.durationMs).toBeGreaterThanOrEqual(195);
    expect(result.reason).toBe('The sleep of 0.2 s is over.');
  });

  test('succeeds with a deadline equal to its duration', async () => {
    const result = await attempt({ kind: 'sleep', seconds: 0.1 }, { timeoutMs: 100 });
    expect(result.outcome).toBe('Succeeded');
  });

  test('times out at a shorter deadline, and is not started without any time', async () => {
    const late = await attempt({ kind: 'sleep', seconds: 60 }, { timeoutMs: 50 });
    expect(late.outcome).toBe('TimedOut');
    expect(late.reason).toBe('The sleep of 60 s did not end within 0.05 s.');
    const never = await attempt({ kind: 'sleep', seconds: 0 }, { timeoutMs: -5 });
    expect(never.outcome).toBe('TimedOut');
    expect(never.reason).toContain('it was not started');
  });

  test('ends when it is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 20);
    const result = await attempt({ kind: 'sleep', seconds: 60 }, { signal: controller.signal });
    expect(result.outcome).toBe('Cancelled');
    expect(result.durationMs).toBeLessThan(30_000);
  });
});
