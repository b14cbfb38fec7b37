import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import type { SnapshotRestore } from '../../lifecycles/snapshot/restore/kinds.ts';
import { isEarlier, missingOrders, readBooks, reasonsOf } from '../demo/order-books.ts';
import { findService, readEventually, type Shop } from '../demo/shop.ts';
import { ask, inSeconds, run, type Stage } from '../demo/stage.ts';

const NAME = 'evening';

/** Freezes the store in both servers, takes the snapshot, thaws the servers, and opens the snapshot as another shop. */
export async function play(stage: Stage, shop: Shop): Promise<void> {
  const { say } = stage;
  say.act('Snapshot: frozen, cut, thawed, and restored, while customers order');
  const failedBefore = shop.clients.failures.length;
  const begunMs = Date.now();
  const args = ['snapshot', 'create', NAME, '--claim', 'orders', '--template', 'freeze-orders'];
  await run(stage, args, { details: () => shop.clients.counts });
  const { stdout } = await ask(stage, ['snapshot', 'status', NAME, '-o', 'json']);
  const snapshot = JSON.parse(stdout) as ApplicationSnapshot;
  say.fact(`frozen for ${inSeconds(snapshot.status?.verdict?.freezeWindowMs ?? 0)}`);
  judgeFreeze(stage, snapshot);
  judgeVerdict(stage, snapshot);
  const failed = shop.clients.failures.slice(failedBefore);
  const waitedMs = shop.clients.acknowledged
    .filter(({ answeredMs }) => answeredMs >= begunMs)
    .map(({ askedMs, answeredMs }) => answeredMs - askedMs);
  say.claim(
    `no request failed: customers who ordered meanwhile waited at most ${inSeconds(Math.max(0, ...waitedMs))}`,
    failed.length === 0,
    reasonsOf(failed),
  );
  await restore(stage, shop, { snapshot, begunMs });
}

function judgeFreeze({ say }: Stage, { status = {} }: ApplicationSnapshot): void {
  const targets = (status.hooks ?? []).flatMap((hook) => hook.targets);
  const frozen = targets.filter(
    ({ probes = [], thawedBy }) =>
      probes.every(({ outcome }) => outcome === 'Frozen') &&
      probes.some(({ when }) => when === 'AfterCut') &&
      thawedBy === 'session',
  );
  say.claim(
    `both servers held their writes, before the cut and after it`,
    frozen.length === 2 && targets.length === 2,
  );
}

/** Checks the verdict. The expected verdict depends on how this machine's file system can copy a directory. */
function judgeVerdict({ say }: Stage, { status = {} }: ApplicationSnapshot): void {
  const { value = 'none', reason = '' } = status.verdict ?? {};
  const isAtomic = (status.volumes ?? []).every(({ atomic }) => atomic === true);
  const wanted = isAtomic ? 'ApplicationConsistent (FrozenAtCut)' : 'Inconsistent (NotAtomic)';
  const given = `${value} (${reason})`;
  say.claim(`the verdict claims only what is known: ${wanted}`, given === wanted, given);
  if (isAtomic) return;
  say.fact('files are copied one by one here, and one of them changed meanwhile; where');
  say.fact('a volume is cut at one moment (btrfs), the verdict is ApplicationConsistent');
}

async function restore(
  stage: Stage,
  shop: Shop,
  { snapshot, begunMs }: { readonly snapshot: ApplicationSnapshot; readonly begunMs: number },
): Promise<void> {
  const { say, world } = stage;
  await restoreClaim(stage, snapshot);
  say.command('cd ../restored');
  await run(stage, ['pipeline', 'run'], {
    cwd: world.restored,
    details: () => shop.clients.counts,
  });
  const url = await findService(stage, 'restored', 'v2');
  const restored = await readEventually(stage, url, '/orders');
  const now = await readEventually(stage, shop.url, '/orders');
  const books = readBooks(restored);
  const before = shop.clients.acknowledged.filter(({ answeredMs }) => answeredMs < begunMs);
  const missing = missingOrders(books, before);
  say.claim(
    `the copy has all ${before.length} orders from before the snapshot, ${books.orders.size} in all`,
    missing.length === 0 && before.length > 0,
    `${missing.length} are missing`,
  );
  say.claim(
    'the copy is the store as it was at one moment, to the byte',
    isEarlier(restored, now) && books.torn.length === 0,
    `${books.torn.length} lines are torn`,
  );
}

/**
 * Restores the claim. A command checks the copy before another shop opens it. If the verdict is too low, the command
 * line accepts it explicitly.
 */
async function restoreClaim(stage: Stage, { status = {} }: ApplicationSnapshot): Promise<void> {
  const { say } = stage;
  const isGood = status.verdict?.value === 'ApplicationConsistent';
  const accepted = isGood ? [] : ['--require', 'Any'];
  const args = ['snapshot', 'restore', NAME, '--claim', 'orders=restored', ...accepted];
  const check = 'test -s $LIFEHOOK_PATH/orders.ndjson';
  const shown = `lifehook ${args.join(' ')} \\\n      --image none --command '${check}'`;
  const checked = ['--image', 'none', '--command', check, '-o', 'json'];
  const { stdout } = await run(stage, [...args, ...checked], { shown });
  const restored = JSON.parse(stdout) as SnapshotRestore;
  const result = restored.status?.verification?.result ?? 'none';
  say.claim('a new claim has the copy, and its check has passed', result === 'Passed', result);
}
