import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleHook,
  sampleTarget,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ContainerStatus, ExecutionHookStatus, ProbeStatus } from '../kinds.ts';
import { evidenceOf, type Identity } from './evidence.ts';
import { identityOf } from './read-identities.ts';

function findingOf(status: ExecutionHookStatus, identity: Identity = 'Same'): string {
  const facts = { name: 'hook-0', hook: sampleHook({ status }) };
  const { finding } = evidenceOf(facts, { identityOf: () => identity, targetsMax: 9 });
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

describe('what a hook tells for a freeze that was held over the cut', () => {
  it.each<[string, ExecutionHookStatus, string]>([
    ['all of it', thawed(), 'none'],
    [
      'case 16: a postAction that failed is no matter of it',
      thawed({ postActionSucceed: false }),
      'none',
    ],
    [
      'G13: it was thawed by its expiry',
      thawed({ release: { cause: 'Expired', at: ago(1) } }),
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'it was thawed by a person',
      thawed({ release: { cause: 'Human', at: ago(1) } }),
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'it was thawed by a deletion',
      thawed({ release: { cause: 'Deleted', at: ago(1) } }),
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'I13: a preAction without an outcome is none that succeeded',
      by({ preActionStatus: { actionTimestamp: ago(1) } }),
      'Unknown PreActionUnknown',
    ],
    ['not all preActions succeeded', thawed({ preActionSucceed: false }), 'Inconsistent NotFrozen'],
    [
      'case 36: the freeze was lost before the thaw was asked for',
      by({ freezeLost: { at: ago(1), reason: 'restarted' } }),
      'Inconsistent FreezeLost',
    ],
    [
      'it had ended when the release was seen, and nobody knows whether before the cut',
      by({ freezeDoubted: { at: ago(1), reason: 'the session has ended' } }),
      'Unknown FreezeDoubted',
    ],
    [
      'the same, and the probe says that it was in force after the cut',
      probed(
        { AfterFreeze: 'Frozen', AfterCut: 'Frozen' },
        { freezeDoubted: { at: ago(1), reason: 'the session has ended' } },
      ),
      'none',
    ],
    [
      'the holder thawed by itself, nobody knows when',
      by({ thawedBy: 'deadman' }),
      'Unknown ThawedByItself',
    ],
    ['what held it ended, nobody knows when', by({ thawedBy: 'broken' }), 'Unknown ThawedByItself'],
    [
      'a person took on the thaw of what a holder held, and nobody asked the holder',
      by({ thawedBy: 'released', holder: { timing: 'read', windowSeconds: 4 } }),
      'Unknown ThawTakenOn',
    ],
    [
      'nobody has heard what became of the thaw of what a holder held',
      unheard({ holder: { timing: 'read', windowSeconds: 4 } }),
      'Unknown ThawUnheard',
    ],
    ['no thaw has succeeded yet where none thaws by itself', unheard({}), 'none'],
    [
      'case 14: the probe says that it was in force after the cut',
      probed({ AfterFreeze: 'Frozen', AfterCut: 'Frozen' }),
      'none',
    ],
    [
      'case 14: the probe says that it was not',
      probed({ AfterFreeze: 'Frozen', AfterCut: 'NotFrozen' }),
      'Inconsistent NotFrozen',
    ],
    [
      'the probe was not asked after the cut',
      probed({ AfterFreeze: 'Frozen' }),
      'Unknown ProbeUnknown',
    ],
    [
      'the probe could not tell',
      probed({ AfterFreeze: 'Frozen', AfterCut: 'Unknown' }),
      'Unknown ProbeUnknown',
    ],
    [
      'why it was thawed is missing',
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
  ])('a container that is %s afterwards proves nothing', (identity, expected) => {
    expect(findingOf(thawed(), identity)).toBe(expected);
  });

  it('is missing where the hook is gone', () => {
    const options = { identityOf: () => 'Same' as const, targetsMax: 9 };
    expect(evidenceOf({ name: 'hook-0', hook: null }, options)).toMatchObject({
      finding: { value: 'Unknown', reason: 'HookGone' },
    });
  });
});

describe('what is kept of a hook', () => {
  it('tells when the freeze began and when the last thaw ended, and keeps of the attempts what the thaw printed', () => {
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
    const options = { identityOf: () => 'Same' as const, targetsMax: 9 };
    const evidence = evidenceOf({ name: 'hook-0', hook }, options);
    expect(evidence).toMatchObject({
      firstPreAt: ago(10),
      lastThawAt: ago(1),
      releaseCause: 'Cut',
    });
    expect(JSON.stringify(evidence)).not.toContain('attempts');
    expect(evidence.targets.map(({ thawOutput }) => thawOutput)).toEqual([undefined, 'x']);
  });

  it('is bounded, and what speaks against it is kept first', () => {
    const good = Array.from({ length: 9 }, () => sampleTarget());
    const bad = sampleTarget({ podName: 'bad', postActionStatus: { actionSucceed: false } });
    const status = thawed({ containerExecutionHookStatuses: [...good, bad] });
    const options = { identityOf: () => 'Same' as const, targetsMax: 3 };
    const { targets } = evidenceOf({ name: 'hook-0', hook: sampleHook({ status }) }, options);
    expect(targets.map(({ podName }) => podName)).toEqual(['bad', 'db-0', 'db-0']);
  });
});

describe('a container that was frozen', () => {
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
    ['is the same', pod({}), 'Same'],
    ['was restarted', pod({ restartCount: 1 }), 'Changed'],
    ['is another', pod({ containerID: 'c-2' }), 'Changed'],
    ['does not run', pod({ state: { terminated: { exitCode: 0 } } }), 'Changed'],
    ['is of a pod that was replaced under its name', pod({}, 'pod-2'), 'Gone'],
    ['is of a pod that is gone', null, 'Gone'],
    ['was not looked at', undefined, 'Unknown'],
  ])('%s', (_, found, expected) => {
    expect(identityOf(sampleTarget(), found)).toBe(expected);
  });
});
