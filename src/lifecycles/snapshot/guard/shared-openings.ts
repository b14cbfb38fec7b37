/**
 * Creations of windows that requests share: one at a time for each window. Each creation makes the API server call the webhook
 * of the authors in this process, so that many at once would delay the freeze that all of them wait for.
 */
import type { KubeClient } from '../../../kube/client.ts';
import { createOrGet } from '../../../kube/get-or-null.ts';
import { keyOf } from '../../../controller/object-key.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';

type Client = Pick<KubeClient, 'create' | 'get'>;

export class SharedOpenings {
  readonly #client: Client;
  readonly #running = new Map<string, Promise<ApplicationSnapshot>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Resolves with the window of that name, whichever process created it: it may follow an older state of the guard. */
  open(window: ApplicationSnapshot): Promise<ApplicationSnapshot> {
    const key = keyOf(window);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const opening = createOrGet(this.#client, applicationSnapshots, window).finally(() => {
      this.#running.delete(key);
    });
    this.#running.set(key, opening);
    return opening;
  }
}
