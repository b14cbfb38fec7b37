/** Several hooks ask their probes between the cut and the first thaw (SNAP-CASE14, SNAP-I2). */
import { expect, it } from 'vitest';

import {
  ago,
  cutMarkAgo,
  frozen,
  sampleFacts,
  sampleHook,
  sampleTarget,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ContainerStatus, ExecutionHook, ExecutionHookStatus, ProbeStatus } from '../kinds.ts';
import { CUT_SEEN } from '../names.ts';
import { askStep } from './decide.ts';

const answer = (when: ProbeStatus['when']): Partial<ContainerStatus> => ({
  probes: [{ when, at: ago(0.1), outcome: 'Frozen' }],
});

function probed(
  targets: readonly Partial<ContainerStatus>[],
  more: ExecutionHookStatus = {},
  askedAgo: number | null = 1,
): ExecutionHook {
  return sampleHook({
    ...(askedAgo === null ? {} : { annotations: { [CUT_SEEN]: cutMarkAgo(askedAgo) } }),
    status: frozen({
      resolved: {
        policy: 'ExecuteAll',
        preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 },
        probe: { command: ['probe'], timeoutSeconds: 5 },
        expirationSeconds: 13,
        origin: 'template db',
      },
      containerExecutionHookStatuses: targets.map((target) => sampleTarget(target)),
      ...more,
    }),
  });
}

const never = (hook: ExecutionHook): ExecutionHook => {
  const { expirationSeconds: _, ...resolved } = hook.status?.resolved ?? {};
  return { ...hook, status: { ...hook.status, resolved } } as ExecutionHook;
};
const msOf = (...hooks: (ExecutionHook | null)[]): unknown => {
  const step = askStep({ ...sampleFacts(), hooks: hooks.map((hook) => ({ name: 'hook', hook })) });
  return step?.kind === 'waitFor' ? step.ms : (step?.kind ?? null);
};
const other = sampleHook({ name: 'other' });

it('waits six seconds from the moment of the question', () => {
  expect(msOf(never(probed([{}], {}, 0)), other)).toBe(6_000);
  expect(msOf(never(probed([{}], {}, 6)), other)).toBeNull();
});

it('waits until every target has answered', () => {
  expect(msOf(never(probed([answer('AfterCut'), {}])), other)).toBe(5_000);
  expect(msOf(never(probed([answer('AfterCut'), answer('AfterCut')])), other)).toBeNull();
});

it('counts no answer from before the cut', () => {
  expect(msOf(never(probed([answer('AfterFreeze')])), other)).toBe(5_000);
});

it('waits for no hook that is deleted', () => {
  expect(msOf(never(probed([{}])), null)).toBe(5_000);
});

it('waits until one second before the first hook expires (SNAP-R22)', () => {
  expect(msOf(probed([{}]), other)).toBe(2_000);
});

it('does not hurry for a hook that is released already', () => {
  const released = probed([answer('AfterCut')], { release: { cause: 'Cut', at: ago(0.1) } });
  expect(msOf(never(probed([{}])), released)).toBe(5_000);
});

it('does not hurry for a hook that has frozen nothing', () => {
  const idle = probed([], {});
  expect(msOf(never(probed([{}])), idle)).toBe(5_000);
});
