/**
 * The path of a status from the node to the API server. A status may be late, overtaken by a newer one, or changed by
 * foreign webhooks.
 */
import type { PodStatus } from 'kubernetes-types/core/v1.js';

import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Life, PodAccount } from './account.ts';
import { judgeStatus } from './judge-status.ts';
import { judgeReported } from './judge-reported.ts';
import type { SimPodApi } from './sim-pod-api.ts';
import { admitStatus } from './webhooks.ts';

/** Milliseconds by which a late status is delayed. */
const LATE_MS = 5_000;

export interface StatusWireOptions {
  readonly world: World;
  readonly api: SimPodApi;
  readonly account: PodAccount;
  readonly random: Random;
  /** Random numbers of the webhook. */
  readonly webhook: Random;
  readonly faulty: () => boolean;
  /** Called when the API has stored the status. */
  readonly onTaken: (life: Life) => void;
}

export class StatusWire {
  readonly #options: StatusWireOptions;
  readonly #webhookChance: number;

  constructor(options: StatusWireOptions) {
    this.#options = options;
    this.#webhookChance = options.webhook.pick([0, 0.1, 0.5]);
  }

  /** Sends the status after a delay. If the node has a newer status by then, this one is dropped. */
  take(life: Life, status: PodStatus): void {
    const { world, api, account, random, faulty, onTaken } = this.#options;
    judgeStatus(account, status);
    judgeReported(account, status, api.status);
    const thrownMs = random.pick([0, 20, 20, 300, faulty() ? LATE_MS : 1]);
    const isLate = faulty() && world.faults.of('status late').decides(thrownMs === LATE_MS, null);
    const sendMs = isLate ? LATE_MS : Math.min(thrownMs, 300);
    world.after(sendMs, () => {
      if (!life.alive || life.status !== status || api.deleted) return;
      api.setStatus(this.#admitted(status));
      onTaken(life);
    });
  }

  #admitted(status: PodStatus): PodStatus {
    const { world, webhook, faulty } = this.#options;
    const fault = world.faults.of('webhook changes the status');
    if (!faulty() || !fault.chance(webhook, this.#webhookChance)) return status;
    world.note('webhook: changes the status');
    return admitStatus(status, webhook);
  }
}
