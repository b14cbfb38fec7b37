/** ROLL-S1: our finalizer stays on a hook pod until its outcome is recorded, or no record is kept any more. */
import { resourceName } from '../../../src/kube/object.ts';
import { pods } from '../../../src/kube/resources.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import { type HookRun, hookRuns } from '../../../src/lifecycles/rollout/kinds.ts';
import { HOOK_POD_FINALIZER } from '../../../src/lifecycles/rollout/names.ts';
import type { SimApi, Stored } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import type { World } from '../world.ts';
import type { HookIdentity } from './account.ts';
import { FREED } from './people.ts';

const PODS = resourceName(pods);

export class FinalizerJudge {
  readonly #world: World;
  readonly #api: SimApi;
  /** UIDs of hook pods that have our finalizer. */
  readonly #kept = new Set<string>();
  /**
   * For each pod UID: the number of server restores before the last change of a hook pod that was sent while its
   * outcome was settled. A restore during the request can undo that outcome, and the sender could not know that.
   */
  readonly #sent = new Map<string, number>();

  constructor({ world, api }: { readonly world: World; readonly api: SimApi }) {
    this.#world = world;
    this.#api = api;
  }

  /** Call when a write has left its process. */
  hear({ verb, resource, object }: SimWrite): void {
    if (verb !== 'patch' || resource !== PODS) return;
    const pod = this.#api.find(pods, { namespace: '', name: '', ...object.metadata });
    const hook = pod === undefined ? null : identityOf(pod);
    if (hook === null || this.#isOpen(hook)) return;
    this.#sent.set(pod?.metadata.uid ?? '', this.#api.restores);
  }

  /** Call for each stored state of a hook pod. */
  look({ metadata }: Stored, hook: HookIdentity): void {
    const { uid = '', name = '', finalizers = [], annotations = {} } = metadata;
    if (finalizers.includes(HOOK_POD_FINALIZER)) {
      this.#kept.add(uid);
      return;
    }
    const wasKept = this.#kept.delete(uid) && annotations[FREED] === undefined;
    if (!wasKept || this.#wasInTransit(uid) || !this.#isOpen(hook)) return;
    this.#world.violate('ROLL-S1', `${name} is released, and its outcome is not recorded`);
  }

  /** True if a change of the pod may have been in transit during a restore. */
  #wasInTransit(uid: string): boolean {
    const { restores } = this.#api;
    return (this.#sent.get(uid) ?? restores) < restores;
  }

  #isOpen({ uid, number, stage, attempt }: HookIdentity): boolean {
    const runs = this.#api.peek(hookRuns) as unknown as readonly HookRun[];
    const run = runs.find(
      ({ spec }) => spec.deploymentUID === uid && spec.rollout === number && spec.stage === stage,
    );
    const { attempts = [] } = run?.status ?? {};
    return attempts.some((each) => each.number === attempt && each.outcome === undefined);
  }
}
