/** Executes the rollouts of Deployments with a lifecycle. Keys are those of the Deployments. */
import { type Controller, makeController } from '../../../controller/controller.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { RolloutContext } from '../context.ts';
import { RolloutCaches } from './caches.ts';
import { RolloutDriver } from './drive.ts';
import { GateProofs } from './gate-proofs.ts';

/** Number of Deployments in parallel: reconciles wait only for requests. */
const WORKERS = 8;
/** Short, since a rollout is waited for, and drained replicas serve no requests. */
const BACKOFF = { firstMs: 50, maxMs: 5_000 };

export function makeRolloutController(context: RolloutContext): Controller {
  const { platform, random, observeController } = context;
  const caches = new RolloutCaches(context);
  const name = 'rollouts';
  return {
    name,
    run: async (term) => {
      const proofs = new GateProofs(context, caches);
      const driver = new RolloutDriver(context, caches, proofs);
      const controller = makeController({
        name,
        sources: [...caches.sources(), proofs],
        reconcile: (key, pass) => driver.pass(key, pass),
        platform,
        random,
        workers: WORKERS,
        backoff: BACKOFF,
        observe: observeController,
      });
      const stopping = new LinkedSignal(term.stop);
      const proving = proofs.run(stopping);
      try {
        await controller.run(term);
      } finally {
        stopping.abort();
        await proving;
        stopping.release();
      }
    },
  };
}
