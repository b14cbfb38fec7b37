/**
 * The controller of execution hooks: freezes what they name, keeps it frozen, and thaws it whatever happens.
 * It knows nothing of snapshots: hooks may be made by anybody (SNAP-R26).
 */
import { type Controller, makeController } from '../../../controller/controller.ts';
import { ownKey } from '../../../controller/indexes.ts';
import { keyOf } from '../../../controller/object-key.ts';
import { watched } from '../../../controller/source.ts';
import { pods } from '../../../kube/resources.ts';
import type { SnapshotContext } from '../context.ts';
import { executionHooks, executionHookTemplates } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { driveHook } from './drive.ts';
import { hookIndexes, hooksOfPod } from './hold-registry.ts';
import { HookRoom } from './hook-room.ts';
import { awaitedIndexes, hooksAwaiting, hooksAwaitingPod } from './not-begun.ts';

/** Passes wait for the API server and for nothing else; a thaw must not wait for a pass. */
const WORKERS = 8;
/** A conflict is tried again at once, and a server that is back is noticed soon: something may be frozen. */
const BACKOFF = { firstMs: 20, maxMs: 5_000 };

export function makeHookController(context: SnapshotContext): Controller {
  const { informers, scope, platform, random, observeController } = context;
  const hooks = informers.of(executionHooks, {
    scope,
    indexes: { ...hookIndexes, ...awaitedIndexes },
  });
  const templates = informers.of(executionHookTemplates, { scope });
  const { namespace } = scope;
  const podScope = namespace === undefined ? {} : { namespace };
  const ofPods = informers.of(pods, { scope: podScope });
  const name = 'execution-hooks';
  return {
    name,
    run: async (term) => {
      const room = new HookRoom({ context, hooks, pods: ofPods, resolveRecipe });
      const controller = makeController({
        name,
        platform,
        random,
        sources: [
          watched({ informer: hooks, keys: ownKey }),
          watched({
            informer: ofPods,
            keys: (pod) => [...hooksOfPod(hooks, keyOf(pod)), ...hooksAwaitingPod(hooks, pod)],
          }),
          watched({
            informer: templates,
            keys: (template) => hooksAwaiting(hooks, keyOf(template)),
          }),
          room.wakeUps,
        ],
        workers: WORKERS,
        backoff: BACKOFF,
        // However many hooks are new, what may be frozen does not wait for them.
        isUrgent: (key) => room.mayBeFrozen(key),
        reconcile: (key, pass) => driveHook(room, key, pass),
        observe: observeController,
      });
      try {
        await controller.run(term);
      } finally {
        room.close();
      }
    },
  };
}
