/** The ways of creating a container. Each way is verified: it must have added its hooks to config.json. */
import { hookCount, type ContainerWorld } from './container-world.ts';
import type { Hooks } from './container-hooks.ts';
import { interleave, median, type BenchResult } from './measure.ts';

export interface Way {
  readonly name: string;
  readonly program: string;
  /** Arguments of a call that runs no container, such as `--version`; absent: the way runs a container. */
  readonly args?: readonly string[];
  /** Options of `program`, placed before the arguments that `ContainerWorld.run` adds. */
  readonly options?: readonly string[];
  /** Hooks that config.json has before the run. */
  readonly hooks?: Hooks;
  /** Number of hooks in config.json after the run; absent: none. */
  readonly hooksAfter?: number;
  /** Configurations of the shim; each round uses the next one. */
  readonly configurations?: readonly string[];
}

/** Milliseconds of each round, by name of the way. */
export type Times = (name: string) => readonly number[];

export async function measureWays(
  world: ContainerWorld,
  ways: readonly Way[],
  rounds: number,
): Promise<Times> {
  const used: { way: Way; bundles: readonly string[] }[] = [];
  // One bundle per round, and one for the warm-up.
  for (const way of ways) used.push({ way, bundles: await world.bundles(rounds + 1, way.hooks) });
  const candidates = used.map(({ way, bundles }) => ({
    name: way.name,
    run: (round: number) => {
      runOnce(world, way, { turn: round + 1, bundles });
    },
  }));
  const times = await interleave(candidates, rounds);
  for (const { way, bundles } of used) await verify(way, bundles);
  return (name) => times.get(name) ?? [];
}

function runOnce(
  world: ContainerWorld,
  { program, args, options, configurations = [] }: Way,
  { turn, bundles }: { turn: number; bundles: readonly string[] },
): void {
  const configuration = configurations[turn % configurations.length];
  if (args !== undefined) world.call(program, args, configuration);
  else world.run(program, bundles[turn] ?? '', { configuration, options });
}

async function verify({ name, hooksAfter = 0 }: Way, bundles: readonly string[]): Promise<void> {
  for (const bundle of bundles) {
    const found = await hookCount(bundle);
    if (found !== hooksAfter) {
      throw new Error(
        `"${name}" should leave ${hooksAfter} entries in a bundle's hooks, but left ${found}.`,
      );
    }
  }
}

/** Milliseconds that one way takes longer than another: the median of the differences of all rounds. */
export function addedBy(
  name: string,
  against: string,
  times: Times,
): Pick<BenchResult, 'value' | 'unit' | 'against' | 'samples'> {
  const base = times(against);
  const differences = times(name).map((time, round) => time - (base[round] ?? Number.NaN));
  return {
    value: median(differences),
    unit: 'ms',
    against: `${against} (${median(base).toFixed(1)} ms)`,
    samples: differences.length,
  };
}

/**
 * Builds the index of each configuration with a first container. The returned function throws if an index was rebuilt
 * since then, because then the measured index was not warm.
 */
export async function buildIndexes(
  world: ContainerWorld,
  program: string,
  configurations: readonly string[],
): Promise<() => Promise<void>> {
  const bundles = await world.bundles(configurations.length);
  for (const [at, bundle] of bundles.entries())
    world.run(program, bundle, { configuration: configurations[at] });
  const timesOf = (): Promise<number[]> =>
    Promise.all(configurations.map((configuration) => world.indexTimeMs(configuration)));
  const before = await timesOf();
  return async () => {
    const after = await timesOf();
    const rebuilt = configurations.filter((_, at) => after[at] !== before[at]);
    if (rebuilt.length > 0) throw new Error(`Built again meanwhile: ${rebuilt.join(', ')}.`);
  };
}
