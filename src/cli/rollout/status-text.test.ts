import { describe, expect, it } from 'vitest';

import { AT, sampleFacts, sampleRun } from '../../../test/fixtures/rollout-cases/sample-facts.ts';
import type { HookAttempt } from '../../lifecycles/rollout/kinds.ts';
import { viewOf } from './rollout-view.ts';
import { durationText, statusText } from './status-text.ts';
import { newLines } from './watch.ts';

const NOW_MS = Date.parse(AT) + 12_000;
const attempt: HookAttempt = {
  number: 1,
  podName: 'web-2-pre-1',
  startedAt: AT,
  finishedAt: '2026-01-01T00:00:01.500000Z',
  outcome: 'Failed',
  exitCode: 7,
  reason: 'Error',
  message: 'no such table\n',
  lastLines: ['migrating', 'failed'],
  fencingToken: 2_000_001,
};
const failure = {
  stage: 'pre' as const,
  reason: 'PreHookFailed',
  message: 'it exited with 7',
  at: AT,
};
const held = viewOf(
  sampleFacts({
    runs: [sampleRun('pre', { phase: 'Failed', attemptCount: 1, attempts: [attempt] })],
    rollout: { phase: 'Held', failure, finishedAt: AT },
  }),
);

describe('the status of a rollout', () => {
  it('shows the failure, the output of the hook and the next step', () => {
    const text = statusText(held, NOW_MS);
    expect(text).toContain('Deployment shop/web\n  rollout    2\n  phase      Held, for 12 s\n');
    expect(text).toContain('failure    PreHookFailed: it exited with 7\n');
    expect(text).toMatch(/pre +Failed +1 +web-2-pre-1 +Failed +7 +Error +1\.5 s\n/u);
    expect(text).toContain('Last lines of pre, attempt 1:\n  migrating\n  failed\n');
    expect(text).toContain('Termination message of pre, attempt 1: no such table\n');
    expect(text).toMatch(/\nNext: .*lifehook rollout retry web -n shop.*\n$/u);
  });

  it('advises no rollback for a first rollout that is held', () => {
    const runs = [sampleRun('pre', { phase: 'Failed' }, { number: 1 })];
    const rollout = { number: 1, phase: 'Held', failure } as const;
    const facts = sampleFacts({ number: 1, released: 0, runs, rollout });
    const { released: _, ...status } = facts.lifecycle.status ?? {};
    const { next = '' } = viewOf({ ...facts, lifecycle: { ...facts.lifecycle, status } });
    expect(next).not.toContain('the template that runs');
    expect(next).toContain('no pod runs');
    expect(next).toContain('kubectl delete deployment web -n shop');
  });

  it('shows "none" before the first rollout', () => {
    const none = sampleFacts({ number: 0, version: 'v1' });
    const { rollout: _, ...status } = none.lifecycle.status ?? {};
    const view = viewOf({ ...none, lifecycle: { ...none.lifecycle, status } });
    expect(statusText(view, NOW_MS)).toContain('rollout    none\n  phase      None\n');
  });
});

describe('a hook pod that cannot be placed', () => {
  const { outcome: _, finishedAt: __, exitCode: ___, reason: ____, ...open } = attempt;
  const waitsFor = 'Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.';
  const attempts = [{ ...open, message: '', lastLines: [], waitsFor }];
  const facts = sampleFacts({ runs: [sampleRun('pre', { attempts })] });
  const text = statusText(viewOf(facts), NOW_MS);

  it("shows the scheduler's own reason in the status and in the followed lines", () => {
    const reported = `the hook pre: attempt 1, pod web-2-pre-1, which waits: ${waitsFor}`;
    expect(text).toContain(`  waits for  ${reported}\n`);
    expect(text).toMatch(/pre +Running +1 +web-2-pre-1 +waiting +- +Unschedulable +12 s\n/u);
    const before = viewOf(sampleFacts({ runs: [sampleRun('pre', { attempts: [open] })] }));
    expect(newLines(before, viewOf(facts))).toEqual([`    pre, attempt 1: waits: ${waitsFor}`]);
  });
});

describe('the lines of a followed rollout', () => {
  const running = viewOf(
    sampleFacts({
      runs: [sampleRun('pre', { attempts: [{ ...attempt, outcome: undefined } as never] })],
    }),
  );

  it('show everything at first, then only changes', () => {
    expect(newLines(null, running)).toEqual([
      'Rollout 2',
      '  Pre (Rollout): waits for the hook pre: attempt 1, pod web-2-pre-1',
      '    pre, attempt 1: pod web-2-pre-1',
    ]);
    expect(newLines(running, running)).toEqual([]);
    expect(newLines(running, held)).toEqual([
      '  Held: PreHookFailed: it exited with 7',
      '    pre, attempt 1: Failed exit 7 (Error) after 1.5 s: no such table',
      '      | migrating',
      '      | failed',
    ]);
  });

  it('start again with a new rollout number', () => {
    const next = viewOf(sampleFacts({ version: 'v3', number: 3, rollout: { phase: 'Held' } }));
    expect(newLines(held, next)).toEqual([
      'Rollout 3',
      '  NotBegun: waits for the controller to start with the new template',
    ]);
  });

  it('have no control characters of the hook', () => {
    const lastLines = ['\u001b[2Jcleared'];
    const reported = { ...attempt, message: '\u001b[2Jdone', lastLines };
    const run = sampleRun('pre', { phase: 'Failed', attemptCount: 1, attempts: [reported] });
    expect(newLines(null, viewOf(sampleFacts({ runs: [run] }))).join('')).not.toContain('\u001b');
  });
});

describe('a duration', () => {
  it('is written with a precision that fits its size', () => {
    expect([0, 1_234, 45_600, 605_000, 179_800].map(durationText)).toEqual([
      '0.0 s',
      '1.2 s',
      '46 s',
      '10 min 5 s',
      '3 min 0 s',
    ]);
  });
});
