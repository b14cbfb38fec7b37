/**
 * The copy of a hook's evidence in its snapshot, and the messages about a freeze that proves nothing (SNAP-I2,
 * SNAP-I13).
 */
import { describe, expect, it } from 'vitest';

import {
  ago,
  CUT_PROOFS,
  sampleHook,
  sampleTarget,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type {
  HookEvidence,
  ActionStatus,
  ContainerStatus,
  ExecutionHookStatus,
  ProbeStatus,
  ResolvedActions,
} from '../kinds.ts';
import { evidenceOf, type Identity } from './evidence.ts';

function evidence(
  status: ExecutionHookStatus,
  identityOf: (target: ContainerStatus) => Identity = () => 'Same',
  targetsMax = 500,
): HookEvidence {
  const hook = sampleHook({ status });
  return evidenceOf({ name: 'hook-0', hook }, { identityOf, proofs: CUT_PROOFS, targetsMax });
}

const targets = (...list: Partial<ContainerStatus>[]): ExecutionHookStatus =>
  thawed({ containerExecutionHookStatuses: list.map((more) => sampleTarget(more)) });

const messageOf = (status: ExecutionHookStatus, identity: Identity = 'Same'): string =>
  evidence(status, () => identity).finding?.message ?? 'none';

const holder = { timing: 'read', windowSeconds: 4 } as const;

describe('a finding reports', () => {
  it.each<[string, ExecutionHookStatus, string]>([
    [
      'that a preAction has not succeeded',
      thawed({ preActionSucceed: false }),
      'it is not certain that every preAction has succeeded',
    ],
    [
      'that the cause of the thaw is not known',
      { ...thawed(), release: undefined } as unknown as ExecutionHookStatus,
      'the hook does not report why it was thawed',
    ],
    [
      'SNAP-G13: why it was thawed before the cut',
      thawed({ release: { cause: 'Expired', at: ago(1) } }),
      'the thaw began before it was known that the volumes were cut: Expired',
    ],
    [
      'SNAP-I13: which container did not report its freeze',
      targets({}, { podName: 'db-1', preActionStatus: { actionTimestamp: ago(9) } }),
      'db-1/db does not report that its preAction succeeded',
    ],
    [
      'SNAP-CASE36: which container did not stay frozen',
      targets({ freezeLost: { at: ago(1), reason: 'the container has exited since' } }),
      'db-0/db did not stay frozen: the container has exited since',
    ],
    [
      'which container a user thawed by hand',
      targets({ thawedBy: 'released', holder }),
      'db-0/db was marked as thawed by hand, and may have thawed before',
    ],
    [
      'which session did not report its thaw',
      targets({ holder }),
      'db-0/db did not report its thaw, and may have thawed by itself',
    ],
    [
      'which session thawed by itself',
      targets({ thawedBy: 'deadman', holder }),
      'db-0/db was thawed without a request (thawedBy: deadman), perhaps before the cut',
    ],
    [
      'which container ended with its freeze',
      targets({ thawedBy: 'gone' }),
      'db-0/db was thawed without a request (thawedBy: gone), perhaps before the cut',
    ],
    [
      'why a freeze is doubted',
      targets({ freezeDoubted: { at: ago(1), reason: 'the session has ended' } }),
      'db-0/db may have lost its freeze before the cut: the session has ended',
    ],
    ['nothing for a session that was thawed', targets({ thawedBy: 'session', holder }), 'none'],
    ['nothing for a command that a user undid', targets({ thawedBy: 'released' }), 'none'],
    [
      'what is Inconsistent before what is Unknown',
      targets({ thawedBy: 'gone' }, { freezeLost: { at: ago(1), reason: 'the pod is deleted' } }),
      'db-0/db did not stay frozen: the pod is deleted',
    ],
    [
      'the first where all are Unknown',
      targets({ podName: 'db-1', thawedBy: 'gone' }, { thawedBy: 'deadman' }),
      'db-1/db was thawed without a request (thawedBy: gone), perhaps before the cut',
    ],
  ])('%s', (_, status, message) => {
    expect(messageOf(status)).toBe(message);
  });

  it.each<[Identity, string]>([
    ['Changed', 'db-0/db was restarted or replaced, perhaps before the cut'],
    ['Gone', 'db-0/db was deleted before it could be checked after the thaw'],
    ['Unknown', 'db-0/db could not be read after the thaw'],
  ])('a container that is %s after the thaw', (identity, message) => {
    expect(messageOf(thawed(), identity)).toBe(message);
  });

  const probe = (when: ProbeStatus['when'], outcome: ProbeStatus['outcome']): ProbeStatus => ({
    when,
    at: ago(1),
    outcome,
  });

  it.each<[ProbeStatus[], string]>([
    [
      [probe('AfterFreeze', 'Frozen'), probe('AfterCut', 'NotFrozen')],
      'db-0/db: the probe AfterCut reported NotFrozen',
    ],
    [[probe('AfterFreeze', 'Frozen')], 'db-0/db: the probe AfterCut reported nothing'],
    [[probe('AfterCut', 'Frozen')], 'db-0/db: the probe AfterFreeze reported nothing'],
    [
      [
        probe('AfterFreeze', 'NotFrozen'),
        probe('AfterFreeze', 'Frozen'),
        probe('AfterCut', 'Frozen'),
      ],
      'none',
    ],
  ])('SNAP-CASE14: the last answers of the probe: %j', (probes, message) => {
    const resolved: ResolvedActions = {
      policy: 'ExecuteAll',
      preAction: { actionTimeoutSeconds: 1 },
      probe: { command: ['is-frozen'], timeoutSeconds: 1 },
      origin: 'template db',
    };
    expect(messageOf({ ...targets({ probes }), resolved })).toBe(message);
  });
});

describe('the evidence of a hook keeps', () => {
  const action = (at: number, output?: string): ActionStatus => ({
    actionTimestamp: ago(at),
    actionSucceed: true,
    attempts: [
      {
        startedAt: ago(at),
        endedAt: ago(at - 0.5),
        outcome: 'Succeeded',
        ...(output === undefined ? {} : { output }),
      },
    ],
  });

  it('times, outcomes and identity, without attempts, claims and rescue', () => {
    const error = { time: ago(3), message: 'x'.repeat(300) };
    const target = sampleTarget({
      preActionStatus: action(10),
      postActionStatus: { ...action(2, 'START WAL LOCATION'), error },
      claimNames: ['data'],
      thawedBy: 'post',
    });
    expect(evidence(thawed({ containerExecutionHookStatuses: [target] }))).toEqual({
      name: 'hook-0',
      preActionSucceed: true,
      postActionSucceed: true,
      releaseCause: 'Cut',
      firstPreAt: ago(10),
      lastThawAt: ago(1.5),
      targets: [
        {
          ...sampleTarget({ thawedBy: 'post' }),
          identity: 'Same',
          thawOutput: 'START WAL LOCATION',
          preActionStatus: { actionTimestamp: ago(10), actionSucceed: true },
          postActionStatus: {
            actionTimestamp: ago(2),
            actionSucceed: true,
            error: { time: ago(3), message: 'x'.repeat(256) },
          },
        },
      ],
    });
  });

  it('whole characters of an error', () => {
    const error = { time: ago(3), message: `x${'\u{1F600}'.repeat(200)}` };
    const target = sampleTarget({ postActionStatus: { ...action(2), error } });
    const kept = evidence(thawed({ containerExecutionHookStatuses: [target] })).targets[0];
    const message = kept?.postActionStatus?.error?.message;
    expect(message).toBe(`x${'\u{1F600}'.repeat(127)}`);
  });

  it('nothing that the hook does not report', () => {
    const { preActionStatus: _, ...bare } = sampleTarget();
    const kept = evidence({ containerExecutionHookStatuses: [bare] });
    expect(kept).toEqual({
      name: 'hook-0',
      finding: {
        value: 'Inconsistent',
        reason: 'NotFrozen',
        message: 'it is not certain that every preAction has succeeded',
      },
      targets: [{ ...bare, identity: 'Same' }],
    });
    expect(Object.keys(kept)).toEqual(['name', 'finding', 'targets']);
    expect(Object.keys(kept.targets[0] ?? {}).toSorted()).toEqual(
      [...Object.keys(bare), 'identity'].toSorted(),
    );
  });

  it('the first freeze and the last thaw of several targets', () => {
    const list = [
      { preActionStatus: action(8), postActionStatus: action(4) },
      { preActionStatus: action(9), postActionStatus: action(2) },
      { preActionStatus: action(7), postActionStatus: action(3) },
    ];
    expect(evidence(targets(...list))).toMatchObject({
      firstPreAt: ago(9),
      lastThawAt: ago(1.5),
    });
  });

  it('the release as the end where no thaw had an attempt, and no end while something is frozen', () => {
    expect(evidence(thawed()).lastThawAt).toBe(ago(1));
    const stuck = { ...targets({ postActionStatus: action(2) }), postActionSucceed: false };
    expect(evidence(stuck).lastThawAt).toBeUndefined();
  });

  it('targets with a finding first, and the outputs of a hundred thaws', () => {
    const list = Array.from({ length: 102 }, (_, index) => ({
      podName: `db-${index}`,
      postActionStatus: action(2, 'label'),
    }));
    const kept = evidence(targets(...list), ({ podName }) =>
      podName === 'db-101' ? 'Changed' : 'Same',
    ).targets;
    expect(kept.map(({ podName }) => podName).slice(0, 2)).toEqual(['db-101', 'db-0']);
    expect(kept.filter(({ thawOutput }) => thawOutput === 'label')).toHaveLength(100);
  });
});
