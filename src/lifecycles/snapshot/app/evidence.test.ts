import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  ago,
  CUT_PROOFS,
  sampleHook,
  sampleTarget,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ContainerStatus, ExecutionHookStatus, ProbeStatus } from '../kinds.ts';
import { evidenceOf, type Identity } from './evidence.ts';
import { identityOf } from './read-identities.ts';

function findingOf(status: ExecutionHookStatus, identity: Identity = 'Same'): string {
  const facts = { name: 'hook-0', hook: sampleHook({ status }) };
  const { finding } = evidenceOf(facts, {
    identityOf: () => identity,
    proofs: CUT_PROOFS,
    targetsMax: 9,
  });
  return finding === undefined ? 'none' : `${finding.value} ${finding.reason}`;
}

const by = (more: Partial<ContainerStatus>): ExecutionHookStatus =>
  thawed({ containerExecutionHookStatuses: [sampleTarget({ thawedBy: 'post', ...more })] });

const unheard = (more: Partial<ContainerStatus>): ExecutionHookStatus =>
  thawed({ containerExecutionHookStatuses: [sampleTarget(more)] });

const probed = (
  outcomes: Partial<Record<ProbeStatus['when'], ProbeStatus['outcome']>>,
  more: Partial<ContainerStatus> = {},
) => {
  const preAction = { actionTimeoutSeconds: 1 };
  const probe = { command: ['is-frozen'], timeoutSeconds: 1 };
  const probes = Object.entries(outcomes).map(([when, outcome]) => ({
    when: when as ProbeStatus['when'],
    at: ago(1),
    outcome,
  }));
  return {
    ...by({ probes, ...more }),
    resolved: { policy: 'ExecuteAll', preAction, probe, origin: 'template db' } as const,
  };
};

describe('the finding in the evidence of a hook', () => {
  it.each<[string, ExecutionHookStatus, string]>([
    ['none for a full freeze', thawed(), 'none'],
    ['SNAP-CASE16: none for a failed postAction', thawed({ postActionSucceed: false }), 'none'],
    [
      'SNAP-G13: Inconsistent for a thaw by expiry',
      thawed({ release: { cause: 'Expired', at: ago(1) } }),
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'SNAP-S8: Inconsistent for a thaw, or a probe, that another client requested as if after the cut',
      { ...probed({ AfterFreeze: 'Frozen', AfterCut: 'Frozen' }), cutToken: 'ab13' },
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'Inconsistent for a thaw by a user',
      thawed({ release: { cause: 'Human', at: ago(1) } }),
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'Inconsistent for a thaw by a deletion',
      thawed({ release: { cause: 'Deleted', at: ago(1) } }),
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'SNAP-I13: Unknown for a preAction without an outcome',
      by({ preActionStatus: { actionTimestamp: ago(1) } }),
      'Unknown PreActionUnknown',
    ],
    [
      'Inconsistent if not all preActions succeeded',
      thawed({ preActionSucceed: false }),
      'Inconsistent NotFrozen',
    ],
    [
      'SNAP-CASE36: Inconsistent for a freeze lost before the release',
      by({ freezeLost: { at: ago(1), reason: 'restarted' } }),
      'Inconsistent FreezeLost',
    ],
    [
      'Unknown for a freeze that may have ended before the cut',
      by({ freezeDoubted: { at: ago(1), reason: 'the session has ended' } }),
      'Unknown FreezeDoubted',
    ],
    [
      'none for a doubtful freeze that the probe confirms after the cut',
      probed(
        { AfterFreeze: 'Frozen', AfterCut: 'Frozen' },
        { freezeDoubted: { at: ago(1), reason: 'the session has ended' } },
      ),
      'none',
    ],
    [
      'Unknown if the session helper thawed by itself at an unknown time',
      by({ thawedBy: 'deadman' }),
      'Unknown ThawedByItself',
    ],
    [
      'Unknown if the session broke at an unknown time',
      by({ thawedBy: 'broken' }),
      'Unknown ThawedByItself',
    ],
    [
      'Unknown if a user marked the thaw of a session as done by hand',
      by({ thawedBy: 'released', holder: { timing: 'read', windowSeconds: 4 } }),
      'Unknown ThawTakenOn',
    ],
    [
      'Unknown if the thaw of a session has no recorded outcome',
      unheard({ holder: { timing: 'read', windowSeconds: 4 } }),
      'Unknown ThawUnheard',
    ],
    ['none without a thaw, if nothing thaws by itself', unheard({}), 'none'],
    [
      'SNAP-CASE14: none if the probe finds it frozen after the cut',
      probed({ AfterFreeze: 'Frozen', AfterCut: 'Frozen' }),
      'none',
    ],
    [
      'SNAP-CASE14: Inconsistent if the probe finds it not frozen after the cut',
      probed({ AfterFreeze: 'Frozen', AfterCut: 'NotFrozen' }),
      'Inconsistent NotFrozen',
    ],
    [
      'Unknown if the probe did not run after the cut',
      probed({ AfterFreeze: 'Frozen' }),
      'Unknown ProbeUnknown',
    ],
    [
      'Unknown if the probe failed after the cut',
      probed({ AfterFreeze: 'Frozen', AfterCut: 'Unknown' }),
      'Unknown ProbeUnknown',
    ],
    [
      'Unknown without a release cause',
      { ...thawed(), release: undefined } as unknown as ExecutionHookStatus,
      'Unknown ReleaseUnknown',
    ],
  ])('%s', (_, status, expected) => {
    expect(findingOf(status)).toBe(expected);
  });

  it.each<[Identity, string]>([
    ['Changed', 'Unknown TargetChanged'],
    ['Gone', 'Unknown TargetGone'],
    ['Unknown', 'Unknown TargetUnknown'],
  ])('is Unknown if the container is %s afterwards', (identity, expected) => {
    expect(findingOf(thawed(), identity)).toBe(expected);
  });

  it('is Unknown if the hook was deleted', () => {
    const options = { identityOf: () => 'Same' as const, proofs: CUT_PROOFS, targetsMax: 9 };
    expect(evidenceOf({ name: 'hook-0', hook: null }, options)).toMatchObject({
      finding: { value: 'Unknown', reason: 'HookGone' },
    });
  });
});

