import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type BarPage, LIFECYCLES } from '../../../timeline/bar.ts';
import { run, type Stage } from '../stage.ts';

/** What all these hooks did, on one page. `records`: of the containers that no cluster has run. */
export async function showTimeline(stage: Stage, records: string): Promise<void> {
  const { say, world } = stage;
  say.act('Timeline: all of it on one page');
  const args = ['ui', '--project', 'orders', '--records', records, '--export', 'timeline.json'];
  await run(stage, args);
  const text = await readFile(join(world.folder, 'timeline.json'), 'utf8');
  const { bars } = JSON.parse(text) as BarPage;
  const count = (lifecycle: string): number =>
    bars.filter((bar) => bar.lifecycle === lifecycle).length;
  say.fact(LIFECYCLES.map((lifecycle) => `${count(lifecycle)} ${lifecycle}`).join(', '));
  const absent = LIFECYCLES.filter((lifecycle) => count(lifecycle) === 0);
  say.claim('the hooks of all five lifecycles are there', absent.length === 0, absent.join(', '));
  const frozen = bars.filter(({ kind }) => kind === 'frozen');
  say.claim('and when each of the two servers was frozen', frozen.length === 2, `${frozen.length}`);
}
