import { describe, expect, it } from 'vitest';

import { AT, sampleFacts, sampleRun } from '../../../test/fixtures/rollout-cases/sample-facts.ts';
import type { HookAttempt, Phase } from '../../lifecycles/rollout/kinds.ts';
import { exitCodes } from '../exit-codes.ts';
import { exitCodeOf, hasEnded, viewOf } from './rollout-view.ts';

const failed: HookAttempt = {
  number: 1,
  podName: 'web-2-pre-1',
  startedAt: AT,
  finishedAt: AT,
  outcome: 'Failed',
  exitCode: 1,
  fencingToken: 2_000_001,
};
const failure = { stage: 'pre' as const, reason: 'PreHookFailed', message: 'exit 1', at: AT };

describe('the view of a rollout', () => {
  it('shows the attempt that the rollout waits for', () => {
    const running = { ...failed, number: 2, podName: 'web-2-pre-2' };
    delete running.outcome;
    const runs = [sampleRun('pre', { attemptCount: 2, attempts: [failed, running] })];
    const view = viewOf(sampleFacts({ runs }));
    expect(view.waitsFor).toBe('the hook pre: attempt 2, pod web-2-pre-2');
    expect(view.next).toBe('To give it up: lifehook rollout abort web -n shop');
  });

  it('waits for the controller before it starts a new rollout number', () => {
    const view = viewOf(sampleFacts({ version: 'v3', number: 3, rollout: { phase: 'Done' } }));
    expect(view).toMatchObject({ number: 3, phase: 'NotBegun', hooks: [] });
    expect(view.next).toContain('lifehook rollout check web -n shop');
    expect(hasEnded(view)).toBe(false);
  });

  it('has not begun while a new template has no rollout number yet', () => {
    const view = viewOf(sampleFacts({ version: 'v3', rollout: { phase: 'Done' } }));
    expect(view.phase).toBe('NotBegun');
  });

  it('shows a rollback as finished when its template may run', () => {
    const view = viewOf(sampleFacts({ version: 'v1', rollout: { phase: 'RolledBack', failure } }));
    expect(view.phase).toBe('RolledBack');
  });

  it('has not begun when the Deployment was recreated with the same name', () => {
    const facts = sampleFacts({ rollout: { phase: 'Done' } });
    const metadata = { ...facts.deployment.metadata, uid: 'uid-2' };
    expect(viewOf({ ...facts, deployment: { ...facts.deployment, metadata } }).phase).toBe(
      'NotBegun',
    );
  });

  it('shows only the hooks of this rollout, in the order of the stages', () => {
    const runs = [sampleRun('post', {}), sampleRun('pre', {}), sampleRun('pre', {}, { number: 1 })];
    const view = viewOf(sampleFacts({ runs }));
    expect(view.hooks.map(({ name }) => name)).toEqual(['web-2-pre', 'web-2-post']);
  });

  it('counts the new pods that are available', () => {
    const view = viewOf(sampleFacts({ rollout: { phase: 'Progressing' } }));
    expect(view.waitsFor).toBe('the new pods: 1 of 3 are available');
  });

  it('shows how to continue a held rollout', () => {
    const runs = [sampleRun('pre', { phase: 'Failed', attempts: [failed] })];
    const view = viewOf(sampleFacts({ runs, rollout: { phase: 'Held', failure } }));
    expect(view.next).toContain('lifehook rollout retry web -n shop');
    expect(view.waitsFor).toBeUndefined();
  });
});

describe('the exit code', () => {
  const codeIn = (phase: Phase, hook: 'Failed' | 'Ignored' | 'Unknown' | 'Aborted'): number =>
    exitCodeOf(
      viewOf(sampleFacts({ rollout: { phase }, runs: [sampleRun('pre', { phase: hook })] })),
    );

  it('is 0 while the rollout is in progress, and when it is done', () => {
    expect(codeIn('Pre', 'Failed')).toBe(exitCodes.done);
    expect(codeIn('Done', 'Ignored')).toBe(exitCodes.done);
    expect(exitCodeOf(viewOf(sampleFacts({ rollout: null })))).toBe(exitCodes.done);
  });

  it('is 3 when a hook has failed or its outcome is unknown', () => {
    expect(codeIn('Held', 'Failed')).toBe(exitCodes.hookFailed);
    expect(codeIn('RolledBack', 'Failed')).toBe(exitCodes.hookFailed);
    expect(codeIn('Failed', 'Unknown')).toBe(exitCodes.hookFailed);
  });

  it('is 1 when the rollout failed for another reason than a hook', () => {
    expect(codeIn('Failed', 'Ignored')).toBe(exitCodes.failed);
    expect(codeIn('Held', 'Aborted')).toBe(exitCodes.failed);
  });
});
