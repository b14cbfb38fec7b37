/** A process that leads again, while its caches lack the changes between its two terms. */
import { expect, it } from 'vitest';

import { copyOf, failure } from '../../../../test/sim/controller/sim-api.ts';
import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import type { Controller } from '../../../controller/controller.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import type { SnapshotContext } from '../context.ts';
import { type ExecutionHook, executionHooks } from '../kinds.ts';
import { makeHookController } from './hook-controller.ts';

const KEY = { namespace: 'ns', name: 'h' };

interface Terms {
  readonly make: (context: SnapshotContext) => Controller;
  /** Ends the first term. */
  readonly end: () => void;
  /** Begins the second term. */
  readonly begin: () => void;
}

function twoTerms(): Terms {
  const first = new AbortController();
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const make = (context: SnapshotContext): Controller => {
    const controller = makeHookController(context);
    const run = async (term: Parameters<Controller['run']>[0]): Promise<void> => {
      await controller.run({ ...term, stop: first.signal });
      await begun;
      await controller.run(term);
    };
    return { name: controller.name, run };
  };
  const end = (): void => {
    first.abort();
  };
  return { make, end, begin };
}

/** Records the thaw, as another leader does between the two terms. */
function recordThaw(bench: HookBench): void {
  const hook = copyOf(bench.api.get(executionHooks, KEY)) as ExecutionHook;
  const time = microTimeText(bench.world.wallMs);
  const { containerExecutionHookStatuses: targets = [] } = hook.status ?? {};
  const status: ExecutionHook['status'] = {
    ...hook.status,
    release: { cause: 'Expired', at: time },
    postActionSucceed: true,
    containerExecutionHookStatuses: targets.map((target) => ({
      ...target,
      thawedBy: 'post',
      postActionStatus: { actionTimestamp: time, actionSucceed: true },
    })),
  };
  const written = bench.api.replace(executionHooks, { ...hook, status } as ExecutionHook, 'status');
  const metadata = { ...written.metadata, finalizers: [] };
  bench.api.replace(executionHooks, { ...written, metadata }, 'object');
}

it('thaws nothing that another leader has thawed, and keeps its record, though its watch is silent (SNAP-I6)', async () => {
  const bench = new HookBench();
  const { make, end, begin } = twoTerms();
  bench.makePod('a');
  bench.makeHook('h', { expirationSeconds: 20 });
  bench.start(make);
  await bench.eventually('frozen', bench.isFrozen());
  await bench.pass(1_000);
  end();
  await bench.pass(1_000);
  const speak = bench.api.rules.add(({ verb, resource }) =>
    verb === 'watch' && resource === executionHooks
      ? { kind: 'answers', afterMs: 120_000, refusal: null }
      : null,
  );
  recordThaw(bench);
  const recorded = bench.hook('h')?.status;
  const accept = bench.api.rules.add(({ verb, resource }) =>
    verb === 'status' && resource === executionHooks
      ? { kind: 'answers', afterMs: 0, refusal: failure(403, 'Forbidden', 'exceeded quota') }
      : null,
  );
  begin();
  await bench.pass(60_000);
  speak();
  accept();
  await bench.pass(120_000);
  expect(bench.commands()).toEqual(['freeze a/db']);
  expect(bench.hook('h')?.status).toEqual(recorded);
});
