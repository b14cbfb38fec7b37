/** One reconcile of a guard: it gathers the facts, writes the status and deletes old windows. */
import { fencedClient } from '../../../controller/fenced-client.ts';
import { parseKey } from '../../../controller/object-key.ts';
import {
  done,
  type Outcome,
  type PassContext,
  requeueAfter,
} from '../../../controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import { deleteIfSame } from '../../../kube/get-or-null.ts';
import type { SnapshotContext } from '../context.ts';
import { snapshotGuards, applicationSnapshots } from '../kinds.ts';
import { GuardCaches } from './caches.ts';
import { decideGuard } from './decide.ts';
import { gatherGuardFacts } from './facts.ts';
import { type Controller, makeController } from '../../../controller/controller.ts';

/** Milliseconds between two checks of the namespace's label, the templates and the age of the windows. */
const PERIOD_MS = 60_000;

export async function driveGuard(
  { context, caches }: { readonly context: SnapshotContext; readonly caches: GuardCaches },
  key: string,
  { mayAct }: PassContext,
): Promise<Outcome> {
  const client = fencedClient(context.client, mayAct);
  const nowMs = context.platform.clock.nowMs();
  const { namespace = '', name } = parseKey(key);
  const facts = await gatherGuardFacts({ caches, client, nowMs }, { namespace, name });
  const { status, deleted } = decideGuard(facts);
  for (const window of deleted) await deleteIfSame(client, applicationSnapshots, window);
  if (facts.guard !== null && status !== null) {
    await writeStatusIfChanged({ client, resource: snapshotGuards, object: facts.guard, status });
  }
  const isIdle = facts.guard === null && facts.windows.length === deleted.length;
  return isIdle ? done : requeueAfter(PERIOD_MS, 'the next check of its namespace and its windows');
}

/**
 * The controller of guards: it writes their status and deletes old windows. It freezes nothing: each window is an
 * ApplicationSnapshot, which freezes.
 */
export function makeGuardController(context: SnapshotContext): Controller {
  const caches = new GuardCaches(context);
  return makeController({
    name: 'snapshot-guards',
    sources: caches.sources(),
    reconcile: (key, pass) => driveGuard({ context, caches }, key, pass),
    platform: context.platform,
    random: context.random,
    observe: context.observeController,
  });
}
