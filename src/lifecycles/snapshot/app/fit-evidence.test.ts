import { describe, expect, it } from 'vitest';

import {
  CUT_PROOFS,
  sampleHook,
  sampleSnapshot,
  sampleTarget,
  sampleVolume,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { storedBytes } from '../../../kube/stored-size.ts';
import type {
  HookEvidence,
  TargetEvidence,
  ActionStatus,
  ApplicationSnapshotStatus,
  ContainerStatus,
} from '../kinds.ts';
import { HOOK_BYTES_MAX } from '../schema/limits.ts';
import { evidenceOf, KEPT_TARGETS_MAX } from './evidence.ts';
import { fitEvidence, whyTooLarge } from './fit-evidence.ts';
import { judge } from './verdict.ts';

const AT = '2026-01-01T00:00:00.000000Z';
const HOSTILE = '<xml>&\u2028'.repeat(64);
const LABEL = `START WAL LOCATION: 0/2000028 (file 000000010000000000000002)\n${'A LINE OF THE LABEL: <1>\n'.repeat(8)}`;

const action = (output: string): ActionStatus => ({
  actionTimestamp: AT,
  actionSucceed: true,
  error: { time: AT, message: HOSTILE },
  attempts: [{ startedAt: AT, endedAt: AT, outcome: 'Succeeded', output }],
});

const target = (index: number, output: string): ContainerStatus =>
  sampleTarget({
    podName: `database-of-the-shop-${index}`,
    podUID: '7f9f4c7e-6f6c-4c43-8d5e-5f5f5f5f5f5f',
    containerID: `containerd://${'f'.repeat(64)}`,
    nodeName: 'node-1.example.com',
    preActionStatus: action(output),
    postActionStatus: action(output),
    probes: Array.from({ length: 3 }, (_, at) => ({
      when: at === 0 ? 'AfterFreeze' : 'AfterCut',
      at: AT,
      outcome: 'Frozen',
      reason: HOSTILE,
    })),
    freezeDoubted: { at: AT, reason: HOSTILE },
    thawedBy: 'post',
  });

function evidence(hooks: number, output: string = HOSTILE): HookEvidence[] {
  const targetsMax = Math.floor(KEPT_TARGETS_MAX / hooks);
  return Array.from({ length: hooks }, (_, at) => {
    const containerExecutionHookStatuses = Array.from({ length: targetsMax }, (__, index) =>
      target(index, output),
    );
    const hook = sampleHook({ status: thawed({ containerExecutionHookStatuses }) });
    const name = `hook-${at}`;
    return evidenceOf({ name, hook }, { identityOf: () => 'Same', proofs: CUT_PROOFS, targetsMax });
  });
}

const volumes = Array.from({ length: 100 }, (_, at) => sampleVolume(`data-${at}`, { cut: true }));
const statusOf = (hooks: HookEvidence[]): ApplicationSnapshotStatus => ({
  volumes,
  cutObservedAt: AT,
  executionHookNames: hooks.map(({ name }) => name),
  hooks,
});
const sizeOf = (status: ApplicationSnapshotStatus): number =>
  storedBytes({ ...sampleSnapshot(), status });

function firstFitted(output: string): TargetEvidence | undefined {
  return fitEvidence(sampleSnapshot(), statusOf(evidence(100, output))).hooks?.[0]?.targets[0];
}

describe('the evidence in the status of a snapshot', () => {
  it.each([1, 7, 100])('fits with 500 targets of %i hooks, whatever they said', (count) => {
    const status = statusOf(evidence(count));
    expect(sizeOf(status)).toBeGreaterThan(HOOK_BYTES_MAX);
    const fitted = fitEvidence(sampleSnapshot(), status);
    expect(sizeOf(fitted)).toBeLessThan(HOOK_BYTES_MAX);
    expect(fitted.hooks?.map(({ targets }) => targets.length)).toEqual(
      status.hooks?.map(({ targets }) => targets.length),
    );
    const about = { mode: 'Single', decidedAt: AT } as const;
    expect(judge({ ...about, status: fitted })).toEqual(judge({ ...about, status }));
  });

  it('stays as it is where it fits', () => {
    const status = statusOf(
      evidence(1).map((hook) => ({ ...hook, targets: hook.targets.slice(0, 9) })),
    );
    expect(fitEvidence(sampleSnapshot(), status)).toBe(status);
  });

  it('keeps what a thaw printed when it drops reasons, and marks what it cuts of it', () => {
    const label = firstFitted(LABEL);
    expect(label).toMatchObject({ thawOutput: LABEL });
    expect(label?.probes?.map(({ reason }) => reason)).toEqual([undefined, undefined]);
    expect(firstFitted('<'.repeat(400))?.thawOutput).toMatch(
      /^… 400 bytes in all, the end follows:\n<+$/,
    );
  });

  it('leaves out the least informative targets where not even the smallest of all fit', () => {
    const hooks = evidence(2);
    const large = sampleSnapshot(undefined, {
      executionHookInfos: [{ executionHookTemplateName: 'x'.repeat(900_000) }],
    });
    const fitted = fitEvidence(large, statusOf(hooks));
    const kept = fitted.hooks?.map(({ targets }) => targets.length) ?? [];
    expect(storedBytes({ ...large, status: fitted })).toBeLessThan(HOOK_BYTES_MAX);
    expect(kept[0]).toBe(kept[1]);
    expect(kept[0]).toBeGreaterThan(0);
    expect(kept[0]).toBeLessThan(250);
  });
});

it('refuses a snapshot whose own fields leave no space for its records, with both figures', () => {
  const planned = { volumes, executionHookNames: ['a'] };
  expect(whyTooLarge(sampleSnapshot(), planned)).toBeNull();
  const executionHookInfos = [{ executionHookTemplateName: 'x'.repeat(950_000) }];
  expect(whyTooLarge(sampleSnapshot(), { ...planned, executionHookInfos })).toMatch(
    /records of its 100 volumes and 1 hook need up to 1\d{6} bytes, and an ApplicationSnapshot may take 1048576: select fewer/,
  );
});
