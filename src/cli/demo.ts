/**
 * `lifehook demo`: the container lifecycle, shown on a real container. Every claim that it makes is
 * checked as it goes; one that does not hold ends it with exit code 1.
 */
import process from 'node:process';
import { explain } from '../lifecycles/container/explain.ts';
import { readBundle } from '../lifecycles/container/config/bundle.ts';
import { gatherFacts } from '../lifecycles/container/facts.ts';
import { literalFirst } from '../lifecycles/container/hooksd/literal-first.ts';
import { loadHooks } from '../lifecycles/container/hooksd/load.ts';
import { runContainer, type ContainerRun } from '../lifecycles/container/life/run-container.ts';
import { openDemoWorld, type Announcement, type DemoWorld } from './demo-world.ts';
import { exitCodes } from './exit-codes.ts';
import { LifehookError } from '../model/problem.ts';
import { createOptions, lifeOf } from './life-options.ts';
import { findStaticBusybox, realRuntime } from './real-runtime.ts';
import { scanOptions } from './scan-options.ts';

export async function runDemo(): Promise<number> {
  const runtime = await realRuntime();
  const busybox = runtime === null ? null : await findStaticBusybox();
  const runner = runtime === null || busybox === null ? 'process' : runtime;
  const world = await openDemoWorld({ busybox });
  const claims = new Claims();
  try {
    say(
      `The container is run by ${runner === 'process' ? 'the built-in process runner' : runner}.`,
    );
    await showDecision(world, claims);
    await showLife(world, runner, claims);
    await showFailure(world, runner, claims);
  } finally {
    await world.close();
  }
  say(`${claims.held} of ${claims.made} claims held.`);
  return claims.held === claims.made ? exitCodes.done : exitCodes.failed;
}

async function showDecision({ bundle, hooks }: DemoWorld, claims: Claims): Promise<void> {
  say('\n1. Three hook files, one container: which apply?');
  const scan = scanOptions({ hooksDir: [hooks] });
  const { config } = await readBundle({ files: scan.files, folder: bundle, trust: scan });
  const { files } = explain({
    set: await loadHooks(scan),
    facts: gatherFacts(config),
    config,
    prestart: 'createRuntime',
    matcherOf: literalFirst(scan.compile),
  });
  for (const { path, verdict, into } of files) {
    const applies = verdict?.kind === 'match' ? `runs at ${into.join(', ')}` : 'does not run';
    say(
      `   ${path.slice(hooks.length + 1).padEnd(22)} ${applies}: ${verdict !== undefined && 'reason' in verdict ? verdict.reason : ''}`,
    );
  }
  const matching = files.filter(({ verdict }) => verdict?.kind === 'match').length;
  claims.check('two of the three apply', matching === 2);
}

async function showLife(world: DemoWorld, runner: string, claims: Claims): Promise<void> {
  say('\n2. The container lives, and its hooks run:');
  const run = await runOnce(world, runner);
  const seen = await world.takeAnnouncements();
  claims.check(
    'the program ended with exit code 0',
    run.kind === 'ended' && run.exit.exitCode === 0,
  );
  for (const stage of ['createRuntime', 'createContainer', 'poststart', 'poststop', 'postexit']) {
    const times = seen.filter((one) => one.stage === stage).length;
    claims.check(`the ${stage} hook ran once`, times === 1);
  }
  claims.check('the postexit hook was told the exit code', find(seen, 'postexit')?.exit === '0');
  claims.check(
    'the poststop hook saw a stopped container',
    find(seen, 'poststop')?.status === 'stopped',
  );
}

async function showFailure(world: DemoWorld, runner: string, claims: Claims): Promise<void> {
  say('\n3. A hook fails before the program runs:');
  await world.addFailingHook();
  const run = await runOnce(world, runner);
  const seen = await world.takeAnnouncements();
  if (run.kind === 'failed') say(`   ${run.problem.message}`);
  claims.check('the container was called off', run.kind === 'failed');
  claims.check('the program did not run', find(seen, 'poststart') === undefined);
  claims.check('the poststop hook ran all the same', find(seen, 'poststop') !== undefined);
}

async function runOnce(
  { folder, bundle, hooks }: DemoWorld,
  runner: string,
): Promise<ContainerRun> {
  const life = lifeOf({ root: folder, verbose: true }, process.stdout);
  const options = await createOptions('demo', {
    root: folder,
    bundle,
    runner,
    runtimeRoot: `${folder}/runtime`,
    hooksDir: [hooks],
    prestart: 'createRuntime',
    badFiles: 'refuse',
    brokenHooks: 'fail',
    poststartFailure: 'destroy',
  });
  try {
    return await runContainer(life, options);
  } catch (error) {
    // A runtime reports a failed hook by failing itself.
    if (!(error instanceof LifehookError) || runner === 'process') throw error;
    const [problem] = error.problems;
    if (problem === undefined) throw error;
    return { kind: 'failed', problem, warnings: [] };
  }
}

function find(seen: readonly Announcement[], stage: string): Announcement | undefined {
  return seen.find((one) => one.stage === stage);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

class Claims {
  made = 0;
  held = 0;

  check(claim: string, holds: boolean): void {
    this.made += 1;
    if (holds) this.held += 1;
    say(`   ${holds ? 'ok' : 'NOT SO'}: ${claim}`);
  }
}
