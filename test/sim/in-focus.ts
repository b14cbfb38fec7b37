/** Lets scheduled faults also happen while the world is in the phase of the focus. */
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface InFocus {
  readonly world: World;
  /** Kind of trouble, which is also the name of its faults. */
  readonly kind: string;
  readonly random: Random;
  readonly withinMs: number;
  /** True if the fault could have an effect now; absent: always. */
  readonly isDue?: () => boolean;
  readonly strike: (random: Random) => void;
}

/** Does nothing in a seed without a focus. */
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
    // Defers the fault until the current event is complete.
    world.after(0, () => {
      strike(own);
    });
  });
}
