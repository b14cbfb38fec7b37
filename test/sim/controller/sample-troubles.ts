/** Schedules troubles of the server for the sample controller, at times that the seed selects. */
import { configMaps } from '../../../src/kube/resources.ts';
import type { Random } from '../random.ts';
import { throwMore } from '../swarm.ts';
import { restoreServer, type Restoring } from './restores.ts';
import { widgets } from './sample-controller.ts';
import { type RuledKinds, SERVER_TROUBLES, strikeServer } from './server-troubles.ts';

const TROUBLES = [...SERVER_TROUBLES, 'restores'] as const;
const KINDS: RuledKinds = { own: [widgets], created: [configMaps], watched: [widgets, configMaps] };

export type SampleTroubles = Omit<Restoring, 'kept'> & { readonly withinMs: number };

/** Uses its own random numbers, so that other faults of a seed stay the same. */
export function scheduleServerTroubles(options: SampleTroubles): void {
  const { world, random, withinMs } = options;
  for (const trouble of throwMore(TROUBLES, { faults: world.faults, random })) {
    const dice = random.fork(trouble);
    for (let left = dice.between(1, 3); left > 0; left -= 1) {
      world.after(dice.between(0, withinMs), () => {
        if (world.faults.strikes(trouble, dice)) strike(trouble, options, dice);
      });
    }
  }
}

function strike(trouble: (typeof TROUBLES)[number], options: SampleTroubles, random: Random): void {
  if (trouble === 'restores') restoreServer({ ...options, random, kept: [] });
  else strikeServer(trouble, { ...options, random, kinds: KINDS });
}
