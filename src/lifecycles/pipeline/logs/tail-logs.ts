/**
 * Follows the logs of deployed pods, of later pods and of restarted containers, and emits them line by line. An
 * unreadable log only causes a warning, and is retried with the container's next run.
 */
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import type { KubeConnection } from '../../../kube/client.ts';
import { listWatch } from '../../../kube/list-watch.ts';
import { type LogOptions, podLogs } from '../../../kube/logs.ts';
import { pods } from '../../../kube/resources.ts';
import type { Masker } from '../../../model/secrets.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { withDefaultRepo } from '../build/default-repo.ts';
import type { DeployConfig } from '../config/model.ts';
import { requireTarget } from '../deploy/run-deploy.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import { outputLines } from '../hooks/tap-stdout.ts';
import type { Deployed, KubeTarget, PipelineSession } from '../session.ts';
import { containerMasker } from '../values/session-values.ts';
import { deployedPods, logSource } from './deployed-pods.ts';

/** Maximum number of followed containers. The logs of further containers are not shown. */
export const MAX_CONTAINERS = 100;

export interface TailOptions {
  /** Wall clock milliseconds: earlier lines are not shown. Absent: the last lines of an existing log are shown. */
  readonly sinceMs?: number;
}

/** Prints the logs of the deployed pods, until it is disposed of or the session is cancelled. */
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
  /** Keyed by the pod's uid and the container's name. */
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

  /** Waits for the rest of the logs of a deleted pod, and then forgets its containers. */
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

interface ContainerLogContext {
  readonly connection: KubeConnection;
  readonly emit: HookRunContext['emit'];
  /** Called before the log of each run is read, since a Secret may have changed. Never rejects. */
  readonly masker: () => Promise<Pick<Masker, 'text'>>;
  readonly prefix: DeployConfig['logsPrefix'];
  /** Wall clock milliseconds: earlier lines are not shown; null: the last lines of the existing log are shown. */
  readonly sinceMs: number | null;
}

interface Which {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Number of lines that are shown of a container's existing log. */
const TAIL_LINES = 1_000;

/** Follows the log of one container, one run at a time. The log of a missed run is read before the next one. */
class ContainerLog {
  readonly #which: Which;
  readonly #context: ContainerLogContext;
  /** The restart count of the run that is or was followed; -1: none. */
  #followed = -1;
  /** The restart count of the latest run that has started; -1: none. */
  #latest = -1;
  #reading: Promise<void> | null = null;
  /** A separate controller: Node warns if one signal has a listener for each of many containers. */
  readonly #stopping = new AbortController();

  constructor(which: Which, context: ContainerLogContext) {
    this.#which = which;
    this.#context = context;
  }

  look({ restartCount, state = {}, lastState = {} }: ContainerStatus): void {
    // While the container waits for its next run, `restartCount` is still that of the ended run: the log of that run is
    // read.
    const hasBegun = [state.running, state.terminated, lastState.terminated].some(
      (one) => one !== undefined,
    );
    if (hasBegun) this.#latest = Math.max(this.#latest, restartCount);
    if (this.#followed < this.#latest) this.#reading ??= this.#readOn();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves once no log of the container is being read. A restart may start another reading. */
  async ended(): Promise<void> {
    await this.#reading;
  }

  async #readOn(): Promise<void> {
    while (this.#followed < this.#latest && !this.#stopping.signal.aborted) {
      const run = this.#latest;
      const missed = this.#followed >= 0 && this.#followed < run - 1;
      this.#followed = run;
      if (missed) await this.#read({ previous: true });
      await this.#read({ follow: true });
    }
    this.#reading = null;
  }

  async #read(how: Pick<LogOptions, 'previous' | 'follow'>): Promise<void> {
    const { connection, emit, masker, prefix, sinceMs } = this.#context;
    const { signal } = this.#stopping;
    const source = logSource(prefix, this.#which);
    const begin =
      sinceMs === null ? { tailLines: TAIL_LINES } : { sinceTime: new Date(sinceMs).toISOString() };
    const known = await masker();
    const lines = outputLines((whole) => {
      const line = known.text(whole);
      emit({ type: 'Output', source, stream: 'stdout', line });
    });
    try {
      for await (const { text } of podLogs(connection, {
        ...this.#which,
        ...begin,
        ...how,
        signal,
      })) {
        lines.push(`${text}\n`);
      }
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
      // If the log of an earlier run is no longer kept, or the pod is deleted, there is nothing to report.
      if (how.previous === true || (error instanceof ApiError && error.code === NOT_FOUND)) return;
      const { namespace, pod, container } = this.#which;
      const message = `The log of ${namespace}/${pod}/${container} cannot be read: ${error.message}.`;
      emit({ type: 'Warning', code: 'LHL417', message });
    }
  }
}

const NOT_FOUND = 404;
