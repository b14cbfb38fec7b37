/**
 * `lifehook demo`: runs one order service through all five lifecycles. Every claim is checked; a false claim ends the
 * demonstration with exit code 1. Only the page of the timeline remains afterwards.
 */
import { constants, copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { shellWords } from '../../model/shell-words.ts';
import { errorText } from '../../platform/error-text.ts';
import { type BarPage, LIFECYCLES } from '../../timeline/bar.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { demoActs, loadParts } from '../lifecycles.ts';
import { openDemoWorld } from './demo-world.ts';
import { Narrator } from './narrator.ts';
import { deployShop } from './shop.ts';
import { ask, DemoBroken, inSeconds, run, type Stage } from './stage.ts';

/** Resolves with the exit code: 0 if every claim held, 1 if one did not, 130 after Ctrl-C. */
export async function runDemo(): Promise<number> {
  const beganMs = performance.now();
  const signal = cancelOnSignals();
  const say = new Narrator({ screen: process.stdout, env: process.env });
  const world = await openDemoWorld();
  const stage: Stage = { say, world, signal };
  say.line('One order service, all five lifecycles. Every claim is checked as it is made.');
  say.line('Everything is in one temporary directory, on addresses of this machine only.');
  let timeline: string | null = null;
  try {
    timeline = await playActs(stage);
  } catch (error) {
    if (!(error instanceof DemoBroken) && !signal.aborted) throw error;
  } finally {
    await cleanUp(stage);
  }
  if (signal.aborted) {
    say.line('\nInterrupted.');
    return exitCodes.interrupted;
  }
  say.line();
  if (timeline !== null) say.line(`Open the timeline of it in a browser: ${timeline}`);
  const { made, held } = say.claims;
  const took = inSeconds(performance.now() - beganMs);
  say.line(`In ${took}: ${held} of ${made} claims held.`);
  return held === made ? exitCodes.done : exitCodes.failed;
}

/** Resolves with the path of the timeline page that remains. */
async function playActs(stage: Stage): Promise<string> {
  await startCluster(stage);
  const shop = await deployShop(stage);
  try {
    for (const { play } of await loadParts(demoActs)) await play(stage, shop);
  } finally {
    await shop.clients.stop();
  }
  return showTimeline(stage);
}

/** Stops everything that was started. It cannot be interrupted. */
async function cleanUp(stage: Stage): Promise<void> {
  const { say, world } = stage;
  const { signal } = new AbortController();
  say.line();
  try {
    await run(stage, ['down', '--delete'], { signal });
    await world.close();
  } catch (error) {
    const why = errorText(error);
    say.claim('the demo removed everything that it created', false, why);
    say.fact(
      `remove the rest by hand: XDG_STATE_HOME=${shellWords([world.state])} lifehook down --delete; ${shellWords(['rm', '-r', world.folder])}`,
    );
  }
}

/** The nodes of a large cluster notice a terminating pod only after some time; this delay imitates that. */
const ENDPOINT_DELAY = '500ms';

/** Starts the local cluster, with Lifehook's controllers, in the demonstration's directory. */
export async function startCluster(stage: Stage): Promise<void> {
  const { say, world } = stage;
  say.act('A Kubernetes on this machine: no root, no images, no kubectl');
  const { tookMs } = await run(stage, ['up', '--endpoint-delay', ENDPOINT_DELAY]);
  const { stdout } = await ask(stage, ['status']);
  const server = /^ *API server +(\S+)$/m.exec(stdout)?.[1];
  say.claim(
    `its API server and Lifehook's controllers are up, after ${inSeconds(tookMs)}`,
    server !== undefined,
  );
  const timeline = /^ *timeline +(http\S+)$/m.exec(stdout)?.[1];
  if (timeline !== undefined) {
    say.fact('watch its hooks, in a browser:');
    say.fact(timeline);
  }
  say.fact('meanwhile, look around with kubectl:');
  say.fact(`export KUBECONFIG=${shellWords([world.kubeconfig])}`);
}

/** Shows all hooks of the demonstration on one page. Resolves with the path of the page that remains for the user. */
async function showTimeline(stage: Stage): Promise<string> {
  const { say, world } = stage;
  say.act('Timeline: the whole demo on one page');
  const args = ['ui', '--project', 'orders', '--records', RECORDS, '--export'];
  await run(stage, [...args, 'timeline.html']);
  await ask(stage, [...args, 'timeline.json']);
  const text = await readFile(join(world.folder, 'timeline.json'), 'utf8');
  const { bars } = JSON.parse(text) as BarPage;
  const count = (lifecycle: string): number =>
    bars.filter((bar) => bar.lifecycle === lifecycle).length;
  say.fact(LIFECYCLES.map((lifecycle) => `${count(lifecycle)} ${lifecycle}`).join(', '));
  const absent = LIFECYCLES.filter((lifecycle) => count(lifecycle) === 0);
  say.claim('it shows the hooks of all five lifecycles', absent.length === 0, absent.join(', '));
  const frozen = bars.filter(({ kind }) => kind === 'frozen');
  say.claim(
    'it shows when each of the two servers was frozen',
    frozen.length === 2,
    `${frozen.length}`,
  );
  return leaveTimeline(join(world.folder, 'timeline.html'), process.cwd());
}

/** Directory of the records of hooks of containers outside the cluster. */
const RECORDS = 'kept/hooks';
const NAME = 'timeline.html';

/**
 * Copies the timeline to `folder`, and resolves with the path of the copy. If `folder` is not writable, or has a file
 * of that name, the copy is in a new temporary directory.
 */
export async function leaveTimeline(from: string, folder: string): Promise<string> {
  try {
    return await copyInto(folder, from);
  } catch {
    return copyInto(await mkdtemp(join(tmpdir(), 'lifehook-timeline-')), from);
  }
}

async function copyInto(folder: string, from: string): Promise<string> {
  const path = join(folder, NAME);
  await copyFile(from, path, constants.COPYFILE_EXCL);
  return path;
}
