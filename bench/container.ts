/**
 * The time that the shim adds to a runtime call and to a hook, compared with bare runc in the same run. Each round
 * creates one container in each way. A result is the median of the rounds' differences, so a slow moment of the machine
 * affects both sides.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  bareHooks,
  filesOfOneKey,
  hookFilesFor,
  manyHookFiles,
  nearMiss,
  STAGES,
} from './container-hooks.ts';
import { copyShims } from './container-shims.ts';
import { addedBy, buildIndexes, measureWays, type Times, type Way } from './container-ways.ts';
import { openContainerWorld, type ContainerWorld } from './container-world.ts';
import { median, type BenchResult } from './measure.ts';

/** Many rounds: a call of runc takes 20 ms, give or take 5, and the difference is only a few milliseconds. */
const CALL_ROUNDS = 200;
/** Fewer rounds, because several hooks make the difference several times as large. */
const HOOK_ROUNDS = 60;
/** Number of hooks in each of the three stages. */
const HOOKS_PER_STAGE = 3;
/** Few rounds, for ways that take a multiple of runc's own time. */
const SLOW_ROUNDS = 20;

/** Goals in milliseconds for the time added to a runtime call and to a wrapped hook. */
const CALL_GOAL_MS = 3;
const KEY_GOAL_MS = 5;
const HOOK_GOAL_MS = 1.5;

/** Wait before an index is built: it stays valid only if its hook files are older than a unit of file timestamps. */
const SETTLE_MS = 2200;

export async function container(): Promise<readonly BenchResult[]> {
  await using world = await openContainerWorld();
  const { native, node } = await copyShims(world);
  const matching = await world.hookFolder('matching', hookFilesFor('/bin/true', HOOKS_PER_STAGE));
  const alone = await world.hookFolder('alone', hookFilesFor('/bin/true', 1));
  const other = await world.hookFolder('other', hookFilesFor('/usr/sbin/nginx', HOOKS_PER_STAGE));
  const near = await world.hookFolder('near', [nearMiss]);
  const many = await world.hookFolder('many', manyHookFiles);
  const oneKey = await world.hookFolder('one-key', filesOfOneKey(''));
  const patterns = await world.hookFolder('patterns', filesOfOneKey('(-[a-z0-9]+)*'));
  const configurations = {
    idle: await world.configuration('idle', { hooks: other }),
    near: await world.configuration('near', { hooks: near }),
    many: await world.configuration('many', { hooks: many }),
    oneKey: await world.configuration('one-key', { hooks: oneKey }),
    patterns: await world.configuration('patterns', { hooks: patterns }),
    wrapped: await world.configuration('wrapped', { hooks: matching }),
    alone: await world.configuration('alone', { hooks: alone }),
    spliced: await world.configuration('spliced', { hooks: matching, wrap: false }),
    onDisk: await world.configuration('on-disk', { hooks: matching, spool: 'disk' }),
  };
  await sleep(SETTLE_MS);
  const verifyWarm = await buildIndexes(world, native, Object.values(configurations));
  const results = [
    ...(await idleCalls(world, native, configurations)),
    ...(await hooksTogether(world, native, configurations)),
    await hookAlone(world, native, configurations.alone),
    await passThrough(world, native, configurations.idle),
    await builtForNode(world, node, configurations.idle),
  ];
  await verifyWarm();
  return [...results, await coldIndex(world, native, many)];
}

type Configurations = Readonly<
  Record<
    'idle' | 'near' | 'many' | 'oneKey' | 'patterns' | 'wrapped' | 'alone' | 'spliced' | 'onDisk',
    string
  >
>;

const runc: Way = { name: 'runc run', program: 'runc' };

async function idleCalls(
  world: ContainerWorld,
  program: string,
  { idle, near, many, oneKey, patterns }: Configurations,
): Promise<BenchResult[]> {
  const ways: Way[] = [
    runc,
    { name: 'idle', program, configurations: [idle] },
    { name: 'near', program, configurations: [near] },
    { name: 'many', program, configurations: [many] },
    { name: 'one key', program, configurations: [oneKey] },
    { name: 'patterns', program, configurations: [patterns] },
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
    { name: 'shim-idle', goal: CALL_GOAL_MS, ...addedBy('idle', runc.name, times) },
    // One file that only the pattern engine can exclude.
    { name: 'shim-near-miss', goal: null, ...addedBy('near', runc.name, times) },
    { name: 'shim-1000-files-warm', goal: CALL_GOAL_MS, ...addedBy('many', runc.name, times) },
    // Every file has the annotation key that the container has. The Go library needs 70 ms for these files.
    {
      name: 'shim-1000-files-of-a-key',
      goal: KEY_GOAL_MS,
      ...addedBy('one key', runc.name, times),
    },
    {
      name: 'shim-1000-patterns-of-a-key',
      goal: KEY_GOAL_MS,
      ...addedBy('patterns', runc.name, times),
    },
  ];
}

