import type { Controller } from '../../controller/controller.ts';
import type { RolloutContext } from './context.ts';
import { makeRolloutController } from './machine/rollout-controller.ts';

/** All controllers of this lifecycle. The kinds must be installed: their informers never sync otherwise. */
export function rolloutControllers(context: RolloutContext): readonly Controller[] {
  return [makeRolloutController(context)];
}
