import { describe, expect, it } from 'vitest';

import { storedBytes } from '../../../kube/stored-size.ts';
import type {
  ActionStatus,
  ContainerStatus,
  ExecutionHookStatus,
  ResolvedActions,
} from '../kinds.ts';
import { HOOK_BYTES_MAX } from '../schema/limits.ts';
import { neededBytes, whyTooLarge } from '../schema/status-budget.ts';
import { fitStatus } from './fit-status.ts';
import { smallestStatus } from './smallest-form.ts';

const AT = '2026-01-01T00:00:00.000000Z';
const HOSTILE = '<xml>&\u2028'.repeat(150);

const action = (): ActionStatus => ({
  actionTimestamp: AT,
  actionSucceed: false,
  error: { time: AT, message: HOSTILE },
  attempts: Array.from({ length: 5 }, () => ({
    startedAt: AT,
    endedAt: AT,
    outcome: 'TimedOut',
    exitCode: 255,
    reason: HOSTILE,
    output: HOSTILE,
  })),
  earlierAttempts: 1_000,
  slowAttempts: 900,
});

const target = (index: number): ContainerStatus => ({
  podName: `database-of-the-shop-${index}`,
  containerName: 'database',
  podUID: '7f9f4c7e-6f6c-4c43-8d5e-5f5f5f5f5f5f',
  containerID: `containerd://${'f'.repeat(64)}`,
  restartCount: 3,
  nodeName: 'node-1.example.com',
});

const full = (index: number): ContainerStatus => ({
  ...target(index),
  preActionStatus: action(),
  postActionStatus: action(),
  probes: Array.from({ length: 9 }, (_, at) => ({
    when: at === 0 ? 'AfterFreeze' : 'AfterCut',
    at: AT,
    outcome: 'NotFrozen',
    reason: HOSTILE,
  })),
  freezeLost: { at: AT, reason: HOSTILE },
  freezeDoubted: { at: AT, reason: HOSTILE },
  thawedBy: 'released',
  holder: { timing: 'sleep', windowSeconds: 300 },
});

const resolved: ResolvedActions = {
  policy: 'ExecuteAll',
  preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 },
  origin: 'the hook itself',
};
const hook = { metadata: { name: 'h', annotations: { note: HOSTILE } }, spec: {} };

const fitted = (targets: ContainerStatus[]): ExecutionHookStatus =>
  fitStatus(
    { resolved, containerExecutionHookStatuses: targets },
    { hook, before: targets.map((_, index) => target(index)) },
  );
const many = Array.from({ length: 500 }, (_, index) => full(index));

describe('a status that outgrows its budget', () => {
  it('fits with 500 targets, whatever is recorded of each', () => {
    expect(neededBytes({ hook, resolved, targets: many })).toBeLessThan(HOOK_BYTES_MAX);
    const status = fitted(many);
    expect(storedBytes({ ...hook, status })).toBeLessThan(HOOK_BYTES_MAX);
    const [first] = status.containerExecutionHookStatuses ?? [];
    expect(first).toMatchObject({
      thawedBy: 'released',
      preActionStatus: { actionSucceed: false },
    });
    expect(first?.postActionStatus).toMatchObject({ earlierAttempts: 1_004, slowAttempts: 900 });
    expect(first?.probes?.map(({ when }) => when)).toEqual(['AfterFreeze', 'AfterCut']);
  });

  it('keeps everything of a few targets, and cuts outputs before it drops reasons', () => {
    const few = many.slice(0, 3);
    expect(fitted(few).containerExecutionHookStatuses).toEqual(few);
    const output = HOSTILE;
    const attempt = {
      startedAt: AT,
      endedAt: AT,
      outcome: 'Succeeded',
      reason: 'ok',
      output,
    } as const;
    const calm = many.map((_, index) => ({
      ...target(index),
      preActionStatus: { attempts: [attempt] },
    }));
    const [first] = fitted(calm).containerExecutionHookStatuses ?? [];
    const [kept] = first?.preActionStatus?.attempts ?? [];
    const marker = `… ${new TextEncoder().encode(output).length} bytes in all, the end follows:\n`;
    const text = kept?.output ?? '';
    expect([kept?.reason, text.startsWith(marker)]).toEqual(['ok', true]);
    expect(output.endsWith(text.slice(marker.length))).toBe(true);
    expect(text.length).toBeGreaterThan(marker.length);
  });

  it('has a smallest form that is the same the second time', () => {
    const smallest = smallestStatus({ containerExecutionHookStatuses: many.slice(0, 2) });
    expect(smallestStatus(smallest)).toEqual(smallest);
  });
});

it('refuses a hook whose records could outgrow the server, with both figures', () => {
  const long = Array.from({ length: 500 }, (_, index) => ({
    ...target(index),
    podName: `p${'o'.repeat(240)}${index}`,
    nodeName: 'n'.repeat(250),
  }));
  expect(whyTooLarge({ hook, resolved, targets: many })).toBeNull();
  expect(whyTooLarge({ hook, resolved, targets: long })).toMatch(
    /records of its 500 containers need up to 1\d{6} bytes, and an ExecutionHook may take 1048576: select fewer/,
  );
});
