import { type Controller, makeController } from '../../controller/controller.ts';
import { LinkedSignal } from '../../platform/linked-signal.ts';
import type { RolloutContext } from './context.ts';
import { RolloutCaches } from './machine/caches.ts';
import { RolloutDriver } from './machine/drive.ts';
import { GateProofs } from './machine/gate-proofs.ts';

/**
 * All controllers of the rollout lifecycle. The kinds must be installed, because their informers would never sync
 * otherwise.
 */
export function rolloutControllers(context: RolloutContext): readonly Controller[] {
  return [makeRolloutController(context)];
}

/** Number of Deployments that are reconciled in parallel. It is high because reconciles only wait for requests. */
const WORKERS = 8;
/**
 * Milliseconds. The back-off is short, because users wait for a rollout, and a drained Deployment serves no requests.
 */
const BACKOFF = { firstMs: 50, maxMs: 5_000 };

/** The controller that executes the rollouts of Deployments with a lifecycle. Its keys are keys of Deployments. */
function makeRolloutController(context: RolloutContext): Controller {
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
