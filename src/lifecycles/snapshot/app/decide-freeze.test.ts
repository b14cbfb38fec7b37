/** How long a snapshot waits for a hook, and how it reports a hook that has failed. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleFacts,
  sampleHook,
  sampleTarget,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ActionStatus, ExecutionHook, ExecutionHookStatus } from '../kinds.ts';
import { decide } from './decide.ts';
import type { Step } from './step.ts';

const stepFor = (...hooks: ExecutionHook[]): Step => decide(sampleFacts({ hooks }));
const freezing = (preActionStatus?: ActionStatus, more: ExecutionHookStatus = {}): Step =>
  stepFor(
    sampleHook({
      status: {
        containerExecutionHookStatuses: [
          sampleTarget(),
          { ...sampleTarget(), ...(preActionStatus === undefined ? {} : { preActionStatus }) },
        ],
        ...more,
      },
    }),
  );

describe('the wait for a hook that freezes (SNAP-R29)', () => {
  const silence = 'hook hook-0 makes no progress: is "lifehook controller" running?';

  it('is counted from the creation of the hook', () => {
    expect(stepFor(sampleHook({ status: {} }))).toMatchObject({ kind: 'waitFor', ms: 130_000 });
  });

  it('starts again with each attempt, and with its end', () => {
    const begun = { actionTimestamp: ago(9), attempts: [{ startedAt: ago(4) }] };
    expect(freezing(begun)).toMatchObject({ ms: 146_000 });
    const ended = {
      actionTimestamp: ago(9),
      attempts: [{ startedAt: ago(4), endedAt: ago(3), outcome: 'Failed' as const }],
    };
    expect(freezing(ended)).toMatchObject({ ms: 147_000 });
    expect(freezing({ actionTimestamp: ago(9) })).toMatchObject({ ms: 141_000 });
  });

  it('grows with the timeout of the preAction', () => {
    const preAction = { exec: { command: ['freeze'] }, actionTimeoutSeconds: 300 };
    const resolved = { policy: 'ExecuteAll', preAction, origin: 'template db' } as const;
    expect(freezing({ actionTimestamp: ago(9) }, { resolved })).toMatchObject({ ms: 411_000 });
  });

  it('starts now where the hook has no time at all', () => {
    const { metadata, ...hook } = sampleHook({ status: {} });
    const { creationTimestamp: _, ...timeless } = metadata ?? {};
    expect(stepFor({ ...hook, metadata: timeless })).toMatchObject({ ms: 150_000 });
  });

  it('ends after the timeout and two minutes', () => {
    const created = (seconds: number): Step => {
      const hook = sampleHook({ status: {} });
      return stepFor({ ...hook, metadata: { ...hook.metadata, creationTimestamp: ago(seconds) } });
    };
    expect(created(149)).toMatchObject({ kind: 'waitFor', ms: 1_000 });
    expect(created(150)).toEqual({ kind: 'fail', reason: 'HookOverdue', message: silence });
  });
});

describe('a snapshot whose hook has failed', () => {
  const failed = (error: string | undefined, more: ExecutionHookStatus = {}): Step => {
    const reported = error === undefined ? {} : { error: { time: ago(1), message: error } };
    const preActionStatus = { actionTimestamp: ago(3), actionSucceed: false, ...reported };
    return freezing(preActionStatus, { preActionSucceed: false, ...more });
  };

  it('SNAP-R31: names the container and its error', () => {
    expect(failed('The command exited with code 3.')).toEqual({
      kind: 'fail',
      reason: 'PreActionFailed',
      message: 'the preAction of hook hook-0 has failed: db-0/db: The command exited with code 3.',
    });
  });

  it('names the container where the error is not known', () => {
    expect(failed(undefined)).toMatchObject({
      message: 'the preAction of hook hook-0 has failed: db-0/db: no error was reported',
    });
  });

  it('names the hook alone where no container has failed', () => {
    expect(stepFor(sampleHook({ status: { preActionSucceed: false } }))).toMatchObject({
      message: 'the preAction of hook hook-0 has failed',
    });
  });

  it('keeps 512 characters of an error', () => {
    const step = failed('x'.repeat(600));
    expect('message' in step ? step.message.length : 0).toBe(512);
  });

  it.each(['x', 'xx'])('keeps no half of a character of an error that begins with %s', (start) => {
    const step = failed(`${start}${'\u{1F600}'.repeat(300)}`);
    const message = 'message' in step ? step.message : '';
    expect(Buffer.from(message).toString()).toBe(message);
  });

  it('reports the cause that the hook itself reports, and nothing twice', () => {
    const condition = {
      type: 'Failed',
      status: 'True',
      reason: 'PreActionFailed',
      message: 'db in pod db-0: exit code 3',
      lastTransitionTime: ago(1),
    } as const;
    expect(failed('exit code 3', { conditions: [condition] })).toMatchObject({
      reason: 'PreActionFailed',
      message: 'ExecutionHook hook-0: PreActionFailed: db in pod db-0: exit code 3',
    });
  });

  it('names the container that has failed, and not one before it that was not begun', () => {
    const { preActionStatus: _, ...unbegun } = sampleTarget({ podName: 'db-7' });
    const preActionStatus = { actionTimestamp: ago(3), actionSucceed: false };
    const containerExecutionHookStatuses = [unbegun, sampleTarget({ preActionStatus })];
    const status = { preActionSucceed: false, containerExecutionHookStatuses };
    expect(stepFor(sampleHook({ status }))).toMatchObject({
      message: 'the preAction of hook hook-0 has failed: db-0/db: no error was reported',
    });
  });
});

describe('a hook that has no status yet', () => {
  const { status: _, ...fresh } = sampleHook();

  it('is waited for', () => {
    expect(stepFor(fresh)).toEqual({
      kind: 'waitFor',
      ms: 130_000,
      reason: 'hook hook-0 freezes',
    });
  });

  it('is waited for while none of its containers is begun', () => {
    const { preActionStatus: __, ...unbegun } = sampleTarget();
    const status = { containerExecutionHookStatuses: [unbegun] };
    expect(stepFor(sampleHook({ status }))).toMatchObject({ kind: 'waitFor', ms: 130_000 });
  });

  it('fails the snapshot when a user deletes it', () => {
    const deleted = { ...fresh, metadata: { ...fresh.metadata, deletionTimestamp: ago(1) } };
    expect(stepFor(deleted)).toEqual({
      kind: 'fail',
      reason: 'HookReleased',
      message: 'hook hook-0 was deleted',
    });
  });

  it('is not the one that has frozen, once the cut was requested (SNAP-I12)', () => {
    const facts = sampleFacts({ status: { cutRequestedAt: ago(1) }, hooks: [fresh] });
    expect(decide(facts)).toMatchObject({ kind: 'fail', reason: 'HookGone' });
  });
});