/** Several hooks in a stage, which share one runner. */
async function hooksTogether(
  world: ContainerWorld,
  program: string,
  { wrapped, spliced, onDisk }: Configurations,
): Promise<BenchResult[]> {
  const hooks = STAGES * HOOKS_PER_STAGE;
  const hooked = runcWithHooks(HOOKS_PER_STAGE);
  const ways: Way[] = [
    runc,
    hooked,
    { name: 'wrapped', program, configurations: [wrapped], hooksAfter: STAGES },
    { name: 'spliced', program, configurations: [spliced], hooksAfter: hooks },
    { name: 'on disk', program, configurations: [onDisk], hooksAfter: STAGES },
    ...(await peers(world, hooks)),
  ];
  const times = await measureHooks(world, ways, hooks);
  return [
    { name: 'runc-hook', goal: null, ...perHook(hooks, addedBy(hooked.name, runc.name, times)) },
    {
      name: 'shim-wrapped-hook',
      goal: HOOK_GOAL_MS,
      ...perHook(hooks, addedBy('wrapped', hooked.name, times)),
    },
    { name: 'shim-spliced-hooks', goal: null, ...addedBy('spliced', hooked.name, times) },
    ...wholeCosts(times),
  ];
}

/** oci-add-hooks, built from its sources: $LIFEHOOK_BENCH_ADD_HOOKS is its path. Empty if the variable is not set. */
async function peers(world: ContainerWorld, hooks: number): Promise<Way[]> {
  const program = process.env['LIFEHOOK_BENCH_ADD_HOOKS'];
  if (program === undefined) return [];
  const { createRuntime: prestart, ...others } = bareHooks(HOOKS_PER_STAGE);
  const file = await world.jsonFile('peer.json', { hooks: { prestart, ...others } });
  // oci-add-hooks accepts only a path.
  const runtime = execFileSync('sh', ['-c', 'command -v runc'], { encoding: 'utf8' }).trim();
  const options = ['--hook-config-path', file, '--runtime-path', runtime];
  return [{ name: 'oci-add-hooks', program, options, hooksAfter: hooks }];
}

/** The whole cost of 9 hooks, with the spool in memory and on disk, and that of oci-add-hooks. */
function wholeCosts(times: Times): BenchResult[] {
  const peer =
    times('oci-add-hooks').length === 0 ? null : addedBy('oci-add-hooks', runc.name, times);
  const goal = peer?.value ?? null;
  return [
    { name: 'shim-9-hooks-in-memory', goal, ...addedBy('wrapped', runc.name, times) },
    { name: 'shim-9-hooks-on-disk', goal, ...addedBy('on disk', runc.name, times) },
    ...(peer === null ? [] : [{ name: 'oci-add-hooks-9-hooks', goal: null, ...peer }]),
  ];
}

/** One hook in each stage, so no two hooks share a runner. */
async function hookAlone(
  world: ContainerWorld,
  program: string,
  configuration: string,
): Promise<BenchResult> {
  const hooked = runcWithHooks(1);
  const ways: Way[] = [
    hooked,
    { name: 'wrapped', program, configurations: [configuration], hooksAfter: STAGES },
  ];
  const times = await measureHooks(world, ways, STAGES);
  return {
    name: 'shim-wrapped-hook-alone',
    goal: HOOK_GOAL_MS,
    ...perHook(STAGES, addedBy('wrapped', hooked.name, times)),
  };
}

function runcWithHooks(perStage: number): Way {
  const hooks = STAGES * perStage;
  const name = `runc run with ${hooks} hooks`;
  return { name, program: 'runc', hooks: bareHooks(perStage), hooksAfter: hooks };
}

/** Measures the ways, and checks that exactly one of them wraps its hooks: only wrapped hooks leave records. */
async function measureHooks(
  world: ContainerWorld,
  ways: readonly Way[],
  hooks: number,
): Promise<Times> {
  const before = await world.recordCount();
  const times = await measureWays(world, ways, HOOK_ROUNDS);
  const ran = (await world.recordCount()) - before;
  const expected = hooks * (HOOK_ROUNDS + 1);
  if (ran !== expected) throw new Error(`${expected} hooks should run, but ${ran} did.`);
  return times;
}

type Added = ReturnType<typeof addedBy>;

function perHook(hooks: number, added: Added): Added {
  return { ...added, value: added.value / hooks };
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

/** Each round has its own configuration, and so an index that does not exist yet. */
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
