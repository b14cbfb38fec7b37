import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { HookView, RolloutView } from './rollout-view.ts';
import {
  missingOrders,
  readBooks,
  readHistory,
  reasonsOf,
  serversWithin,
  spanOf,
} from '../demo/order-books.ts';
import { readEventually, type Shop } from '../demo/shop.ts';
import { ask, run, inSeconds, type Stage } from '../demo/stage.ts';

/**
 * Rolls out version 2, which needs another form of the store: the pre hook adds prices, the mid hook rewrites every
 * order, and the post hook checks them.
 */
export async function play(stage: Stage, shop: Shop): Promise<void> {
  const { say, world } = stage;
  say.act('Rollout: version 2, with migrations, while customers order');
  await writeFile(join(world.orders, 'version.txt'), '2\n');
  const details = (): string => shop.clients.counts;
  say.fact('its mid hook rewrites the store while no server runs: the shop is closed on');
  say.fact('purpose, requests fail, and customers retry until the shop is open again');
  say.command('echo 2 >version.txt');
  await run(stage, ['pipeline', 'run'], { cwd: world.orders, details });
  const watched = await run(stage, ['rollout', 'watch', 'orders', '--timeout', '60'], { details });
  say.claim('the rollout is done, with all its hooks', /^ +Done$/m.test(watched.stdout));
  const { stdout } = await ask(stage, ['rollout', 'status', 'orders', '-o', 'json']);
  const view = JSON.parse(stdout) as RolloutView;
  say.fact(view.hooks.map(durationOf).join(', '));
  judgePre(stage, shop, view);
  await judgeMid(stage, shop);
  await judgeOrders(stage, shop);
}

function durationOf({ stage, startedAt = '', finishedAt = '' }: HookView): string {
  return `${stage} took ${inSeconds(Date.parse(finishedAt) - Date.parse(startedAt))}`;
}

function judgePre({ say }: Stage, { clients }: Shop, { hooks, startedAt = '' }: RolloutView): void {
  const preEnded = Date.parse(hooks.find(({ stage }) => stage === 'pre')?.finishedAt ?? '');
  const began = Date.parse(startedAt);
  const early = clients.failures.filter(({ askedMs }) => askedMs < preEnded);
  const served = clients.acknowledged.filter(
    ({ askedMs, answeredMs }) => askedMs < preEnded && answeredMs > began,
  );
  say.claim(
    `pre: version 1 went on serving, ${served.length} orders, no request failed`,
    served.length > 0 && early.length === 0,
    reasonsOf(early),
  );
}

async function judgeMid(stage: Stage, { url, clients }: Shop): Promise<void> {
  const history = readHistory(await readEventually(stage, url, '/history'));
  const mid = spanOf(history, { stage: 'mid', version: 2 });
  const servers = mid === null ? [] : serversWithin(history, mid);
  stage.say.claim(
    'mid: the store was rewritten while no server had it open',
    mid !== null && servers.length === 0,
    mid === null ? 'it did not run' : servers.join(', '),
  );
  const away = clients.failures.map(({ askedMs }) => askedMs);
  if (away.length === 0) return;
  const awayMs = Math.max(...away) - Math.min(...away);
  stage.say.fact(`the shop was closed for ${inSeconds(awayMs)} meanwhile, and customers retried`);
}

async function judgeOrders(stage: Stage, { url, clients }: Shop): Promise<void> {
  const reported = [...clients.acknowledged];
  const books = readBooks(await readEventually(stage, url, '/orders'));
  const missing = missingOrders(books, reported);
  stage.say.claim(
    `all ${reported.length} acknowledged orders are there, and none is torn`,
    missing.length === 0 && books.torn.length === 0,
    `${missing.length} are missing, ${books.torn.length} are torn`,
  );
  const unpriced = [...books.orders.values()].filter(({ cents }) => cents === undefined);
  stage.say.claim(
    'post: each order has its price, including those of version 1',
    unpriced.length === 0,
    `${unpriced.length} have none`,
  );
}
