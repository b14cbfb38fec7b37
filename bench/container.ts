/**
 * What the shim adds to a runtime call and to a hook, beside bare runc in the same run. Each round
 * makes one container each way; a figure is the median of the rounds' differences, so that a slow
 * moment of the machine hits both sides of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { bareHooks, hookFilesFor, HOOKS, manyHookFiles, nearMiss } from './container-hooks.ts';
import { copyShims, type Shims } from './container-shims.ts';
import { buildIndexes, measureWays, type Times, type Way } from './container-ways.ts';
import { openContainerWorld, type ContainerWorld } from './container-world.ts';
import { median, type BenchResult } from './measure.ts';

const ROUNDS = 60;
const COLD_ROUNDS = 20;

/** An index is fresh only when the files are older than the coarsest clock of a file system. */
const SETTLE_MS = 2200;

export async function container(): Promise<readonly BenchResult[]> {
  await using world = await openContainerWorld();
  const shims = await copyShims(world);
  const matching = await world.hookFolder('matching', hookFilesFor('/bin/true'));
  const other = await world.hookFolder('other', hookFilesFor('/usr/sbin/nginx'));
  const near = await world.hookFolder('near-miss', [nearMiss]);
  const many = await world.hookFolder('many', manyHookFiles);
  const configurations = {
    idle: await world.configuration('idle', { hooks: other }),
    wrapped: await world.configuration('wrapped', { hooks: matching }),
    spliced: await world.configuration('spliced', { hooks: matching, wrap: false }),
    near: await world.configuration('near-miss', { hooks: near }),
    many: await world.configuration('many', { hooks: many }),
  };
  await sleep(SETTLE_MS);
  const cold = await measureCold(world, shims, many);
  const verifyWarm = await buildIndexes(world, shims.native, Object.values(configurations));
  const times = await measureWays(world, waysOf(shims, configurations), ROUNDS);
  await verifyWarm();
  return [...resultsOf(times), cold];
}

function waysOf(
  { native, node }: Shims,
  configurations: Readonly<Record<'idle' | 'wrapped' | 'spliced' | 'near' | 'many', string>>,
): Way[] {
  const { idle, wrapped, spliced, near, many } = configurations;
  return [
    { name: 'runc', program: 'runc' },
    { name: 'runc-hooks', program: 'runc', hooks: bareHooks, hooksAfter: HOOKS },
    { name: 'idle', program: native, configurations: [idle] },
    { name: 'wrapped', program: native, configurations: [wrapped], hooksAfter: HOOKS },
    { name: 'spliced', program: native, configurations: [spliced], hooksAfter: HOOKS },
    { name: 'near', program: native, configurations: [near] },
    { name: 'many', program: native, configurations: [many] },
    { name: 'node', program: node, configurations: [idle] },
    { name: 'runc-version', program: 'runc', args: ['--version'] },
    { name: 'version', program: native, args: ['--version'], configurations: [idle] },
  ];
}

/** A configuration for each round, and so an index that is not there yet. */
async function measureCold(
  world: ContainerWorld,
  { native }: Shims,
  hooks: string,
): Promise<BenchResult> {
  const configurations: string[] = [];
  while (configurations.length <= COLD_ROUNDS) {
    configurations.push(await world.configuration(`cold-${configurations.length}`, { hooks }));
  }
  const ways: Way[] = [
    { name: 'runc', program: 'runc' },
    { name: 'cold', program: native, configurations },
  ];
  const times = await measureWays(world, ways, COLD_ROUNDS);
  return {
    name: 'shim-1000-files-cold',
    value: added(times, 'cold', 'runc'),
    unit: 'ms',
    goal: 1000,
    ...beside(times, 'runc'),
  };
}

function resultsOf(times: Times): BenchResult[] {
  const ms = { unit: 'ms', goal: null };
  const run = beside(times, 'runc');
  const hooked = beside(times, 'runc-hooks');
  const perHook = (name: string, against: string): number => added(times, name, against) / HOOKS;
  return [
    { ...ms, ...run, name: 'runc-run', value: median(times('runc')), against: 'nothing' },
    { ...ms, ...run, name: 'runc-hook', value: perHook('runc-hooks', 'runc') },
    { ...ms, ...run, name: 'shim-idle', value: added(times, 'idle', 'runc'), goal: 3 },
    {
      ...ms,
      ...hooked,
      name: 'shim-wrapped-hook',
      value: perHook('wrapped', 'runc-hooks'),
      goal: 1.5,
    },
    { ...ms, ...hooked, name: 'shim-spliced-hooks', value: added(times, 'spliced', 'runc-hooks') },
    { ...ms, ...run, name: 'shim-near-miss', value: added(times, 'near', 'runc') },
    { ...ms, ...run, name: 'shim-1000-files-warm', value: added(times, 'many', 'runc'), goal: 3 },
    { ...ms, ...run, name: 'shim-built-for-node', value: added(times, 'node', 'runc') },
    {
      ...ms,
      ...beside(times, 'runc-version'),
      name: 'shim-pass-through',
      value: added(times, 'version', 'runc-version'),
    },
  ];
}

/** Milliseconds, the median of the differences within a round. */
function added(times: Times, name: string, against: string): number {
  const base = times(against);
  return median(times(name).map((time, round) => time - (base[round] ?? Number.NaN)));
}

const told: Readonly<Record<string, string>> = {
  runc: 'runc run',
  'runc-hooks': `runc run with ${HOOKS} hooks`,
  'runc-version': 'runc --version',
};

function beside(times: Times, name: string): Pick<BenchResult, 'against' | 'samples'> {
  const base = times(name);
  return {
    against: `${told[name] ?? name} (${median(base).toFixed(1)} ms)`,
    samples: base.length,
  };
}
