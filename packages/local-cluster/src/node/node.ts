/**
 * The one node of the local cluster: it runs the pods that are bound to it.
 *
 * After a restart it takes over the running containers of its pods.
 *
 * - A container is started only for a pod that the API server has. Containers of a deleted pod are stopped.
 * - A pod that has Succeeded or Failed is never started again.
 * - Stopping the node stops no container.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Change, Informer } from '../../../../src/controller/informer.ts';
import { fromLabels } from '../../../../src/platform/container-labels.ts';
import { errorText } from '../../../../src/platform/error-text.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import type {
  ContainerRuntime,
  RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import { deletePod, foundContainer, type LifeContext, PodLife } from './pod-life.ts';
import type { FoundContainer } from './pod-worker.ts';
import type { SourceReference } from './sources.ts';

/** First and last number for the last two bytes of an address: 127.10.0.1 to 127.10.255.254, about 65 000 addresses. */
const FIRST = 1;
const LAST = 0xff_fe;

/**
 * Addresses of pods. Each pod has its own loopback address, so that several pods can listen on the same port.
 *
 * On Linux all of 127.0.0.0/8 exists without set-up. On macOS only added addresses exist, so every pod gets 127.0.0.1,
 * and ports must differ.
 */
class PodAddresses {
  readonly #taken = new Map<string, string>();
  readonly #shared: boolean;
  readonly #range: string;
  #next = FIRST;

  /** `range`: the first two numbers, such as "127.10."; `shared`: true if this host has only one loopback address. */
  constructor({ range, shared }: { readonly range: string; readonly shared: boolean }) {
    this.#range = range;
    this.#shared = shared;
  }

  /** Returns the pod's address. A pod that had an address gets it again if it is free. */
  take(podUid: string, had?: string): string {
    if (this.#shared) return '127.0.0.1';
    const mine = [...this.#taken].find(([, uid]) => uid === podUid)?.[0];
    if (mine !== undefined) return mine;
    const address = had !== undefined && !this.#taken.has(had) ? had : this.#free();
    this.#taken.set(address, podUid);
    return address;
  }

  release(podUid: string): void {
    for (const [address, uid] of this.#taken) if (uid === podUid) this.#taken.delete(address);
  }

  /**
   * Takes the next free address, in a circle. So an address is not reused at once: a client may still use it for the
   * deleted pod.
   */
  #free(): string {
    for (let tried = FIRST; tried <= LAST; tried += 1) {
      const number = this.#next;
      this.#next = number === LAST ? FIRST : number + 1;
      const address = `${this.#range}${number >> 8}.${number & 0xff}`;
      if (!this.#taken.has(address)) return address;
    }
    throw new Error(`all ${LAST} pod addresses are taken`);
  }
}

export interface NodeOptions extends LifeContext {
  /** The pods that are bound to this node. The caller starts the informer. */
  readonly pods: Informer<Pod>;
  /** Container runtimes by `spec.runtimeClassName`; '' is the default one. */
  readonly runtimes: ReadonlyMap<string, ContainerRuntime>;
  /**
   * Ids of containers that the CLI killed when it last stopped the cluster. They did not fail, so they start without
   * back-off.
   */
  readonly endedByUs: ReadonlySet<string>;
  readonly stateFolder: string;
  /** First two numbers of the pods' addresses, with the final dot, such as "127.10." */
  readonly podRange: string;
  readonly oneLoopbackAddress: boolean;
}

/** Mode of the directory of all pods. The runtimes let each container enter it. */
const PRIVATE_MODE = 0o700;

/** Milliseconds for which the node's start waits until the containers and directories of deleted pods are removed. */
const ORPHANS_WAIT_MS = 10_000;

export class LocalNode {
  readonly #options: NodeOptions;
  readonly #lives = new Map<string, PodLife>();
  readonly #addresses: PodAddresses;
  #found = new Map<string, FoundContainer[]>();
  #stopListening: () => void = () => {};
  readonly #stopping = new AbortController();

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#addresses = new PodAddresses({
      range: options.podRange,
      shared: options.oneLoopbackAddress,
    });
  }

