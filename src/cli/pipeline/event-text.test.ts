import { describe, expect, it } from 'vitest';

import type { EventStamp, PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import { eventLines, linesText } from './event-text.ts';

type WithoutStamp<E> = E extends unknown ? Omit<E, keyof EventStamp> : never;

function linesOf(body: WithoutStamp<PipelineEvent>): string[] {
  const event: PipelineEvent = { atMs: 0, runId: 'r', ...body };
  return eventLines(event).map(({ kind, text }) => `${kind}| ${text}`);
}

const HOOK = {
  type: 'HostCallbackEvent',
  callback: 'pre-build',
  address: 'build/web/before/0',
} as const;

describe('eventLines', () => {
  it('prefixes output with the hook or program that printed it, and strips control characters', () => {
    const line = '\u001b[31mred\u001b[0m\tand\u001b[2Kplain\u0007';
    expect(linesOf({ type: 'Output', source: 'build/web', stream: 'stderr', line })).toEqual([
      'output| [build/web] \u001b[31mred\u001b[0m\tandplain',
    ]);
  });

  it('prefixes each of the lines that were printed together as it prefixes one', () => {
    const lines = ['a', '', '[A', '\u001b[2K$&', '\ttab', '\u001b', '[31mz', '$'];
    const source = 'build/$&/web';
    const one = (text: string): string => linesText({ source, text });
    expect(one(lines.join('\n'))).toBe(lines.map((line) => one(line)).join('\n'));
    expect(one('a\n$')).toBe('[build/$&/web] a\n[build/$&/web] $');
  });

  it('names a hook by its address and hook point', () => {
    expect(linesOf({ ...HOOK, status: 'InProgress' })).toEqual([
      'progress| build/web/before/0 (pre-build): started',
    ]);
    expect(linesOf({ ...HOOK, status: 'Completed', durationMs: 1_234 })).toEqual([
      'progress| build/web/before/0 (pre-build): done in 1.23 s',
    ]);
    expect(linesOf({ ...HOOK, status: 'Skipped', message: 'it is for windows' })).toEqual([
      'progress| build/web/before/0 (pre-build): skipped: it is for windows',
    ]);
  });

  it('adds the reason of a failed hook only for cleanup hooks', () => {
    const failed = { status: 'Failed', message: 'why', exitCode: 3, durationMs: 10 } as const;
    expect(linesOf({ ...HOOK, ...failed })).toEqual([
      'progress| build/web/before/0 (pre-build): failed with exit code 3 in 0.01 s',
    ]);
    expect(linesOf({ ...HOOK, callback: 'finally-build', ...failed })).toContain('problem| why');
  });

  it('shows the address that a forwarded port is opened on', () => {
    const message = '127.0.0.1:4503 forwards to port 80 of service shop/web';
    expect(
      linesOf({
        type: 'PhaseEvent',
        phase: 'portForward',
        subject: 'service shop/web',
        status: 'Succeeded',
        message,
      }),
    ).toEqual([`progress| portForward service shop/web: ${message}`]);
  });

  it('shows phases, and artifacts found in the cache', () => {
    const phase = { type: 'PhaseEvent', phase: 'build', subject: 'web' } as const;
    expect(linesOf({ ...phase, status: 'InProgress' })).toEqual(['progress| build web: building']);
    expect(linesOf({ ...phase, status: 'Skipped' })).toEqual([
      'progress| build web: found in the cache',
    ]);
  });

  it('shows every warning as a problem', () => {
    expect(linesOf({ type: 'Warning', code: 'LHL109', message: 'not acted on' })).toEqual([
      'problem| warning LHL109: not acted on',
    ]);
  });
});
