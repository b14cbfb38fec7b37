/**
 * Restores the server to an older state, like etcd from a backup. All API servers are stopped for that, for longer
 * than a leader may lead without them.
 */
import type { Resource } from '../../../src/kube/object.ts';
import { strikeInFocus } from '../in-focus.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { SimApi } from './sim-api.ts';
import type { Strikes } from './troubles.ts';

/** Maximum time that a process leads without a server, in milliseconds on the slowest clock. */
const LONGEST_TERM_MS = 12_000;
/** Duration of a Lease after its renewal, in milliseconds. */
const LEASE_MS = 15_000;
const LONGEST_MS = 45_000;
/** Maximum time between a backup and the stop of the server for its restore, in milliseconds. */
const OLDEST_MS = 30_000;
/**
 * Maximum time between a backup and the stop of the server, for a seed with a focus phase: in most of these seeds, the
 * phase begins in this time.
 */
const OLDEST_IN_FOCUS_MS = 90_000;

export interface Restoring {
  readonly world: World;
  readonly api: SimApi;
  readonly random: Random;
  /** Kinds whose objects survive the restore, because nodes report them again. */
  readonly kept: readonly Resource[];
  /** Disconnects every process, with all its streams, from the server for `ms` milliseconds. */
  readonly cutOff: (ms: number) => void;
  readonly isFaulty: () => boolean;
  /** Called if the faults end while the server is away. The server then returns with its state unchanged. */
  readonly onCalledOff?: () => void;
}

/** Milliseconds. If the focus is given, most seeds reach its phase after this time. */
const EARLY_MS = 3_000;

/** Makes a backup before the phase of the focus, so that a restore can remove the progress of that phase. */
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

/** Makes a backup, and later restores it. Does nothing if the seed has a backup already. */
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
