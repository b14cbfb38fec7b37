/** What becomes of one command in a container. */
import type { Random } from '../random.ts';
import type { Verb } from './account.ts';
import { type HookPlan, SHORT_EXPIRY_SECONDS } from './scene.ts';

export interface ExecFate {
  readonly takesEffect: boolean;
  /** What its controller hears: the exit code (null: the real one), or else. */
  readonly answer:
    | { readonly kind: 'exits'; readonly code: number | null }
    /** The connection breaks: nobody knows how far it came. */
    | { readonly kind: 'lost' }
    /** It was certainly not started. */
    | { readonly kind: 'refused' }
    /** Nor may it be: its controller lacks the right. */
    | { readonly kind: 'denied' }
    /** Until the controller gives up. */
    | { readonly kind: 'never' };
}

export const usualFate: ExecFate = { takesEffect: true, answer: { kind: 'exits', code: null } };

/** Of thaws that don't succeed: they fail, or hang. */
export const stuckFates: readonly [ExecFate, ...ExecFate[]] = [
  { takesEffect: false, answer: { kind: 'exits', code: 4 } },
  { takesEffect: false, answer: { kind: 'never' } },
];

const NEVER: ExecFate = { takesEffect: false, answer: { kind: 'never' } };

const EACH = 0.06;
/** Of a probe of a hook that expires soon: that it never answers. Nothing else goes wrong there. */
const OF_SILENCE = 0.4;

/**
 * Some lies nobody can see through, and are not told: a freeze that exits with 0 and does nothing where
 * nothing asks whether it is in force, a thaw that does so, a counted lock that is taken with a failure.
 */
export function throwFate(random: Random, verb: Verb, plan: HookPlan): ExecFate {
  const { expirationSeconds = SHORT_EXPIRY_SECONDS + 1 } = plan.actions;
  if (expirationSeconds <= SHORT_EXPIRY_SECONDS) {
    return verb === 'probe' && random.chance(OF_SILENCE) ? NEVER : usualFate;
  }
  const fates: ExecFate[] = [
    { takesEffect: false, answer: { kind: 'refused' } },
    { takesEffect: false, answer: { kind: 'lost' } },
    { takesEffect: true, answer: { kind: 'lost' } },
    NEVER,
    { takesEffect: true, answer: { kind: 'never' } },
  ];
  if (verb !== 'probe') {
    fates.push({ takesEffect: false, answer: { kind: 'exits', code: 3 } });
    if (plan.lock !== 'counted') {
      fates.push({ takesEffect: true, answer: { kind: 'exits', code: 3 } });
    }
  }
  if (verb === 'freeze' && plan.probed) {
    fates.push({ takesEffect: false, answer: { kind: 'exits', code: 0 } });
  }
  fates.push({ takesEffect: false, answer: { kind: 'denied' } });
  return fates.find(() => random.chance(EACH)) ?? usualFate;
}
