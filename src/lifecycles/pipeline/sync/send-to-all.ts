/** A delivery into every container that runs the image, also into those that are about to. */
import { sleep } from '../../../platform/sleep.ts';
import { type ClusterPort, CONTAINER_WAIT_MS } from '../hooks/run-context.ts';
import { selectContainers, type Selection, targetName } from '../hooks/select-containers.ts';
import type { BuiltArtifact, Deployed, PipelineSession } from '../session.ts';
import { type Delivery, sendFiles, type SendPorts } from './send-files.ts';

export interface Receivers {
  readonly built: BuiltArtifact;
  readonly deployed: Pick<Deployed, 'namespaces'>;
}

/** To one container, each after a longer pause. */
export const MAX_SENDS = 3;
const PAUSE_MS = 200;
const POLL_MS = 100;

/**
 * null: it is in every container; else why it is not, the end of a sentence. Looks again until every match runs and
 * has it, as long as hooks wait for containers: one that is about to start has the image without the change.
 */
export async function sendToAll(
  { hooks, platform }: PipelineSession,
  receivers: Receivers,
  delivery: Delivery,
): Promise<string | null> {
  const { cluster, signal } = hooks;
  if (cluster === null) return 'there is no cluster whose containers it could be sent to';
  const { clock, timers } = platform;
  const endMs = clock.monotonicMs() + CONTAINER_WAIT_MS;
  const sender = new Sender(delivery, { exec: cluster.exec, signal });
  for (;;) {
    const found = await receiversNow(cluster, receivers);
    if (typeof found === 'string') return found;
    const round = await sender.sendTo(found);
    if (round.kind === 'done') return null;
    if (round.kind === 'failed' || clock.monotonicMs() >= endMs) return round.reason;
    await sleep(timers, round.pauseMs, signal);
    if (signal.aborted) return INTERRUPTED;
  }
}

const INTERRUPTED = 'it was interrupted';

async function receiversNow(
  cluster: ClusterPort,
  { built, deployed: { namespaces } }: Receivers,
): Promise<Selection | string> {
  try {
    const pods = await cluster.pods(namespaces);
    const found = selectContainers({ action: {}, namespaces, image: built.reference }, pods);
    const isNone = found.running.length + found.waiting.length === 0;
    return isNone ? 'no container runs its image' : found;
  } catch (error) {
    return `the pods could not be listed: ${error instanceof Error ? error.message : String(error)}`;
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

/** Knows who has it already, and how often it was tried with the others. */
class Sender {
  readonly #delivery: Delivery;
  readonly #ports: SendPorts;
  readonly #done = new Set<string>();
  readonly #failures = new Map<string, number>();

  constructor(delivery: Delivery, ports: SendPorts) {
    this.#delivery = delivery;
    this.#ports = ports;
  }

  /** To all that run and lack it, at once. */
  async sendTo(found: Selection): Promise<Round> {
    const left = found.running.filter((target) => !this.#done.has(targetName(target)));
    const ends = await Promise.all(left.map((target) => this.#sendOne(target)));
    const failed = ends.filter((end) => end !== null);
    const worst = failed.find(({ isFinal }) => isFinal) ?? failed[0];
    if (worst !== undefined) {
      const { reason, isFinal, attempt } = worst;
      return isFinal
        ? { kind: 'failed', reason }
        : { kind: 'again', reason, pauseMs: PAUSE_MS * attempt };
    }
    if (found.waiting.length === 0) return { kind: 'done' };
    return { kind: 'again', reason: `${namesOf(found)} did not run in time`, pauseMs: POLL_MS };
  }

  async #sendOne(target: Selection['running'][number]): Promise<NotSent | null> {
    const name = targetName(target);
    const result = await sendFiles(target, this.#delivery, this.#ports);
    if (result.kind === 'sent') {
      this.#done.add(name);
      return null;
    }
    const attempt = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, attempt);
    if (result.kind === 'cancelled') return { reason: INTERRUPTED, attempt, isFinal: true };
    const isFinal = !result.again || attempt >= MAX_SENDS;
    return {
      reason: `in ${name} the command that takes the files ${result.reason}`,
      attempt,
      isFinal,
    };
  }
}
