import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { World } from '../world.ts';

/** The API server's view of the one pod. */
export class SimPodApi {
  readonly #world: World;
  pod: Pod;
  /** True: it was removed, by force or because its node reported that it is over. */
  deleted: boolean = false;
  /** Time of the first deletion request, and the clock at that time. */
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

  /** After a removal from the API the node computes the deadline itself, as in production. */
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

  /** Marks the deletion as the server does, from the first request on and never later. False: nothing changes. */
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
