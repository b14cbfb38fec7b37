/** The ways of making a container that are compared, and the proof that each did what it is timed for. */
import type { Hooks } from './container-hooks.ts';
import { hookCount, type ContainerWorld } from './container-world.ts';
import { interleave } from './measure.ts';

export interface Way {
  readonly name: string;
  readonly program: string;
  /** What is called; absent: a container is run. */
  readonly args?: readonly string[];
  /** In config.json before. */
  readonly hooks?: Hooks;
  /** How many hooks config.json has afterwards. */
  readonly hooksAfter?: number;
  /** Of the shim, taken in turn. */
  readonly configurations?: readonly string[];
}

export type Times = (name: string) => readonly number[];

export async function measureWays(
  world: ContainerWorld,
  ways: readonly Way[],
  rounds: number,
): Promise<Times> {
  const used: { way: Way; bundles: readonly string[] }[] = [];
  // One more for the round that only warms the caches, whose number is -1.
  for (const way of ways) used.push({ way, bundles: await world.bundles(rounds + 1, way.hooks) });
  const candidates = used.map(({ way, bundles }) => ({
    name: way.name,
    run: (round: number) => {
      const configuration = inTurn(way.configurations ?? [], round + 1);
      if (way.args !== undefined) world.call(way.program, way.args, configuration);
      else world.run(way.program, bundles[round + 1] ?? '', configuration);
    },
  }));
  const times = await interleave(candidates, rounds);
  for (const { way, bundles } of used) await verify(way, bundles);
  return (name) => times.get(name) ?? [];
}

function inTurn(list: readonly string[], turn: number): string | undefined {
  return list[turn % list.length];
}

async function verify({ name, hooksAfter = 0 }: Way, bundles: readonly string[]): Promise<void> {
  for (const bundle of bundles) {
    const found = await hookCount(bundle);
    if (found !== hooksAfter) {
      throw new Error(`"${name}" should leave ${hooksAfter} hooks in a bundle, but left ${found}.`);
    }
  }
}

/**
 * Builds the index of each configuration by a first container. The answer throws when one of them has
 * been built again since, so that what was measured is not what a warm index costs.
 */
export async function buildIndexes(
  world: ContainerWorld,
  program: string,
  configurations: readonly string[],
): Promise<() => Promise<void>> {
  const bundles = await world.bundles(configurations.length);
  for (const [at, bundle] of bundles.entries()) world.run(program, bundle, configurations[at]);
  const timesOf = (): Promise<number[]> =>
    Promise.all(configurations.map((configuration) => world.indexTimeMs(configuration)));
  const before = await timesOf();
  return async () => {
    const after = await timesOf();
    const rebuilt = configurations.filter((_, at) => after[at] !== before[at]);
    if (rebuilt.length > 0) throw new Error(`These had no warm index: ${rebuilt.join(', ')}.`);
  };
}
