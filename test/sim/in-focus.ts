/** Faults that a schedule chooses the moments of: they also strike while the world is in the phase of the focus. */
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface InFocus {
  readonly world: World;
  /** Of the trouble: the name of its faults. */
  readonly kind: string;
  readonly random: Random;
  readonly withinMs: number;
  /** Whether there is anything to strike; absent: there always is. */
  readonly isDue?: () => boolean;
  readonly strike: (random: Random) => void;
}

/** In a seed without a focus nothing is looked at. */
export function strikeInFocus(inFocus: InFocus): void {
  const { world, kind, random, withinMs, isDue = () => true, strike } = inFocus;
  const { faults } = world;
  if (!faults.hasFocus && !faults.isReplay) return;
  const dice = random.fork(`${kind} in focus`);
  const fault = faults.ofMoments(kind, 'in focus');
  faults.onLook(() => {
    if (world.elapsedMs > withinMs || !isDue() || !fault.decides(faults.isInFocus(kind), dice))
      return;
    const own = dice.split();
    // What has just happened is whole first.
    world.after(0, () => {
      strike(own);
    });
  });
}
