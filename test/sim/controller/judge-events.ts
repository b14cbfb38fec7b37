/**
 * CTRL-N3: an Event that cannot be written is sent four times before it is dropped, unless the server rejects it for
 * good.
 */
import type { ControllerEvent } from '../../../src/controller/controller-event.ts';
import { ApiError, isReason } from '../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import type { World } from '../world.ts';

const TRIES = 4;

/** Judges one process. Its recorder writes its Events one after the other. */
export class EventJudge {
  readonly #world: World;
  /** Failures since the last Event that was written or dropped. */
  #failures: unknown[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Wraps the client of the recorder. */
  watching(client: KubeClient): KubeClient {
    return {
      ...client,
      create: (...request) => this.#watch(client.create(...request)),
      patch: (...request) => this.#watch(client.patch(...request)),
    };
  }

  observe(event: ControllerEvent): void {
    if (event.type !== 'EventDropped') return;
    const failures = this.#failures.splice(0);
    if (event.reason === 'the recorder was stopped' || isFinal(failures.at(-1))) return;
    if (failures.length === TRIES) return;
    this.#world.violate('CTRL-N3', `an Event is dropped after ${failures.length} tries`);
  }

  async #watch<T>(request: Promise<T>): Promise<T> {
    try {
      const answer = await request;
      this.#failures = [];
      return answer;
    } catch (error) {
      // If an Event was deleted, the recorder creates it again in the same try, so this failure does not count.
      if (!isReason(error, 'NotFound')) this.#failures.push(error);
      throw error;
    }
  }
}

/** True if the server would refuse a retry too. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && ![409, 429].includes(error.code);
}
