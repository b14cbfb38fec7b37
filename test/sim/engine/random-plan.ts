import { makePlan, type Plan, type PlannedStep, type Step } from '../../../src/engine/plan.ts';
import type { FailurePolicy } from '../../../src/model/hook.ts';
import type { Random } from '../random.ts';

/** A random plan that `makePlan` accepts. It is small, so that a seed takes about a millisecond. */
export function randomPlan(runId: string, random: Random, wallMs: number): Plan {
  const deadlineAtMs = random.chance(0.5) ? wallMs + random.pick([5, 20, 60, 600]) * 1_000 : null;
  const steps: Step[] = [];
  const mains = random.between(1, 4);
  for (let index = 0; index < mains; index += 1) {
    const name = `main-${index}`;
    steps.push({ kind: 'main', ...randomHook(name, random, deadlineAtMs !== null) });
    if (!random.chance(0.4)) continue;
    const undo = `undo-${index}`;
    const hook = randomHook(undo, random, deadlineAtMs !== null);
    steps.push({ kind: 'cleanup', ...hook, undoes: name });
  }
  if (random.chance(0.3)) {
    const hook = randomHook('always', random, deadlineAtMs !== null);
    steps.push({ kind: 'cleanup', ...hook });
  }
  return makePlan({ runId, title: `simulated ${runId}`, steps, deadlineAtMs });
}

function randomHook(name: string, random: Random, mayRetry: boolean): PlannedStep {
  const policies: [FailurePolicy, ...FailurePolicy[]] = ['Abort', 'Abort', 'Ignore'];
  if (mayRetry) policies.push('Retry');
  const dice = random.fork(`pauses ${name}`);
  const timeoutSeconds = random.chance(0.3) ? null : random.pick([1, 5, 30, 60]);
  const limit = random.pick([0, 0, 1, 3]);
  const backoffSeconds = random.pick([0, 1, 5, 60]) * dice.pick([1, 1, 5]);
  const maxBackoffSeconds = Math.min(300, Math.max(1, backoffSeconds) * dice.pick([1, 2, 3]));
  return {
    name,
    policy: {
      timeoutSeconds,
      retry: { limit, backoffSeconds, ...(dice.chance(0.3) ? { maxBackoffSeconds } : {}) },
      failurePolicy: random.pick(policies),
    },
    source: { kind: 'object', object: `simulated/${name}` },
  };
}
