/**
 * What the shim adds to a runtime call and to a hook, beside bare runc in the same run. Each round
 * makes one container each way; a figure is the median of the rounds' differences, so that a slow
 * moment of the machine hits both sides of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { bareHooks, hookFilesFor, HOOKS, manyHookFiles, nearMiss } from './container-hooks.ts';
import { copyShims } from './container-shims.ts';
import { addedBy, buildIndexes, measureWays, type Way } from './container-ways.ts';
import { openContainerWorld, type ContainerWorld } from './container-world.ts';
import { median, type BenchResult } from './measure.ts';

/** A call of runc takes 20 ms, give or take 5: to see a few more takes many rounds. */
const CALL_ROUNDS = 200;
/** Nine hooks make nine times the difference. */
const HOOK_ROUNDS = 60;
/** What is a multiple of runc's own time. */
const SLOW_ROUNDS = 20;

/** An index is fresh only when the files are older than the coarsest clock of a file system. */
const SETTLE_MS = 2200;

export async function container(): Promise<readonly BenchResult[]> {
  await using world = await openContainerWorld();
  const { native, node } = await copyShims(world);
  const matching = await world.hookFolder('matching', hookFilesFor('/bin/true'));
  const other = await world.hookFolder('other', hookFilesFor('/usr/sbin/nginx'));
  const near = await world.hookFolder('near', [nearMiss]);
  const many = await world.hookFolder('many', manyHookFiles);
  const configurations = {
    idle: await world.configuration('idle', { hooks: other }),
    near: await world.configuration('near', { hooks: near }),
    many: await world.configuration('many', { hooks: many }),
    wrapped: await world.configuration('wrapped', { hooks: matching }),
    spliced: await world.configuration('spliced', { hooks: matching, wrap: false }),
  };
  await sleep(SETTLE_MS);
  const verifyWarm = await buildIndexes(world, native, Object.values(configurations));
  const results = [
    ...(await idleCalls(world, native, configurations)),
    ...(await hooks(world, native, configurations)),
    await passThrough(world, native, configurations.idle),
    await builtForNode(world, node, configurations.idle),
  ];
  await verifyWarm();
  return [...results, await coldIndex(world, native, many)];
}

type Configurations = Readonly<Record<'idle' | 'near' | 'many' | 'wrapped' | 'spliced', string>>;

const runc: Way = { name: 'runc run', program: 'runc' };

async function idleCalls(
  world: ContainerWorld,
  program: string,
  { idle, near, many }: Configurations,
): Promise<BenchResult[]> {
  const ways: Way[] = [
    runc,
    { name: 'idle', program, configurations: [idle] },
    { name: 'near', program, configurations: [near] },
    { name: 'many', program, configurations: [many] },
  ];
  const times = await measureWays(world, ways, CALL_ROUNDS);
  const bare = times(runc.name);
  return [
    {
      name: 'runc-run',
      value: median(bare),
      unit: 'ms',
      goal: null,
      against: 'nothing',
      samples: bare.length,
    },
    { name: 'shim-idle', goal: 3, ...addedBy('idle', runc.name, times) },
    // One file of which only the pattern engine can tell that it does not apply.
    { name: 'shim-near-miss', goal: null, ...addedBy('near', runc.name, times) },
    { name: 'shim-1000-files-warm', goal: 3, ...addedBy('many', runc.name, times) },
  ];
}

async function hooks(
  world: ContainerWorld,
  program: string,
  { wrapped, spliced }: Configurations,
): Promise<BenchResult[]> {
  const hooked: Way = {
    name: `runc run with ${HOOKS} hooks`,
    program: 'runc',
    hooks: bareHooks,
    hooksAfter: HOOKS,
  };
  const ways: Way[] = [
    runc,
    hooked,
    { name: 'wrapped', program, configurations: [wrapped], hooksAfter: HOOKS },
    { name: 'spliced', program, configurations: [spliced], hooksAfter: HOOKS },
  ];
  const times = await measureWays(world, ways, HOOK_ROUNDS);
  const perHook = (name: string, against: string): Omit<BenchResult, 'name' | 'goal'> => {
    const added = addedBy(name, against, times);
    return { ...added, value: added.value / HOOKS };
  };
  return [
    { name: 'runc-hook', goal: null, ...perHook(hooked.name, runc.name) },
    { name: 'shim-wrapped-hook', goal: 1.5, ...perHook('wrapped', hooked.name) },
    { name: 'shim-spliced-hooks', goal: null, ...addedBy('spliced', hooked.name, times) },
  ];
}

async function passThrough(
  world: ContainerWorld,
  program: string,
  configuration: string,
): Promise<BenchResult> {
  const args = ['--version'];
  const bare: Way = { name: 'runc --version', program: 'runc', args };
  const ways: Way[] = [bare, { name: 'ours', program, args, configurations: [configuration] }];
  const times = await measureWays(world, ways, CALL_ROUNDS);
  return { name: 'shim-pass-through', goal: null, ...addedBy('ours', bare.name, times) };
}

async function builtForNode(
  world: ContainerWorld,
  program: string,
  configuration: string,
): Promise<BenchResult> {
  const ways: Way[] = [runc, { name: 'node', program, configurations: [configuration] }];
  const times = await measureWays(world, ways, SLOW_ROUNDS);
  return { name: 'shim-built-for-node', goal: null, ...addedBy('node', runc.name, times) };
}

/** Each round has a configuration of its own, and so an index that is not there yet. */
async function coldIndex(
  world: ContainerWorld,
  program: string,
  folder: string,
): Promise<BenchResult> {
  const configurations: string[] = [];
  while (configurations.length <= SLOW_ROUNDS) {
    const name = `cold-${configurations.length}`;
    configurations.push(await world.configuration(name, { hooks: folder }));
  }
  const ways: Way[] = [runc, { name: 'cold', program, configurations }];
  const times = await measureWays(world, ways, SLOW_ROUNDS);
  return { name: 'shim-1000-files-cold', goal: 1000, ...addedBy('cold', runc.name, times) };
}
