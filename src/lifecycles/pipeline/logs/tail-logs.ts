/**
 * Follows the logs of deployed pods and emits them line by line: of existing and later pods, and of
 * restarted containers. Nothing depends on the logs: an unreadable log causes a warning, and is
 * retried with the container's next run.
 */
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { listWatch } from '../../../kube/list-watch.ts';
import { pods } from '../../../kube/resources.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { withDefaultRepo } from '../build/default-repo.ts';
import type { DeployConfig } from '../config/model.ts';
import { requireTarget } from '../deploy/run-deploy.ts';
import type { Deployed, KubeTarget, PipelineSession } from '../session.ts';
import { containerMasker } from '../values/session-values.ts';
import { deployedPods } from './deployed-pods.ts';
import { ContainerLog } from './container-log.ts';

/** Maximum number of followed containers; logs of more are not shown. */
export const MAX_CONTAINERS = 100;

export interface TailOptions {
  /** Wall clock milliseconds: earlier lines are not shown. Absent: the last lines of each container's existing log. */
  readonly sinceMs?: number;
}

/** Runs until it is disposed of, or the session is cancelled. */
export function tailLogs(
  session: PipelineSession,
  deployed: Deployed,
  options: TailOptions = {},
): AsyncDisposable {
  const target = requireTarget(session);
  const stop = new LinkedSignal(session.hooks.signal);
  const tail = new Tail({ session, deployed, target, options, signal: stop });
  const watches = deployed.namespaces.map((namespace) => tail.watch(namespace));
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      stop.release();
      await Promise.all(watches);
      await tail.ended();
    },
  };
}

interface TailFacts {
  readonly session: PipelineSession;
  readonly deployed: Deployed;
  readonly target: KubeTarget;
  readonly options: TailOptions;
  readonly signal: CancelSignal;
}

class Tail {
  readonly #facts: TailFacts;
  readonly #isMeant: (pod: Pod) => boolean;
  readonly #prefix: DeployConfig['logsPrefix'];
  /** By the pod's uid and the container's name. */
  readonly #logs = new Map<string, ContainerLog>();
  #tooMany = false;

  constructor(facts: TailFacts) {
    const { config, options } = facts.session;
    const { defaultRepo: repo, multiLevelRepo: multiLevel } = options;
    const artifacts = config.modules.flatMap(({ build }) => build.artifacts);
    const images = artifacts.map(({ image }) => withDefaultRepo(image, { repo, multiLevel }));
    this.#facts = facts;
    this.#isMeant = deployedPods(facts.deployed.objects, new Set(images));
    // The last module is the requested one.
    this.#prefix = config.modules.at(-1)?.deploy.logsPrefix ?? 'container';
    facts.signal.addEventListener('abort', () => {
      for (const log of this.#logs.values()) log.stop();
    });
  }

  async watch(namespace: string): Promise<void> {
    const { target, signal } = this.#facts;
    for await (const event of listWatch(target.connection, pods, { namespace, signal })) {
      if (event.type === 'Upsert' && this.#isMeant(event.object)) this.#look(event.object);
      if (event.type === 'Delete') this.#forget(event.object);
    }
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.ended()));
  }

  #look(pod: Pod): void {
    const { initContainerStatuses: init = [], containerStatuses: main = [] } = pod.status ?? {};
    for (const status of [...init, ...main]) this.#logOf(pod, status)?.look(status);
  }

  #logOf({ metadata = {} }: Pod, { name: container }: ContainerStatus): ContainerLog | null {
    const { uid = '', name: pod = '', namespace = '' } = metadata;
    const key = `${uid} ${container}`;
    const known = this.#logs.get(key);
    if (known !== undefined) return known;
    const { session, target, options } = this.#facts;
    if (this.#logs.size >= MAX_CONTAINERS) {
      if (!this.#tooMany) this.#warnOfMany();
      this.#tooMany = true;
      return null;
    }
    const { connection } = target;
    const { emit } = session.hooks;
    const which = { namespace, pod, container };
    const made = new ContainerLog(which, {
      connection,
      emit,
      masker: () => containerMasker(session.hooks, which),
      prefix: this.#prefix,
      sinceMs: options.sinceMs ?? null,
    });
    this.#logs.set(key, made);
    return made;
  }

  #warnOfMany(): void {
    const message = `More than ${MAX_CONTAINERS} containers were deployed: the logs of the others are not shown.`;
    this.#facts.session.hooks.emit({ type: 'Warning', code: 'LHL416', message });
  }

  /** Emits the rest of its log first. */
  #forget({ metadata, spec }: Pod): void {
    for (const { name } of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]) {
      const key = `${metadata?.uid ?? ''} ${name}`;
      void this.#logs
        .get(key)
        ?.ended()
        .then(() => this.#logs.delete(key));
    }
  }
}
