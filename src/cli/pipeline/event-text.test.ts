import { describe, expect, it } from 'vitest';

import type { EventBody } from '../../lifecycles/pipeline/events/event-stream.ts';
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import { eventLines } from './event-text.ts';

function linesOf(body: EventBody): string[] {
  const event: PipelineEvent = { atMs: 0, runId: 'r', ...body };
  return eventLines(event).map(({ kind, text }) => `${kind}| ${text}`);
}

const HOOK = {
  type: 'HostCallbackEvent',
  callback: 'pre-build',
  address: 'build/web/before/0',
} as const;

describe('eventLines', () => {
  it('tags what is printed with the hook or the program that printed it', () => {
    const line = '\u001b[31mred\u001b[0m\tand\u001b[2Kplain\u0007';
    expect(linesOf({ type: 'Output', source: 'build/web', stream: 'stderr', line })).toEqual([
      'output| [build/web] \u001b[31mred\u001b[0m\tandplain',
    ]);
  });

  it('tells of a hook by its address and the name of its place', () => {
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

  it('leaves why a hook failed to the end, but of a cleanup that nobody else tells of', () => {
    const failed = { status: 'Failed', message: 'why', exitCode: 3, durationMs: 10 } as const;
    expect(linesOf({ ...HOOK, ...failed })).toEqual([
      'progress| build/web/before/0 (pre-build): failed with exit code 3 in 0.01 s',
    ]);
    expect(linesOf({ ...HOOK, callback: 'finally-build', ...failed })).toContain('problem| why');
  });

  it('tells of phases, and of what the cache had', () => {
    const phase = { type: 'PhaseEvent', phase: 'build', subject: 'web' } as const;
    expect(linesOf({ ...phase, status: 'InProgress' })).toEqual(['progress| build web: building']);
    expect(linesOf({ ...phase, status: 'Skipped' })).toEqual([
      'progress| build web: found in the cache',
    ]);
  });

  it('makes a problem of every warning', () => {
    expect(linesOf({ type: 'Warning', code: 'LHL109', message: 'not acted on' })).toEqual([
      'problem| warning LHL109: not acted on',
    ]);
  });
});
