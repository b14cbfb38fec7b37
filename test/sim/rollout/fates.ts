import type { Random } from '../random.ts';
import type { HookIdentity } from './account.ts';

/** What becomes of one hook pod. */
export type Fate =
  | {
      readonly kind: 'ends';
      readonly afterMs: number;
      readonly exitCode: number;
      readonly isDeaf: boolean;
    }
  /** Until somebody ends it. `exitCode`: what it says when it is asked to. */
  | { readonly kind: 'hangs'; readonly exitCode: number; readonly isDeaf: boolean }
  | { readonly kind: 'noNode' }
  | { readonly kind: 'noImage' };

/** The same pod has the same fate, whoever makes it. */
export function fateOf(random: Random, hook: HookIdentity, areFaulty: boolean): Fate {
  const { number, stage, attempt } = hook;
  const dice = random.fork(`${number}-${stage}-${attempt}`);
  const afterMs = dice.between(100, 9_000);
  const isDeaf = dice.chance(0.3);
  const ends: Fate = { kind: 'ends', afterMs, exitCode: 0, isDeaf };
  if (!areFaulty) return dice.chance(0.1) ? { ...ends, exitCode: 1 } : ends;
  return dice.pick<Fate>([
    ends,
    ends,
    ends,
    { ...ends, exitCode: 1 },
    { ...ends, exitCode: 1 },
    { kind: 'hangs', exitCode: dice.pick([0, 143]), isDeaf },
    { kind: 'noNode' },
    { kind: 'noImage' },
  ]);
}
