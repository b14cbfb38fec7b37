/**
 * A server that is restored to an older state, as etcd from a backup. Every API server stops for that, for longer
 * than a term of the Lease lasts without one.
 */
import type { Resource } from '../../../src/kube/object.ts';
import { strikeInFocus } from '../in-focus.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { SimApi } from './sim-api.ts';
import type { Strikes } from './troubles.ts';

/** Milliseconds on the slowest clock that a process leads at most without a server. */
const LONGEST_TERM_MS = 12_000;
/** A Lease that was renewed just before names its holder for so long. */
const LEASE_MS = 15_000;
const LONGEST_MS = 45_000;
/** Maximum time between a backup and the stop of the server for its restore. */
const OLDEST_MS = 30_000;
/** If the focus is given: its phase begins before most of these restores. */
const OLDEST_IN_FOCUS_MS = 90_000;

export interface Restoring {
  readonly world: World;
  readonly api: SimApi;
  readonly random: Random;
  /** Kinds whose objects survive the restore, since nodes report them again. */
  readonly kept: readonly Resource[];
  /** Disconnects every process from the server, including streams through it. */
  readonly cutOff: (ms: number) => void;
  readonly isFaulty: () => boolean;
  /** Called if the faults end while the server is away: it returns with its state unchanged. */
  readonly onCalledOff?: () => void;
}

/** If the focus is given: most seeds reach their phase after this time. */
const EARLY_MS = 3_000;

/** A backup from before the phase of the focus, in which the server is lost. */
export function backUpEarly<T extends string>(
  strikes: Pick<Strikes<T | 'restores'>, 'world' | 'random' | 'troubles' | 'strike'>,
): void {
  const { world, random, troubles, strike } = strikes;
  const { faults } = world;
  const dice = random.fork('early backup');
  const isEarly = faults.isFocusGiven && troubles.has('restores');
  if (!faults.of('restores', 'early').decides(isEarly, dice)) return;
  world.after(dice.between(0, EARLY_MS), () => {
    strike('restores', dice);
  });
}

/** At most once in a seed. */
export function restoreServer(restoring: Restoring): void {
  const { world, api, random, kept, cutOff, isFaulty, onCalledOff } = restoring;
  if (api.isRestoring) return;
  api.isRestoring = true;
  const backup = api.backup();
  const awayMs = random.between(LONGEST_TERM_MS, random.pick([LEASE_MS, LONGEST_MS]));
  world.note('a user makes a backup of the server');
  let isAway = false;
  const removeState = (): void => {
    if (isAway || !isFaulty()) return;
    isAway = true;
    const before = world.faults.phases();
    world.note(`the server is away for ${awayMs} ms`);
    const restoreState = api.rules.add(() => ({ kind: 'losesRequest' }));
    cutOff(awayMs);
    world.after(awayMs, () => {
      restoreState();
      if (!isFaulty()) {
        onCalledOff?.();
        return;
      }
      world.note('the server is put back to its backup');
      world.faults.met('server put back', () => [
        ...new Set([...before, ...world.faults.phases()]),
      ]);
      api.restore(backup, kept);
    });
  };
  const oldestMs = world.faults.isFocusGiven ? OLDEST_IN_FOCUS_MS : OLDEST_MS;
  world.after(random.between(500, oldestMs), removeState);
  const withinMs = world.elapsedMs + oldestMs;
  strikeInFocus({
    world,
    kind: 'server put back',
    random: random.fork('away'),
    withinMs,
    strike: removeState,
  });
}
