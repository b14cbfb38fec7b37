/**
 * Writes the node's status of one pod to the API.
 *
 * Only the newest status is written, by one request at a time. It is retried until the server has written or refused it,
 * or the pod is deleted.
 */
import type { PodStatus } from 'kubernetes-types/core/v1.js';

import { ApiError } from '../../../../src/kube/api-error.ts';
import { backoffMs, sleep } from '../../../../src/platform/sleep.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { Json } from '../../../../src/kube/object.ts';
import { pods } from '../../../../src/kube/resources.ts';
import type { Platform } from '../../../../src/platform/platform.ts';

export interface Reporting {
  readonly client: KubeClient;
  readonly platform: Pick<Platform, 'timers'>;
  readonly random: () => number;
  readonly pod: PodIdentity;
  /** Types of conditions that are removed from the pod when a status omits them. */
  readonly passingConditions: readonly string[];
}

export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const UNSAID = { reason: null, message: null };
/** Statuses of a write that other writes have overtaken too often, or that the server had no time for. */
const LATER: readonly number[] = [409, 429];
const RETRY = { firstMs: 100, maxMs: 10_000 };

export class StatusReporter {
  readonly #reporting: Reporting;
  readonly #ending = new AbortController();
  #next: PodStatus | null = null;
  #sending: Promise<void> | null = null;

  constructor(reporting: Reporting) {
    this.#reporting = reporting;
  }

  report(status: PodStatus): void {
    this.#next = status;
    this.#sending ??= this.#sendAll();
  }

  /** Resolves once the last reported status is written, or the reporter is closed. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  close(): void {
    this.#ending.abort();
  }

  async #sendAll(): Promise<void> {
    // Waits a moment, so that several reports in one turn of the event loop become one write.
    await Promise.resolve();
    for (let failures = 0; this.#next !== null && !this.#ending.signal.aborted;) {
      const status = this.#next;
      this.#next = null;
      if (await this.#send(status)) {
        failures = 0;
      } else {
        failures += 1;
        this.#next ??= status;
        const { platform, random } = this.#reporting;
        await sleep(platform.timers, backoffMs(failures, RETRY, random()), this.#ending.signal);
      }
    }
    this.#sending = null;
  }

  /**
   * Returns false if the write must be retried. The uid is a precondition: a recreated pod of the same name must not
   * get the status.
   */
  async #send(status: PodStatus): Promise<boolean> {
    const { client, pod, passingConditions } = this.#reporting;
    const { namespace, name, uid } = pod;
    // A patch that omits a field does not remove it, so null is set.
    const { reason = null, message = null } = status;
    const { conditions = [] } = status;
    const passed = passingConditions.filter((type) => conditions.every((one) => one.type !== type));
    const merged = [
      ...conditions.map((condition) => ({ ...UNSAID, ...condition })),
      ...passed.map((type) => ({ type, $patch: 'delete' })),
    ];
    const reported = { ...status, reason, message, conditions: merged };
    const body = { metadata: { uid }, status: reported } as unknown as Json;
    try {
      const patch = { type: 'strategic', subresource: 'status', body } as const;
      await client.patch(pods, { namespace, name }, patch);
      return true;
    } catch (error) {
      return error instanceof ApiError && error.code < 500 && !LATER.includes(error.code);
    }
  }
}
