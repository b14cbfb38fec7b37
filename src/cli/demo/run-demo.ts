/**
 * `lifehook demo`: one order service through all five lifecycles. Every claim that it makes is checked as it
 * goes; one that does not hold ends it with exit code 1. It leaves nothing behind, however it ends.
 */
import process from 'node:process';

import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { startCluster } from './acts/cluster.ts';
import { runContainers } from './acts/container.ts';
import { deployShop } from './acts/pipeline.ts';
import { rollOut } from './acts/rollout.ts';
import { snapshotAndRestore } from './acts/snapshot.ts';
import { stopOne } from './acts/stop.ts';
import { showTimeline } from './acts/timeline.ts';
import { openDemoWorld } from './demo-world.ts';
import { Narrator } from './narrator.ts';
import { DemoBroken, run, inSeconds, type Stage } from './stage.ts';

/** Resolves with the exit code: 0 where every claim has held, 1 where one has not, 130 after Ctrl-C. */
export async function runDemo(): Promise<number> {
  const beganMs = performance.now();
  const signal = cancelOnSignals();
  const say = new Narrator({ screen: process.stdout, env: process.env });
  const world = await openDemoWorld();
  const stage: Stage = { say, world, signal };
  say.line('One order service, all five lifecycles. Every claim is checked as it is made.');
  try {
    await playActs(stage);
  } catch (error) {
    if (!(error instanceof DemoBroken) && !signal.aborted) throw error;
  } finally {
    await cleanUp(stage);
  }
  if (signal.aborted) {
    say.line('\nInterrupted.');
    return exitCodes.interrupted;
  }
  const { made, held } = say.claims;
  const took = inSeconds(performance.now() - beganMs);
  say.line(`\nIn ${took}: ${held} of ${made} claims held.`);
  return held === made ? exitCodes.done : exitCodes.failed;
}

async function playActs(stage: Stage): Promise<void> {
  await startCluster(stage);
  const shop = await deployShop(stage);
  try {
    await rollOut(stage, shop);
    await snapshotAndRestore(stage, shop);
    await stopOne(stage, shop);
  } finally {
    await shop.clients.stop();
  }
  await showTimeline(stage, await runContainers(stage));
}

/** Not to be interrupted: what was begun is ended. */
async function cleanUp(stage: Stage): Promise<void> {
  const { say, world } = stage;
  const { signal } = new AbortController();
  say.line();
  try {
    await run(stage, ['down', '--delete'], { signal });
    await world.close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say.claim('nothing is left of it', false, why);
    say.fact(`end it: XDG_STATE_HOME=${world.state} lifehook down --delete; rm -r ${world.folder}`);
  }
}
