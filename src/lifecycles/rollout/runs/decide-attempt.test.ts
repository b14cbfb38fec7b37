import { describe, expect, it } from 'vitest';

import {
  ago,
  ended,
  hookPod,
  NOW_MS,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  newRollout,
  open,
  type SampleRun,
  sampleRun,
  stageFacts,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import { decideRow, type StageRow, words } from '../../../../test/fixtures/rollout/stage-words.ts';
import type { HookAttempt } from '../kinds.ts';
import { decideAttempt } from './decide-attempt.ts';
import { decideStage } from './decide-stage.ts';

const NO_PLACE = 'Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.';

describe('decideStage, an attempt', () => {
  const one: SampleRun = { attempts: [open(1)] };
  const unscheduled: SampleHookPod = { node: null };
  const placeless: SampleHookPod = {
    node: null,
    status: {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/1 nodes are available: 1 Insufficient cpu.',
        },
      ],
    },
  };
  it.each<[string, StageRow, string]>([
    ['waits for a running pod until the deadline', { run: one, pods: [running] }, 'wait 500 s'],
    [
      'waits for a running pod until its own timeout',
      { run: { ...one, hook: { timeoutSeconds: 90 } }, pods: [running] },
      'wait 30 s',
    ],
    [
      'counts its timeout from the creation of the pod',
      { run: { ...one, hook: { timeoutSeconds: 90 } }, pods: [{ ...running, created: 10 }] },
      'wait 80 s',
    ],
    [
      'deletes the pod at its timeout',
      { run: { ...one, hook: { timeoutSeconds: 50 } }, pods: [running] },
      'deletePod 7-pre-1',
    ],
    [
      "records the scheduler's reason for a pod that has no place",
      { run: one, pods: [placeless] },
      `recordWait 1 ${NO_PLACE}`,
    ],
    [
      'waits once that reason is recorded',
      { run: { attempts: [{ ...open(1), waitsFor: NO_PLACE }] }, pods: [placeless] },
      'wait 500 s',
    ],
    [
      'records that nothing keeps the pod any more',
      { run: { attempts: [{ ...open(1), waitsFor: NO_PLACE }] }, pods: [running] },
      'recordWait 1 nothing',
    ],
    [
      'deletes an unscheduled pod at the deadline (ROLL-C6)',
      { run: { ...one, deadlineSeconds: 99 }, pods: [unscheduled] },
      'deletePod 7-pre-1',
    ],
    [
      'waits for a terminating pod',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...running, deleted: 3 }] },
      'wait for a change',
    ],
    [
      'records TimedOut for a deleted pod that was never scheduled',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...unscheduled, deleted: 1 }] },
      'recordOutcome 1 TimedOut Pending',
    ],
    [
      'records TimedOut for a pod that was deleted at the deadline',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...ended(143, 0), deleted: 1 }] },
      'recordOutcome 1 TimedOut Error',
    ],
    [
      'records TimedOut for a pod that exits with 0 after its deletion',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...ended(0, 0), deleted: 1 }] },
      'recordOutcome 1 TimedOut Completed',
    ],
    [
      'records Succeeded for a pod that exited before its deletion',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...ended(0, 5), deleted: 1 }] },
      'recordOutcome 1 Succeeded Completed',
    ],
    [
      'records Succeeded for exit code 0',
      { run: one, pods: [ended(0)] },
      'recordOutcome 1 Succeeded Completed',
    ],
    [
      'records Failed for another exit code',
      { run: one, pods: [ended(3)] },
      'recordOutcome 1 Failed Error',
    ],
    [
      'records Failed for a pod that a user deletes',
      { run: one, pods: [{ ...ended(143, 0), deleted: 1 }] },
      'recordOutcome 1 Failed PodDeleted',
    ],
    [
      'deletes the pod when a new rollout begins',
      { run: one, pods: [running], abort: newRollout },
      'deletePod 7-pre-1',
    ],
    [
      'records Aborted for a pod that was deleted for a new rollout',
      { run: one, pods: [{ ...ended(143, 0), deleted: 1 }], abort: newRollout },
      'recordOutcome 1 Aborted Error',
    ],
    [
      'looks for a missing pod before recording Unknown (ROLL-S3)',
      { run: one },
      'lookForPod 1, else Unknown PodLost',
    ],
    [
      'looks for the pod if another has its name',
      { run: { attempts: [open(1, { podUID: 'other' })] }, pods: [running] },
      'lookForPod 1, else Unknown PodLost',
    ],
    [
      'looks for the pod before an abort without one',
      { run: { attempts: [{ number: 1 }] }, abort: newRollout },
      'lookForPod 1, else Aborted NewRollout',
    ],
    [
      'looks for the pod before a timeout without one',
      { run: { attempts: [{ number: 1 }], deadlineSeconds: 99 } },
      'lookForPod 1, else TimedOut DeadlineExceeded',
    ],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });

  const name = hookPod(running).metadata?.name ?? '';
  const reasonOver = (pod: SampleHookPod, attempt: Partial<HookAttempt> = {}): string => {
    const run = sampleRun({ attempts: [open(1, attempt)] });
    const step = decideStage(stageFacts(run, [hookPod(pod)]));
    return 'reason' in step ? step.reason : step.kind;
  };

  it.each<[string, SampleHookPod, Partial<HookAttempt>, string]>([
    ['runs', running, {}, `hook pod ${name} runs`],
    [
      'runs, with what its node says',
      { ...running, status: { phase: 'Running', reason: 'NodeLost' } },
      {},
      `hook pod ${name} runs (NodeLost)`,
    ],
    ['waits, without an obstacle', unscheduled, {}, `hook pod ${name} waits: Pending`],
    ['waits', placeless, { waitsFor: NO_PLACE }, `hook pod ${name} waits: ${NO_PLACE}`],
    ['is terminating', { ...running, deleted: 3 }, {}, `hook pod ${name} is being stopped`],
    [
      'is terminating, and what it waits for',
      { ...placeless, node: 'n', deleted: 3 },
      {},
      `hook pod ${name} is being stopped (${NO_PLACE})`,
    ],
  ])('says that its pod %s', (...[, pod, attempt, reason]) => {
    expect(reasonOver(pod, attempt)).toBe(reason);
  });

  it('keeps no more than 1,024 characters of what its pod waits for', () => {
    const conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: 'x'.repeat(2_000),
      },
    ];
    const pod = hookPod({ node: null, status: { phase: 'Pending', conditions } });
    const step = decideStage(stageFacts(sampleRun(one), [pod]));
    expect(step.kind === 'recordWait' && step.waitsFor?.length).toBe(1_024);
  });

  it('creates no pod when its run has to end', () => {
    const attempts = [{ number: 1, startedAt: ago(60) }];
    const facts = { run: sampleRun({ attempts }), request: null, pods: [], nowMs: NOW_MS };
    const [unasked] = facts.run.status?.attempts ?? [];
    if (unasked === undefined) throw new Error('it has no attempt');
    expect(decideAttempt({ ...facts, abort: null }, unasked)).toEqual({
      kind: 'wait',
      untilMs: null,
      reason: 'no attempt is requested',
    });
  });

  it('takes no pod for its own that has its name or its labels alone (ROLL-S2)', () => {
    const { metadata, ...rest } = hookPod(running);
    const { labels: _, ...named } = metadata ?? {};
    const pods = [
      { metadata: named, ...rest },
      { metadata: { ...metadata, name: 'copy' }, ...rest },
    ];
    for (const pod of pods) {
      expect(words(decideStage(stageFacts(sampleRun(one), [pod])))).toBe(
        'lookForPod 1, else Unknown PodLost',
      );
    }
  });
});
