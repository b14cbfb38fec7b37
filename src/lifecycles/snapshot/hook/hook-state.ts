/** The state that the reconciles of hooks share during one term. A new term starts from the state in the API alone. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Informer } from '../../../controller/informer.ts';
import { OwnWrites } from '../../../controller/own-writes.ts';
import type { PassContext } from '../../../controller/reconcile.ts';
import type { Source } from '../../../controller/source.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { SnapshotContext } from '../context.ts';
import type { ContainerStatus, ExecutionHook } from '../kinds.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import { Attempts } from './attempts.ts';
import { ElapsedTimes } from './elapsed-times.ts';
import { HoldRegistry } from './hold-registry.ts';
import { KeptStatuses } from './kept-statuses.ts';
import { OwnChanges } from './own-changes.ts';
import { ProbeRounds } from './probe-rounds.ts';
import { Sessions } from './sessions.ts';
import { frozenSinceMs, isHeld, targetsOf, timeOf } from './targets.ts';

export interface HookStateOptions {
  readonly context: SnapshotContext;
  readonly hooks: Informer<ExecutionHook>;
  readonly pods: Informer<Pod>;
  readonly resolveRecipe: ResolveRecipe;
}

export class HookState {
  readonly context: SnapshotContext;
  readonly hooks: Informer<ExecutionHook>;
  readonly pods: Informer<Pod>;
  readonly resolveRecipe: ResolveRecipe;
  readonly own: OwnWrites<ExecutionHook>;
  readonly kept: KeptStatuses = new KeptStatuses();
  readonly attempts: Attempts = new Attempts();
  readonly sessions: Sessions = new Sessions();
  readonly holds: HoldRegistry;
  readonly rounds: ProbeRounds;
  readonly changes: OwnChanges = new OwnChanges({
    newest: (key) => this.newest(key),
    wake: (key) => {
      this.wake(key);
    },
  });
  readonly #uids = new Map<string, string>();
  readonly #frozen: ElapsedTimes;
  readonly #ages: ElapsedTimes;
  readonly #read = new Map<string, number>();
  #enqueue: (key: string) => void = () => {};

  constructor(options: HookStateOptions) {
    this.context = options.context;
    this.hooks = options.hooks;
    this.own = new OwnWrites(options.hooks);
    this.pods = options.pods;
    this.resolveRecipe = options.resolveRecipe;
    this.holds = new HoldRegistry(options.hooks);
    this.#frozen = new ElapsedTimes(options.context.platform.clock);
    this.#ages = new ElapsedTimes(options.context.platform.clock);
    this.rounds = new ProbeRounds(options.context.platform);
  }

  /** Emits the keys of hooks to reconcile again: an attempt has ended, or a hold was released. */
  get wakeUps(): Source {
    return {
      synced: () => Promise.resolve(),
      listen: (enqueue) => {
        this.#enqueue = enqueue;
        return () => {
          this.#enqueue = () => {};
        };
      },
    };
  }

  wake(...keys: readonly string[]): void {
    for (const key of keys) this.#enqueue(key);
  }

  /** Whether a freeze has started and no thaw of it is known. */
  mayBeFrozen(key: string): boolean {
    const hook = this.newest(key);
    return hook !== undefined && targetsOf(this.kept.over(hook)).some(isHeld);
  }

  /** The newest known version of the hook; undefined: none. */
  newest(key: string): ExecutionHook | undefined {
    return this.own.newest(key, this.hooks.get(key));
  }

  /** Records the UID of the hook with this key, and forgets an earlier hook of that name. */
  know(key: string, uid: string): void {
    const known = this.#uids.get(key);
    if (known === uid) return;
    if (known !== undefined) this.forget(key);
    this.#uids.set(key, uid);
  }

  forget(key: string): void {
    const uid = this.#uids.get(key) ?? '';
    this.own.forget(key);
    this.changes.forget(key);
    this.#uids.delete(key);
    this.kept.forget(uid);
    this.#clear(uid);
    this.wake(...this.holds.forget(key, uid));
  }

  /**
   * Drops the state of a hook. Call it when no target is frozen any more. Cancels an attempt that still runs. Another
   * call costs little.
   */
  drop(uid: string): void {
    if (!this.kept.isOwed(uid)) this.kept.forget(uid);
    if (this.#frozen.has(uid) || this.#ages.has(uid)) this.#clear(uid);
  }

  #clear(uid: string): void {
    this.#frozen.forget(uid);
    this.#ages.forget(uid);
    this.#read.delete(uid);
    this.attempts.forget(uid);
    this.sessions.forget(uid);
    this.rounds.forget(uid);
  }

  /** Milliseconds since the first freeze of the hook; null: none was recorded. */
  frozenForMs(uid: string, targets: readonly ContainerStatus[]): number | null {
    const sinceMs = frozenSinceMs(targets);
    return sinceMs === null ? null : this.#frozen.sinceMs(uid, sinceMs);
  }

  /** Milliseconds since the creation of the hook. */
  ageMs({ metadata = {} }: ExecutionHook): number {
    const [createdMs = this.context.platform.clock.nowMs()] = timeOf(metadata.creationTimestamp);
    return this.#ages.sinceMs(metadata.uid ?? '', createdMs);
  }

  /** Records when the pods of the targets were read from the server. `atMs`: milliseconds of the monotonic clock. */
  targetsWereRead(uid: string, atMs: number): void {
    this.#read.set(uid, atMs);
  }

  /** Milliseconds since the targets were read; Infinity: they never were. */
  sinceTargetsWereReadMs(uid: string): number {
    const atMs = this.#read.get(uid) ?? Number.NEGATIVE_INFINITY;
    return this.context.platform.clock.monotonicMs() - atMs;
  }

  /**
   * Call when the Lease is lost, even while reconciles still wait for the server. It requests a thaw from each session
   * helper and stops its renewals: the next leader relies on the end of the dead-man window.
   */
  readonly leave = (): void => {
    this.sessions.close();
  };

  /** Requests a thaw from session helpers; does not wait for other running attempts. */
  close(): void {
    this.attempts.close();
    this.rounds.close();
    this.sessions.close();
  }
}

/** The parameters that every step of one reconcile of a hook shares. */
export interface Driving {
  readonly shared: HookState;
  readonly key: string;
  readonly pass: PassContext;
  /** Checks before each write whether this process still leads (SNAP-I14). */
  readonly client: KubeClient;
}
