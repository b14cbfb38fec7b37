import { constants, copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { type BarPage, LIFECYCLES } from '../../timeline/bar.ts';
import { ask, run, type Stage } from './stage.ts';

/** Shows all hooks of the demonstration on one page. Resolves with the path of the page that stays for the user. */
export async function showTimeline(stage: Stage): Promise<string> {
  const { say, world } = stage;
  say.act('Timeline: all of it on one page');
  const args = ['ui', '--project', 'orders', '--records', RECORDS, '--export'];
  await run(stage, [...args, 'timeline.html']);
  await ask(stage, [...args, 'timeline.json']);
  const text = await readFile(join(world.folder, 'timeline.json'), 'utf8');
  const { bars } = JSON.parse(text) as BarPage;
  const count = (lifecycle: string): number =>
    bars.filter((bar) => bar.lifecycle === lifecycle).length;
  say.fact(LIFECYCLES.map((lifecycle) => `${count(lifecycle)} ${lifecycle}`).join(', '));
  const absent = LIFECYCLES.filter((lifecycle) => count(lifecycle) === 0);
  say.claim('the hooks of all five lifecycles are there', absent.length === 0, absent.join(', '));
  const frozen = bars.filter(({ kind }) => kind === 'frozen');
  say.claim('and when each of the two servers was frozen', frozen.length === 2, `${frozen.length}`);
  return leaveTimeline(join(world.folder, 'timeline.html'), process.cwd());
}

/** Directory of the records of containers outside the cluster. */
const RECORDS = 'kept/hooks';
const NAME = 'timeline.html';

/**
 * Copies the timeline to `folder`. Resolves with the path of the copy: in a new temporary directory if `folder` is not
 * writable, or has a file of that name.
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
