import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { World } from '../world.ts';

/** The API server's state of the pod. */
export class SimPodApi {
  readonly #world: World;
  pod: Pod;
  /** True if the pod was removed: by force, or because its node reported it as over. */
  deleted: boolean = false;
  /**
   * Time of the first deletion request, with the wall clock and the number of clock settings then; null if there was
   * none.
   */
  asked: {
    readonly atMs: number;
    readonly wallMs: number;
    readonly clockSettings: number;
  } | null = null;

  constructor(world: World, pod: Pod) {
    this.#world = world;
    this.pod = pod;
  }

  get status(): PodStatus {
    return this.pod.status ?? {};
  }

  /**
   * The pod as the node sees it. After a removal from the API, the node sets the deletion timestamp itself, as in
   * production.
   */
  get podOfNode(): Pod {
    if (!this.deleted) return this.pod;
    const deletionTimestamp = new Date(this.#world.wallMs).toISOString();
    const metadata = { ...this.pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 };
    return { ...this.pod, metadata };
  }

  setStatus(status: PodStatus): void {
    this.#world.note(`the API takes the status, ${status.phase}`);
    this.pod = { ...this.pod, status };
  }

  /**
   * Sets the deletion timestamp as the API server does: counted from the first request, and never moved to a later
   * time. Returns false if the request changes nothing.
   */
  delete(graceSeconds: number): boolean {
    const before = this.pod.metadata?.deletionGracePeriodSeconds;
    if (this.deleted || (before !== undefined && graceSeconds >= before)) return false;
    this.#world.note(`deleted with ${graceSeconds} s`);
    const { elapsedMs: atMs, clockSettings, wallMs } = this.#world;
    this.asked ??= { atMs, wallMs, clockSettings };
    const endMs = Math.floor(this.asked.wallMs / 1_000 + graceSeconds) * 1_000;
    const metadata = {
      ...this.pod.metadata,
      deletionTimestamp: new Date(endMs).toISOString(),
      deletionGracePeriodSeconds: graceSeconds,
    };
    this.pod = { ...this.pod, metadata };
    if (graceSeconds === 0) this.deleted = true;
    return true;
  }
}
