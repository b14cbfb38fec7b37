/**
 * The controller of execution hooks: freezes their targets, keeps them frozen, and thaws them in any case. It does not
 * depend on a snapshot: any user may create a hook (SNAP-R26).
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
import { HookState } from './hook-state.ts';
import { awaitedIndexes, hooksAwaiting, hooksAwaitingPod } from './not-begun.ts';

/** Number of reconciles in parallel. They wait only for the API server, and a thaw must not wait for them. */
const WORKERS = 8;
/** Milliseconds. A conflict is retried at once, and a recovered server is noticed soon: targets may be frozen. */
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
      const shared = new HookState({ context, hooks, pods: ofPods, resolveRecipe });
      const controller = makeController({
        name,
        platform,
        random,
        sources: [
          watched({
            informer: hooks,
            keys: ownKey,
            when: (change) => shared.changes.matters(change),
          }),
          watched({
            informer: ofPods,
            keys: (pod) => [...hooksOfPod(hooks, keyOf(pod)), ...hooksAwaitingPod(hooks, pod)],
          }),
          watched({
            informer: templates,
            keys: (template) => hooksAwaiting(hooks, keyOf(template)),
          }),
          shared.wakeUps,
        ],
        workers: WORKERS,
        backoff: BACKOFF,
        // A hook that may be frozen is reconciled before all new hooks that wait, however many there are.
        isUrgent: (key) => shared.mayBeFrozen(key),
        reconcile: (key, pass) => driveHook(shared, key, pass),
        observe: observeController,
      });
      const lost = term.leadership?.signal;
      lost?.addEventListener('abort', shared.leave);
      try {
        await controller.run(term);
      } finally {
        lost?.removeEventListener('abort', shared.leave);
        shared.close();
      }
    },
  };
}
