import { join } from 'node:path';

import { edit } from '../demo/demo-world.ts';
import { readHistory, reasonsOf, type Moment } from '../demo/order-books.ts';
import { read, type Shop } from '../demo/shop.ts';
import { eventually, run, type Stage } from '../demo/stage.ts';

/** Milliseconds: `preStop.sleep` of the manifest, minus a tolerance for the clocks of two processes. */
const SLEPT_MS = 900;
const DELETE_SECONDS = 20;

/** Deletes one of two servers, which continues to serve during the one second of its preStop sleep. */
export async function play(stage: Stage, shop: Shop): Promise<void> {
  const { say, world } = stage;
  say.act('Pod: a server is stopped, and sleeps before it exits');
  const failedBefore = shop.clients.failures.length;
  const before = readHistory(await read(shop.url, '/history')).length;
  await edit(join(world.orders, 'k8s', 'orders.yaml'), 'replicas: 2', 'replicas: 1');
  say.command('cd ../orders');
  say.command("sed -i 's/replicas: 2/replicas: 1/' k8s/orders.yaml");
  await run(stage, ['pipeline', 'run'], {
    cwd: world.orders,
    details: () => shop.clients.counts,
  });
  const what = 'one server was stopped';
  const left = await eventually(stage, { what, seconds: DELETE_SECONDS }, async () => {
    const text = await read(shop.url, '/history').catch(() => '');
    return leaveOf(readHistory(text).slice(before));
  });
  const late = shop.clients.acknowledged.filter(
    ({ by, answeredMs }) => by === left.pod && answeredMs > left.at - SLEPT_MS,
  );
  say.claim(
    `while terminating, it slept for a second and took ${late.length} more orders`,
    late.length > 0,
  );
  const failed = shop.clients.failures.slice(failedBefore);
  say.claim('no request failed', failed.length === 0, reasonsOf(failed));
  const { acknowledged, failures } = shop.clients;
  say.fact(
    `${acknowledged.length} orders in all; ${failures.length} requests found the shop closed by mid`,
  );
}

/** The moment at which a server got SIGTERM; null: no server was deleted. */
function leaveOf(history: readonly Moment[]): Moment | null {
  const deleted = history.find(({ what }) => what === 'is gone');
  if (deleted === undefined) return null;
  return history.find(({ pod, what }) => pod === deleted.pod && what === 'is told to end') ?? null;
}
