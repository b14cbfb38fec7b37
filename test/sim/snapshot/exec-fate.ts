/** Decides the result of one command in a container. */
import type { Faults, PhasesOf } from '../faults.ts';
import type { Random } from '../random.ts';
import type { Verb } from './account.ts';
import type { HookPlan } from './hook-plans.ts';
import { SHORT_EXPIRY_SECONDS } from './scene.ts';

export interface ExecFate {
  /** Name of the fault in the register of faults. */
  readonly fault: string;
  readonly takesEffect: boolean;
  /** The answer that the controller gets. `code` null stands for the real exit code. */
  readonly answer:
    | { readonly kind: 'exits'; readonly code: number | null }
    /** The connection breaks, so the result is unknown. */
    | { readonly kind: 'lost' }
    /** The command was certainly not started. */
    | { readonly kind: 'refused' }
    /** The command cannot be started, because the controller lacks the permission. */
    | { readonly kind: 'denied' }
    /** There is no answer until the controller gives up. */
    | { readonly kind: 'never' };
}

export const usualFate: ExecFate = {
  fault: '',
  takesEffect: true,
  answer: { kind: 'exits', code: null },
};

/** Results of thaws that do not succeed. */
export const stuckFates: readonly [ExecFate, ...ExecFate[]] = [
  { fault: 'command fails', takesEffect: false, answer: { kind: 'exits', code: 4 } },
  { fault: 'command hangs', takesEffect: false, answer: { kind: 'never' } },
];

const NEVER: ExecFate = { fault: 'command hangs', takesEffect: false, answer: { kind: 'never' } };

const EACH = 0.06;
/** Probability that a probe of a hook with a short expiry gets no answer. Such a hook has no other fault. */
const OF_SILENCE = 0.4;

interface FateDice {
  readonly faults: Faults;
  readonly random: Random;
  readonly verb: Verb;
  readonly plan: HookPlan;
  /** Current phases of the hook. */
  readonly phases: PhasesOf;
}

/**
 * A random result. It omits false results that no controller can detect. First: without a probe, a freeze or thaw that
 * exits with 0 but does nothing. Second: a counted lock that is acquired although the command fails.
 */
export function throwFate({ faults, random, verb, plan, phases }: FateDice): ExecFate {
  const site = `${verb} ${plan.tag}`;
  const happens = (fault: string, probability: number): boolean =>
    faults.of(fault, site).chance(random, probability, phases);
  const { expirationSeconds = SHORT_EXPIRY_SECONDS + 1 } = plan.actions;
  if (expirationSeconds <= SHORT_EXPIRY_SECONDS) {
    const isSilent = verb === 'probe' && happens(NEVER.fault, OF_SILENCE);
    return isSilent ? NEVER : usualFate;
  }
  const fates: ExecFate[] = [
    { fault: 'exec refused', takesEffect: false, answer: { kind: 'refused' } },
    { fault: 'exec lost before', takesEffect: false, answer: { kind: 'lost' } },
    { fault: 'exec lost after', takesEffect: true, answer: { kind: 'lost' } },
    NEVER,
    { fault: 'exec never answers', takesEffect: true, answer: { kind: 'never' } },
  ];
  if (verb !== 'probe') {
    const answer = { kind: 'exits', code: 3 } as const;
    fates.push({ fault: 'command fails', takesEffect: false, answer });
    if (plan.lock !== 'counted') {
      fates.push({ fault: 'command fails with effect', takesEffect: true, answer });
    }
  }
  if (verb === 'freeze' && plan.probed) {
    const answer = { kind: 'exits', code: 0 } as const;
    fates.push({ fault: 'freeze without effect', takesEffect: false, answer });
  }
  fates.push({ fault: 'exec denied', takesEffect: false, answer: { kind: 'denied' } });
  // The first fate of a list happens most often, so each command gets another order.
  const first = random.fork(site).between(0, fates.length - 1);
  const inTurn = [...fates.slice(first), ...fates.slice(0, first)];
  return inTurn.find(({ fault }) => happens(fault, EACH)) ?? usualFate;
}
