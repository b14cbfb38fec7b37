import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { nodePlatform } from '../../../platform/node-platform.ts';
import type { LifeEvent } from '../life/life.ts';
import { type PointRunning, runPoint } from './run-point.ts';

/** The runs, as events name them, of the hooks of one container named "web", at two points. */
async function runsOf(instance: string): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-point-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hooks = [{ hook: { path: '/bin/true' }, source: { kind: 'file', file: '/h/10-a.json' } }];
  const runs = new Set<string>();
  for (const point of ['createRuntime', 'poststart']) {
    await runPoint({
      platform: nodePlatform,
      container: {
        id: 'web',
        instance,
        bundle: folder,
        annotations: {},
        hooks: { [point]: hooks },
      },
      point,
      moment: { status: 'creating', pid: 1 },
      ledgerFolder: join(folder, 'ledger'),
      spool: join(folder, 'spool'),
      emit: (event: LifeEvent) => {
        if (event.type === 'Hook') runs.add(event.event.run);
      },
    } as unknown as PointRunning);
  }
  return runs;
}

it('names one run for the hooks of one container, and another for a later container of its name', async () => {
  const [first, second] = [await runsOf('7-1'), await runsOf('7-2')];
  expect([first.size, second.size, new Set([...first, ...second]).size]).toEqual([1, 1, 2]);
});
