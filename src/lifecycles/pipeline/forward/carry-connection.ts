/** Carries one connection of a local port to a pod through the API server and back, until either side ends. */
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { forwardPort, type PortConnection } from '../../../kube/port-forward.ts';
import type { AcceptedConnection } from '../../../platform/tcp-listener.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { KubeTarget } from '../session.ts';
import { findPod, type ForwardRule } from './find-pod.ts';

export interface CarryContext {
  readonly target: KubeTarget;
  readonly rule: ForwardRule;
  /** Abort this to end the connection. It is also aborted when the connection has ended. */
  readonly own: AbortController;
  /** Called at the end of the connection with the reason of a failure, without its full stop; null: there was none. */
  readonly emit: (trouble: string | null) => void;
}

/** Milliseconds to wait for a pod that is being replaced. */
export const REACH_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Milliseconds. A client that half-closes may still expect an answer. After this time without an answer the pod's side
 * is closed too.
 */
const HALF_CLOSED_MS = 30_000;

/** Carries one connection to a pod. Never rejects for an error of the pod, the cluster or the peer. */
export async function carryConnection(
  accepted: AcceptedConnection,
  context: CarryContext,
): Promise<void> {
  try {
    const pod = await reach(context);
    if (pod === null) accepted.reset();
    else await carry(accepted, pod, context);
  } finally {
    context.own.abort();
  }
}

/** Connects to the pod. null: there was no connection within the time. The last reason is emitted. */
async function reach({ target, rule, own, emit }: CarryContext): Promise<PortConnection | null> {
  const { clock, timers } = target.connection.platform;
  const { signal } = own;
  const endMs = clock.monotonicMs() + REACH_MS;
  for (;;) {
    let why: string;
    try {
      const found = await findPod(target.client, rule);
      if (found.kind === 'found') {
        const { namespace } = rule;
        return await forwardPort(target.connection, { namespace, signal, ...found });
      }
      ({ why } = found);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
      why = error.message;
    }
    if (signal.aborted) return null;
    if (clock.monotonicMs() >= endMs) {
      emit(why);
      return null;
    }
    await sleep(timers, PAUSE_MS, signal);
  }
}

async function carry(
  accepted: AcceptedConnection,
  pod: PortConnection,
  { target, own, emit }: CarryContext,
): Promise<void> {
  const { clock, timers } = target.connection.platform;
  let receivedMs = clock.monotonicMs();
  const up = async (): Promise<void> => {
    if (!(await sendAll(accepted.received, (bytes) => pod.write(bytes)))) pod.close();
    // The peer has closed the connection, or only half of it: the two cannot be distinguished.
    while (!own.signal.aborted && clock.monotonicMs() - receivedMs < HALF_CLOSED_MS) {
      await sleep(timers, HALF_CLOSED_MS, own.signal);
    }
    pod.close();
  };
  const sending = up();
  const isReceived = await sendAll(pod.received, async (bytes) => {
    receivedMs = clock.monotonicMs();
    await accepted.write(bytes);
    return true;
  });
  if (!isReceived) pod.close();
  const end = await pod.ended;
  if (end.kind === 'closed') accepted.close();
  else accepted.reset();
  emit(end.kind === 'failed' ? end.message : null);
  own.abort();
  await sending;
}

/** Returns false if one side failed. */
async function sendAll(
  from: AsyncIterable<Uint8Array>,
  to: (bytes: Uint8Array) => Promise<boolean>,
): Promise<boolean> {
  try {
    for await (const bytes of from) if (!(await to(bytes))) return false;
    return true;
  } catch {
    return false;
  }
}