  /** Resolves once running containers are taken over and the node follows its pods. It follows none after `stop`. */
  async start(): Promise<void> {
    const { pods, runtimes, platform, stateFolder } = this.#options;
    const folder = `${stateFolder}/pods`;
    await platform.files.makeFolder(folder, PRIVATE_MODE);
    for (const runtime of new Set(runtimes.values())) this.#find(await runtime.list());
    await pods.synced();
    const known = new Set(pods.list().map(({ metadata }) => metadata?.uid));
    const left = new Set([...this.#found.keys(), ...(await platform.files.list(folder))]);
    await this.#removeOrphans([...left].filter((uid) => !known.has(uid)));
    await Promise.all(pods.list().map((pod) => this.#readLastOutput(pod)));
    if (this.#stopping.signal.aborted) return;
    // Existing pods reserve their addresses before a new pod gets one, so that existing pods keep theirs.
    for (const { metadata, status } of pods.list()) {
      if (status?.podIP !== undefined) this.#addresses.take(metadata?.uid ?? '', status.podIP);
    }
    this.#stopListening = pods.listen((change) => {
      this.#follow(change);
    });
    this.#found = new Map();
  }

  /** Call when a ConfigMap or Secret has changed; updates the volumes that contain it. */
  sourceChanged(namespace: string, source: SourceReference): void {
    for (const life of this.#lives.values()) {
      if (life.namespace === namespace) life.sourceChanged(source);
    }
  }

  stop(): void {
    this.#stopListening();
    this.#stopping.abort();
    for (const life of this.#lives.values()) life.release();
    this.#lives.clear();
  }

  #find(containers: readonly RunningContainer[]): void {
    for (const container of containers) {
      const reported = fromLabels(container.labels);
      if (reported === null) continue;
      const endedByUs = this.#options.endedByUs.has(container.id);
      const identity = endedByUs ? { ...reported, backoffSeconds: null } : reported;
      const of = this.#found.get(identity.podUid) ?? [];
      this.#found.set(identity.podUid, [...of, { identity, container }]);
    }
  }

  /**
   * Goes on in the background after ORPHANS_WAIT_MS, since a container may not end for as long as its runtime fails.
   */
  async #removeOrphans(uids: readonly string[]): Promise<void> {
    const removed = new AbortController();
    const removal = Promise.all(uids.map((uid) => this.#removeOrphan(uid)));
    const { timers } = this.#options.platform;
    await Promise.race([removal, sleep(timers, ORPHANS_WAIT_MS, removed.signal)]);
    removed.abort();
  }

  /**
   * Removes the containers and the directory of a pod that was deleted shortly before the last run of the cluster
   * ended. Never rejects.
   */
  async #removeOrphan(uid: string): Promise<void> {
    const found = this.#found.get(uid) ?? [];
    try {
      await endAll(found);
      await this.#options.platform.files.remove(this.#folderOf(uid));
    } catch (error) {
      // Only the containers know the name of the pod.
      const { namespace = '', pod: name = uid } = found[0]?.identity ?? {};
      this.#warnOfRest({ metadata: { namespace, name, uid } }, error);
    }
  }

  async #readLastOutput(pod: Pod): Promise<void> {
    const uid = pod.metadata?.uid ?? '';
    const found = this.#found.get(uid);
    if (found === undefined) return;
    const place = { ...this.#options, pod, podFolder: this.#folderOf(uid) };
    const reported = found.map(async ({ identity, container }) => ({
      identity,
      container: await foundContainer(container, place),
    }));
    this.#found.set(uid, await Promise.all(reported));
  }

  #folderOf(uid: string): string {
    return `${this.#options.stateFolder}/pods/${uid}`;
  }

  #follow({ before, after }: Change<Pod>): void {
    const uid = (after ?? before)?.metadata?.uid ?? '';
    const life = this.#lives.get(uid);
    if (after === null) void this.#forget(before, life);
    else if (life === undefined) this.#begin(uid, after);
    else life.update(after);
  }

  #begin(uid: string, pod: Pod): void {
    const { runtimes } = this.#options;
    const wanted = pod.spec?.runtimeClassName ?? '';
    const runtime = runtimes.get(wanted);
    if (runtime === undefined) {
      const isTerminating = pod.metadata?.deletionTimestamp !== undefined;
      if (isTerminating) void deletePod(pod, this.#options, this.#stopping.signal);
      else this.#refuseRuntime(pod, wanted);
      return;
    }
    const found = this.#found.get(uid) ?? [];
    const life = new PodLife({
      ...this.#options,
      pod,
      runtime,
      found,
      podIp: this.#addresses.take(uid, pod.status?.podIP),
      podFolder: this.#folderOf(uid),
    });
    this.#lives.set(uid, life);
  }

  #refuseRuntime(pod: Pod, wanted: string): void {
    const known = [...this.#options.runtimes.keys()].filter((key) => key !== '').join(', ');
    const message = `this node does not support runtimeClassName "${wanted}"; it supports ${known}`;
    this.#warn(pod, 'FailedCreatePodSandBox', message);
  }

  async #forget(pod: Pod | null, life: PodLife | undefined): Promise<void> {
    const uid = pod?.metadata?.uid ?? '';
    this.#lives.delete(uid);
    try {
      await life?.ended();
    } catch (error) {
      if (pod !== null) this.#warnOfRest(pod, error);
    }
    this.#addresses.release(uid);
  }

  #warnOfRest(pod: Pod, error: unknown): void {
    const message = `what the deleted pod left could not be removed: ${errorText(error)}`;
    this.#warn(pod, 'FailedKillPod', message);
  }

  #warn({ metadata = {} }: Pod, reason: string, message: string): void {
    const { namespace = '', name = '', uid = '' } = metadata;
    const about = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
    this.#options.recorder.record({ about, type: 'Warning', reason, message });
  }
}

async function endAll(containers: readonly FoundContainer[]): Promise<void> {
  for (const { container } of containers) {
    if (container.end === null) await container.kill();
    await container.remove();
  }
}
