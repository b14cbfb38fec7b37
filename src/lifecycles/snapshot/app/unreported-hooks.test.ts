/** Hooks that have reported nothing yet, or only a part: every field of a status may be absent. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  CUT_PROOFS,
  frozen,
  sampleFacts,
  sampleHook,
  sampleTarget,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ContainerStatus, ExecutionHook, ExecutionHookStatus } from '../kinds.ts';
import { askStep, decide } from './decide.ts';
import { decideEvidence } from './decide-end.ts';
import { evidenceOf, type Identity } from './evidence.ts';
import { isSettled } from './thaw-order.ts';

const bare: ExecutionHook = {
  metadata: { name: 'hook-0', namespace: 'shop', uid: 'uid-hook-0' },
  spec: { executionHookTemplateName: 'db' },
};

function evidence(hook: ExecutionHook | null): ReturnType<typeof evidenceOf> {
  const identityOf = (): Identity => 'Same';
  return evidenceOf({ name: 'hook-0', hook }, { identityOf, proofs: CUT_PROOFS, targetsMax: 9 });
}

const withStatus = (status: ExecutionHookStatus): ExecutionHook => sampleHook({ status });
const targets = (...parts: Partial<ContainerStatus>[]): ExecutionHookStatus =>
  thawed({ containerExecutionHookStatuses: parts.map((part) => sampleTarget(part)) });

describe('the evidence', () => {
  it('of a deleted hook is that it reported nothing', () => {
    expect(evidence(null)).toEqual({
      name: 'hook-0',
      finding: {
        value: 'Unknown',
        reason: 'HookGone',
        message: 'the hook was deleted before it reported anything',
      },
      targets: [],
    });
  });

  it('of a hook without a status is that it has not frozen', () => {
    expect(evidence(bare)).toStrictEqual({
      name: 'hook-0',
      finding: {
        value: 'Inconsistent',
        reason: 'NotFrozen',
        message: 'it is not certain that every preAction has succeeded',
      },
      targets: [],
    });
  });

  it('names a container that reports no preAction', () => {
    const { preActionStatus: _, ...silent } = sampleTarget();
    const { finding } = evidence(withStatus(thawed({ containerExecutionHookStatuses: [silent] })));
    expect(finding).toEqual({
      value: 'Unknown',
      reason: 'PreActionUnknown',
      message: 'db-0/db does not report that its preAction succeeded',
    });
  });

  it('has only what an action reported', () => {
    const status = targets({ preActionStatus: {}, postActionStatus: { attempts: [] } });
    const [target] = evidence(withStatus(status)).targets;
    expect(target).toStrictEqual({
      podName: 'db-0',
      containerName: 'db',
      podUID: 'pod-1',
      containerID: 'c-1',
      restartCount: 0,
      identity: 'Same',
      preActionStatus: {},
      postActionStatus: {},
    });
  });

  it('has the time of the release where no attempt to thaw has ended, and none without a release', () => {
    const status = targets({ postActionStatus: { attempts: [{ startedAt: ago(2) }] } });
    expect(evidence(withStatus(status)).lastThawAt).toBe(ago(1));
    const { release: _, ...unreleased } = status;
    expect('lastThawAt' in evidence(withStatus(unreleased))).toBe(false);
  });
});

describe('a hook without finalizers', () => {
  it('has not settled while it reports nothing', () => {
    expect(isSettled(bare)).toBe(false);
  });

  it('is not released again after its evidence was kept', () => {
    const facts = sampleFacts({
      hooks: [{ ...bare, status: thawed() }],
      status: { hooks: [{ name: 'hook-0', targets: [] }] },
    });
    expect(decideEvidence(facts)).toBeNull();
  });

  it('does not delay the deletion of its snapshot after its thaw', () => {
    const hooks = [{ ...bare, status: thawed() }];
    expect(decide(sampleFacts({ hooks, volumes: [], terminating: true }))).toEqual({
      kind: 'removeFinalizer',
    });
  });
});

it('asks no hook after the cut that has a probe and no container', () => {
  const { containerExecutionHookStatuses: _, ...status } = frozen({
    resolved: {
      policy: 'ExecuteAll',
      preAction: { actionTimeoutSeconds: 30 },
      probe: { command: ['probe'], timeoutSeconds: 5 },
      origin: 'template db',
    },
  });
  const hooks = [withStatus(status), sampleHook()].map((hook) => ({ name: 'hook', hook }));
  expect(askStep({ ...sampleFacts(), hooks })).toBeNull();
});
