/** The pods of what was deployed, followed. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { Informer } from '../../../controller/informer.ts';
import { listWatch } from '../../../kube/list-watch.ts';
import { pods } from '../../../kube/resources.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { KubeTarget } from '../session.ts';

export interface PodWatchOptions {
  readonly namespaces: readonly string[];
  readonly signal: CancelSignal;
  /** Of each change of one of them. */
  readonly onChange: () => void;
}

export class PodWatch implements AsyncDisposable {
  readonly namespaces: readonly string[];
  readonly #informers: readonly Informer<Pod>[];
  readonly #stop: LinkedSignal;
  readonly #runs: readonly Promise<void>[];

  /** Where the server does not answer, it tries again until it is disposed of. */
  constructor(
    { connection }: Pick<KubeTarget, 'connection'>,
    { namespaces, signal, onChange }: PodWatchOptions,
  ) {
    this.namespaces = namespaces;
    const stop = new LinkedSignal(signal);
    this.#stop = stop;
    this.#informers = namespaces.map((namespace) => {
      const watch = (until: CancelSignal): ReturnType<typeof listWatch<Pod>> =>
        listWatch(connection, pods, { namespace, signal: until });
      const made = new Informer({ resource: pods, watch });
      made.listen(onChange);
      return made;
    });
    this.#runs = this.#informers.map((one) => one.run(stop));
  }

  /** As they were last told. */
  get pods(): readonly Pod[] {
    return this.#informers.flatMap((one) => one.list());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#stop.release();
    await Promise.allSettled(this.#runs);
  }
}
