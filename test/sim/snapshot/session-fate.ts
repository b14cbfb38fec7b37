/** Random failures of a session: it does not open, or its freeze fails. */
import type { Faults, PhasesOf } from '../faults.ts';
import type { Random } from '../random.ts';

const OPENING = ['no', 'denied', 'lost', 'never'] as const;
export type OpeningTrouble = (typeof OPENING)[number];

const OPENING_FAULTS: Readonly<Record<OpeningTrouble, string>> = {
  no: 'session refused',
  denied: 'session denied',
  lost: 'session lost',
  never: 'session never opens',
};

const FREEZING = ['fails', 'hangs'] as const;
export type FreezingTrouble = (typeof FREEZING)[number];

const FREEZING_FAULTS: Readonly<Record<FreezingTrouble, string>> = {
  fails: 'freeze in session fails',
  hangs: 'freeze in session hangs',
};

export interface SessionDice {
  readonly faults: Faults;
  readonly random: Random;
  /** Tag of the session's hook. */
  readonly tag: string;
  readonly phases: PhasesOf;
}

/** Returns null if the session opens. */
export function throwOpening({ faults, random, tag, phases }: SessionDice): OpeningTrouble | null {
  const thrown = random.chance(0.1) ? random.pick(OPENING) : null;
  const happens = (each: OpeningTrouble): boolean => {
    const kind = OPENING_FAULTS[each];
    const isDue = each === thrown || faults.isInFocus(kind, phases);
    return faults.of(kind, tag).decides(isDue, null, phases);
  };
  return OPENING.filter(happens)[0] ?? null;
}

/** Returns null if the freeze succeeds. */
export function throwFreezing({
  faults,
  random,
  tag,
  phases,
}: SessionDice): FreezingTrouble | null {
  const thrown = random.pick(['ok', 'ok', 'ok', 'ok', 'ok', ...FREEZING]);
  const happens = (each: FreezingTrouble): boolean => {
    const kind = FREEZING_FAULTS[each];
    const isDue = each === thrown || faults.isInFocus(kind, phases);
    return faults.of(kind, tag).decides(isDue, null, phases);
  };
  return FREEZING.filter(happens)[0] ?? null;
}
