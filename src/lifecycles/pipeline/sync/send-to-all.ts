/** Sends a delivery into every container that runs the image, including containers that are about to start. */
import { errorText } from '../../../platform/error-text.ts';
import { sleep } from '../../../platform/sleep.ts';
import { type ClusterPort, CONTAINER_WAIT_MS } from '../hooks/run-context.ts';
import {
  type ContainerTarget,
  selectContainers,
  type Selection,
  targetName,
} from '../hooks/select-containers.ts';
import type { PipelineSession } from '../session.ts';
import { type Instance, instancesOf, type Receivers } from './container-root.ts';
import { type Delivery, sendFiles, type SendPorts } from './send-files.ts';

/** Maximum attempts per container, with increasing delays. */
export const MAX_SENDS = 3;
const PAUSE_MS = 200;
const POLL_MS = 100;

/** `into`: the container instances that have the delivery. The reason is the end of a sentence. */
export type Sent =
  | { readonly kind: 'sent'; readonly into: ReadonlySet<Instance> }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Sends the delivery. Repeats that until every matching container runs and has the delivery, at most as long as hooks
 * wait for containers. It must repeat, since a container that starts or restarts has the image without the change.
 */
export async function sendToAll(
  { hooks, platform }: PipelineSession,
  receivers: Receivers,
  delivery: Delivery,
): Promise<Sent> {
  const { cluster, signal } = hooks;
  if (cluster === null) return failed(NO_CLUSTER);
  const { clock, timers } = platform;
  const endMs = clock.monotonicMs() + CONTAINER_WAIT_MS;
  const sender = new Sender(delivery, { exec: cluster.exec, signal });
  for (;;) {
    const found = await receiversNow(cluster, receivers);
    if (typeof found === 'string') return failed(found);
    const round = await sender.sendTo(found);
    if (round.kind === 'done') return { kind: 'sent', into: sender.into };
    if (round.kind === 'failed' || clock.monotonicMs() >= endMs) return failed(round.reason);
    await sleep(timers, round.pauseMs, signal);
    if (signal.aborted) return failed(INTERRUPTED);
  }
}

/** Waits until a container with the image runs. Returns null, or the reason why none runs, as the end of a sentence. */
export async function awaitReceiver(
  { hooks, platform }: PipelineSession,
  receivers: Receivers,
): Promise<string | null> {
  const { cluster, signal } = hooks;
  if (cluster === null) return NO_CLUSTER;
  const { clock, timers } = platform;
  const endMs = clock.monotonicMs() + CONTAINER_WAIT_MS;
  for (;;) {
    const found = await receiversNow(cluster, receivers);
    if (typeof found === 'string') return found;
    // An interruption needs no reason here: the hooks and the delivery get the same signal, and report the
    // interruption.
    if (found.running.length > 0 || signal.aborted) return null;
    if (clock.monotonicMs() >= endMs) return `${namesOf(found)} did not start in time`;
    await sleep(timers, POLL_MS, signal);
  }
}

function failed(reason: string): Sent {
  return { kind: 'failed', reason };
}

const INTERRUPTED = 'it was interrupted';
const NO_CLUSTER = 'there is no cluster to send the files to';

interface Found extends Selection {
  /** The current instance of each running container. */
  readonly instances: ReadonlyMap<ContainerTarget, Instance>;
}

async function receiversNow(
  cluster: ClusterPort,
  { built, deployed: { namespaces } }: Receivers,
): Promise<Found | string> {
  try {
    const pods = await cluster.pods(namespaces);
    const found = selectContainers({ action: {}, namespaces, image: built.reference }, pods);
    const isNone = found.running.length + found.waiting.length === 0;
    if (isNone) return 'no container runs its image';
    return { ...found, instances: instancesOf(found.running, pods) };
  } catch (error) {
    return `the pods could not be listed: ${errorText(error)}`;
  }
}

function namesOf({ waiting }: Selection): string {
  return waiting.map((target) => targetName(target)).join(', ');
}

type Round =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'again'; readonly reason: string; readonly pauseMs: number };

interface NotSent {
  readonly reason: string;
  readonly attempt: number;
  readonly isFinal: boolean;
}

/** Sends a delivery, and records which containers have it, and how many attempts failed for the others. */
class Sender {
  readonly #delivery: Delivery;
  readonly #ports: SendPorts;
  readonly #done = new Set<Instance>();
  readonly #failures = new Map<string, number>();

  constructor(delivery: Delivery, ports: SendPorts) {
    this.#delivery = delivery;
    this.#ports = ports;
  }

  get into(): ReadonlySet<Instance> {
    return this.#done;
  }

  /** Sends the delivery, in parallel, to all running containers that lack it. */
  async sendTo(found: Found): Promise<Round> {
    const left = [...found.instances].filter(([, instance]) => !this.#done.has(instance));
    const ends = await Promise.all(left.map((one) => this.#sendOne(...one)));
    const notSent = ends.filter((end) => end !== null);
    const worst = notSent.find(({ isFinal }) => isFinal) ?? notSent[0];
    if (worst !== undefined) {
      const { reason, isFinal, attempt } = worst;
      return isFinal
        ? { kind: 'failed', reason }
        : { kind: 'again', reason, pauseMs: PAUSE_MS * attempt };
    }
    if (found.waiting.length === 0) return { kind: 'done' };
    return { kind: 'again', reason: `${namesOf(found)} did not start in time`, pauseMs: POLL_MS };
  }

  async #sendOne(target: ContainerTarget, instance: Instance): Promise<NotSent | null> {
    const name = targetName(target);
    const result = await sendFiles(target, this.#delivery, this.#ports);
    if (result.kind === 'sent') {
      this.#done.add(instance);
      return null;
    }
    const attempt = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, attempt);
    if (result.kind === 'cancelled') return { reason: INTERRUPTED, attempt, isFinal: true };
    const isFinal = !result.again || attempt >= MAX_SENDS;
    return {
      reason: `in ${name} the command that receives the files ${result.reason}`,
      attempt,
      isFinal,
    };
  }
}
