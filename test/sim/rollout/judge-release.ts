/**
 * ROLL-L6 and ROLL-M1: a rollout number is released only with the template that its hooks ran for, and after they have
 * succeeded.
 */
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type DeploymentLifecycleSpec,
  type Stage,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { type Account, isSuccess } from './account.ts';
import { type DeploymentLog, mayRollBack, release } from './deployment-log.ts';
import type { KeepingJudge } from './judge-keeping.ts';
import type { LifecycleSpecs } from './lifecycle-specs.ts';
import { KEY_OF_WEB, versionOf } from './scene.ts';

export interface ReleaseOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  readonly specs: LifecycleSpecs;
  readonly keeping: KeepingJudge;
}

export class ReleaseJudge {
  readonly #options: ReleaseOptions;

  constructor(options: ReleaseOptions) {
    this.#options = options;
  }

  /** `log`: the state before this release. */
  judge(log: DeploymentLog, { number, version }: { number: number; version: string }): void {
    const stamped = log.stamps.get(number);
    const wasReleased = version === log.released;
    release(log, version);
    const isBack =
      (wasReleased && mayRollBack(stamped, version)) || this.#isRolledBack(number, version);
    if (stamped === undefined || isBack) return;
    // The first number may be released with another version: a version adopted from a stale cache is restored. That was
    // reported as a bypass.
    if (stamped.version !== version) {
      if (log.stamps.size > 1) this.#judgeOther(log, number, version);
      return;
    }
    const specs = this.#options.keeping.specsOf(stamped);
    if (specs === null) return;
    this.#judgeHooks(log.uid, number, specs);
    if (!wasReleased) this.#judgeRecord(number);
  }

  #judgeHooks(uid: string, number: number, specs: readonly DeploymentLifecycleSpec[]): void {
    for (const stage of ['pre', 'mid'] as const) {
      const lack = this.#lackOf(uid, { number, stage }, specs);
      if (lack !== null) this.#violate(`rollout ${number} is released: ${lack}`);
    }
  }

  /**
   * The gate gives each template its own number. Without a webhook, a template that replaces another keeps the number.
   */
  #judgeOther({ unguarded }: DeploymentLog, number: number, version: string): void {
    if (this.#options.specs.present?.gate === 'PausedAtRest' || unguarded.has(version)) return;
    this.#violate(`rollout ${number} is released with ${version}`);
  }

  #violate(what: string): void {
    this.#options.world.violate('ROLL-L6', what);
  }

  /**
   * True if a hook has failed and the released template is restored. No hook runs again, even if the failed template
   * equals the released one.
   */
  #isRolledBack(number: number, version: string): boolean {
    const lifecycle = this.#options.api.find(deploymentLifecycles, KEY_OF_WEB);
    const { rollout, released } =
      (lifecycle as unknown as DeploymentLifecycle | null)?.status ?? {};
    const isOpen = rollout?.number === number && rollout.phase === 'RollingBack';
    return isOpen && versionOf(released?.template) === version;
  }

  /** ROLL-M1: the status records the rollout before its release. */
  #judgeRecord(number: number): void {
    const lifecycle = this.#options.api.find(deploymentLifecycles, KEY_OF_WEB);
    const { status } = lifecycle as unknown as DeploymentLifecycle;
    if (status?.rollout?.number === number) return;
    this.#violate(`rollout ${number} is released, and the status does not record it`);
  }

  #lackOf(
    uid: string,
    { number, stage }: { number: number; stage: Stage },
    specs: readonly DeploymentLifecycleSpec[],
  ): string | null {
    const hooks = specs.map(({ recreate, rollingUpdate }) => {
      return recreate?.[stage] ?? (stage === 'mid' ? undefined : rollingUpdate?.[stage]);
    });
    if (hooks.some((hook) => hook === undefined || hook.failurePolicy === 'Ignore')) return null;
    const own = this.#options.account.runs.filter(
      ({ hook, epoch }) =>
        hook?.uid === uid &&
        hook.number === number &&
        hook.stage === stage &&
        epoch === this.#options.account.epoch,
    );
    return own.some(isSuccess) ? null : `no ${stage} hook of it has succeeded`;
  }
}