it('SNAP-S9: is Unknown if another hook was frozen when the cut was requested', () => {
  const options = { identityOf: () => 'Same' as const, targetsMax: 9 };
  const hook = sampleHook({ status: thawed() });
  const findingWith = (...executionHookUIDs: readonly string[]): unknown => {
    const proofs = { ...CUT_PROOFS, executionHookUIDs: [...executionHookUIDs] };
    return evidenceOf({ name: 'hook-0', hook }, { ...options, proofs }).finding;
  };
  expect(findingWith('of another', hook.metadata?.uid ?? '')).toBeUndefined();
  expect(findingWith('of another')).toMatchObject({ value: 'Unknown', reason: 'HookGone' });
});

describe('the evidence of a hook', () => {
  it('has freeze start, last thaw and the output of the thaw, but no attempts', () => {
    const attempts = [
      { startedAt: ago(2), endedAt: ago(1), outcome: 'Succeeded' as const, output: 'x' },
    ];
    const targets = [
      sampleTarget({ preActionStatus: { actionTimestamp: ago(9), actionSucceed: true, attempts } }),
      sampleTarget({
        postActionStatus: { actionTimestamp: ago(2), actionSucceed: true, attempts },
      }),
    ];
    const hook = sampleHook({ status: thawed({ containerExecutionHookStatuses: targets }) });
    const options = { identityOf: () => 'Same' as const, proofs: CUT_PROOFS, targetsMax: 9 };
    const evidence = evidenceOf({ name: 'hook-0', hook }, options);
    expect(evidence).toMatchObject({
      firstPreAt: ago(10),
      lastThawAt: ago(1),
      releaseCause: 'Cut',
    });
    expect(JSON.stringify(evidence)).not.toContain('attempts');
    expect(evidence.targets.map(({ thawOutput }) => thawOutput)).toEqual([undefined, 'x']);
  });

  it('is bounded, and keeps failed targets first', () => {
    const good = Array.from({ length: 9 }, () => sampleTarget());
    const bad = sampleTarget({ podName: 'bad', postActionStatus: { actionSucceed: false } });
    const status = thawed({ containerExecutionHookStatuses: [...good, bad] });
    const options = { identityOf: () => 'Same' as const, proofs: CUT_PROOFS, targetsMax: 3 };
    const { targets } = evidenceOf({ name: 'hook-0', hook: sampleHook({ status }) }, options);
    expect(targets.map(({ podName }) => podName)).toEqual(['bad', 'db-0', 'db-0']);
  });
});

describe('the identity of a frozen container', () => {
  const pod = (more: object, uid = 'pod-1'): Pod => ({
    metadata: { uid },
    status: {
      containerStatuses: [
        {
          name: 'db',
          image: '',
          imageID: '',
          ready: true,
          state: { running: {} },
          containerID: 'c-1',
          restartCount: 0,
          ...more,
        },
      ],
    },
  });

  it.each<[string, Pod | null | undefined, Identity]>([
    ['is Same for the same container', pod({}), 'Same'],
    ['is Changed after a restart', pod({ restartCount: 1 }), 'Changed'],
    ['is Changed for another container ID', pod({ containerID: 'c-2' }), 'Changed'],
    [
      'is Changed for a container that has exited',
      pod({ state: { terminated: { exitCode: 0 } } }),
      'Changed',
    ],
    ['is Gone for a recreated pod of the same name', pod({}, 'pod-2'), 'Gone'],
    ['is Gone for a deleted pod', null, 'Gone'],
    ['is Unknown if the pod was not read', undefined, 'Unknown'],
  ])('%s', (_, found, expected) => {
    expect(identityOf(sampleTarget(), found)).toBe(expected);
  });
});
