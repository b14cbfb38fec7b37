/** A thaw of a lock that outlives its container, while a new pod gets the name of the frozen one. */
import { expect, it } from 'vitest';

import { actions, target } from '../../../../test/sim/snapshot/hook-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { neverCancelled } from '../../../engine/act.ts';
import { pods } from '../../../kube/resources.ts';
import type { AttemptReport } from './attempts.ts';
import type { Order } from './decide.ts';
import { type AttemptWorld, runAttempt } from './run-attempt.ts';

/** Thaws a container of pod `a`. `isReplaced`: a new pod has that name when the command runs. */
async function thaw(isReplaced: boolean): Promise<AttemptReport> {
  const bench = new SimBench();
  const metadata = { namespace: 'ns', name: 'a' };
  const { uid: podUID = '' } = bench.api.create(pods, { metadata }).metadata;
  const exec = () => {
    if (isReplaced) {
      bench.api.delete(pods, metadata, {});
      bench.api.create(pods, { metadata });
    }
    return Promise.resolve({ outcome: 'exited', exitCode: 0 });
  };
  const world = {
    context: {
      client: bench.client,
      platform: bench.host,
      thawing: { exec },
      observe: () => undefined,
    },
    namespace: 'ns',
    hookName: 'h',
    hookUid: 'uid-h',
    resolved: actions({ lockScope: 'Kernel' }),
    pod: undefined,
    signal: neverCancelled,
  };
  const frozen = target('a/db', { podUID });
  const order = {
    target: frozen,
    action: 'post',
    attempt: 1,
    timeoutMs: 5_000,
    place: 'container',
  };
  return bench.until(runAttempt(order as Order, world as unknown as AttemptWorld));
}

it('is a success in the pod that was frozen', async () => {
  expect((await thaw(false)).outcome).toBe('Succeeded');
});

it('proves nothing if its command may have run in a new pod of the same name (SNAP-G14)', async () => {
  const { outcome, reason } = await thaw(true);
  expect(outcome).toBe('Unknown');
  expect(reason).toContain('a new pod has its name');
});
