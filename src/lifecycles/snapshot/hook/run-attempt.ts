/**
 * Makes one attempt at a target, and after a freeze asks whether it is in force. Never rejects.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Act, AttemptRequest } from '../../../engine/act.ts';
import { bareResult } from '../../../engine/bare-result.ts';
import { makeAttempt } from '../../../engine/make-attempt.ts';
import { runExec } from '../../../handlers/exec.ts';
import { runHttpGet } from '../../../handlers/http-get.ts';
import { runTcpSocket } from '../../../handlers/tcp-socket.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { Handler } from '../../../model/hook.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { ContainerAccess, SnapshotContext } from '../context.ts';
import type { ProbeStatus, ResolvedAction, ResolvedActions } from '../kinds.ts';
import type { AttemptReport } from './attempt.ts';
import type { Order } from './decide.ts';
import { handlerOf } from './handler-of.ts';
import { askProbe } from './probe.ts';
import { freezeBySession, thawBySession } from './run-session.ts';
import type { Sessions } from './sessions.ts';
import { ASK_MS, BELIEVED_MS, whyNotThere } from './still-there.ts';

/** Kept of what an attempt has said, from its end. */
export const OUTPUT_CHARACTERS_MAX = 1_024;

export interface AttemptWorld {
  readonly context: SnapshotContext;
  readonly sessions: Sessions;
  readonly namespace: string;
  readonly hookName: string;
  readonly hookUid: string;
  readonly resolved: ResolvedActions;
  /** How long ago the server was asked for the target's pod, milliseconds. */
  readonly sinceReadMs: number;
  /** As it was when the attempt was decided; absent: it is not known. */
  readonly pod: Pod | undefined;
  /** Until the hook expires; null: never. */
  readonly restUntilExpiryMs: number | null;
  readonly signal: CancelSignal;
  /** The session of the target has ended. */
  readonly onSessionEnd: () => void;
}

export async function runAttempt(order: Order, world: AttemptWorld): Promise<AttemptReport> {
  const { observe, platform } = world.context;
  const { namespace, hookName: hook } = world;
  const { podName: pod, containerName: container } = order.target;
  const about = { target: { namespace, hook, pod, container }, action: order.action };
  const startedMs = platform.clock.monotonicMs();
  observe({ type: 'AttemptStarted', ...about });
  const made = await make(order, world);
  const durationMs = platform.clock.monotonicMs() - startedMs;
  observe({ type: 'AttemptEnded', ...about, outcome: made.outcome, durationMs });
  return { endedAtMs: platform.clock.nowMs(), ...made };
}

/** What breaks in here is our own mistake, and nobody knows how far it had come. */
async function make(order: Order, world: AttemptWorld): Promise<Made> {
  try {
    return order.action === 'pre' ? await freezeWhoIsThere(order, world) : await thaw(order, world);
  } catch (error) {
    const reason = `The attempt broke: ${String(error)}`;
    return { outcome: 'Unknown', exitCode: null, reason, output: '', probes: [] };
  }
}

type Made = Omit<AttemptReport, 'endedAtMs'>;

async function freezeWhoIsThere(order: Order, world: AttemptWorld): Promise<Made> {
  const { sinceReadMs, context, namespace, signal } = world;
  if (sinceReadMs <= BELIEVED_MS) return freeze(order, world);
  const { clock } = context.platform;
  const startedMs = clock.monotonicMs();
  const limitMs = Math.max(1, Math.min(order.timeoutMs, ASK_MS));
  const call = { namespace, signal, timeoutMs: limitMs };
  const missing = await whyNotThere(context.client, order.target, call);
  if (missing !== null) return madeOf(missing);
  const timeoutMs = order.timeoutMs - (clock.monotonicMs() - startedMs);
  return freeze({ ...order, timeoutMs }, world);
}

async function freeze(order: Order, world: AttemptWorld): Promise<Made> {
  const { context, resolved } = world;
  const { clock } = context.platform;
  const startedMs = clock.monotonicMs();
  const { session } = resolved.preAction;
  const { result, holder } =
    session === undefined
      ? { result: await act(order, world, resolved.preAction), holder: undefined }
      : await freezeBySession(order, world, session);
  const told = { ...madeOf(result), ...(holder === undefined ? {} : { holder }) };
  const asks = result.outcome === 'Succeeded' || result.outcome === 'Unknown';
  if (resolved.probe === undefined || !asks) return told;
  const restMs = order.timeoutMs - (clock.monotonicMs() - startedMs);
  const probe = await askProbe('AfterFreeze', order.target, {
    ...world,
    access: context.freezing,
    probe: resolved.probe,
    timeoutMs: restMs,
  });
  return { ...told, ...judged(result, probe), probes: [probe] };
}

/** What the answer makes of a freeze (case 14). One that nobody saw end stays so, whatever the answer (I13). */
function judged(
  { outcome, reason }: AttemptResult,
  probe: ProbeStatus,
): Pick<Made, 'outcome' | 'reason'> {
  if (outcome !== 'Succeeded' || probe.outcome === 'Frozen') return { outcome, reason };
  const why = probe.reason ?? '';
  if (probe.outcome === 'NotFrozen') {
    return { outcome: 'Failed', reason: `The freeze is not in force, though it succeeded: ${why}` };
  }
  const reasonNow = `The freeze succeeded, but whether it is in force could not be asked: ${why}`;
  return { outcome: 'Unknown', reason: reasonNow };
}

async function thaw(order: Order, world: AttemptWorld): Promise<Made> {
  const { resolved } = world;
  const { session } = resolved.preAction;
  if (session !== undefined) {
    const runThaw = (): Promise<AttemptResult> =>
      act(order, world, { ...resolved.preAction, exec: { command: session.thaw } });
    const { result, thawedBy } = await thawBySession(order, { ...world, session, runThaw });
    return { ...madeOf(result), ...(thawedBy === undefined ? {} : { thawedBy }) };
  }
  return madeOf(await act(order, world, resolved.postAction ?? resolved.preAction));
}

function madeOf({ outcome, exitCode, reason, stdout, stderr }: AttemptResult): Made {
  const output = [stdout.text, stderr.text].filter((text) => text !== '').join('\n');
  return { outcome, exitCode, reason, output: output.slice(-OUTPUT_CHARACTERS_MAX), probes: [] };
}

function act(
  { target, action: actionName, attempt, timeoutMs }: Order,
  { context, pod, signal, namespace, hookName }: AttemptWorld,
  action: ResolvedAction,
): Promise<AttemptResult> {
  const access = actionName === 'pre' ? context.freezing : context.thawing;
  const choice = handlerOf(action, target, { namespace, pod });
  if ('problem' in choice) return Promise.resolve(bareResult('Failed', choice.problem, 0));
  const { platform } = context;
  const request: AttemptRequest = {
    runId: target.podUID,
    step: actionName,
    hook: {
      name: actionName,
      handler: choice.handler,
      timeoutSeconds: timeoutMs / 1_000,
      retry: { limit: 0, backoffSeconds: 0 },
      failurePolicy: 'Abort',
      source: { kind: 'object', object: `ExecutionHook ${hookName}` },
    },
    attempt,
    timeoutMs,
    signal,
  };
  return makeAttempt({ act: actOf(access, platform), request, platform });
}

/** Of the handlers that a hook may have in a cluster. */
function actOf(access: ContainerAccess, platform: SnapshotContext['platform']): Act {
  const world = { ...platform, exec: access.exec, network: access.network };
  return (request) => {
    const handler: Handler = request.hook.handler;
    switch (handler.kind) {
      case 'exec':
        return runExec(handler, request, world);
      case 'httpGet':
        return runHttpGet(handler, request, world);
      case 'tcpSocket':
        return runTcpSocket(handler, request, world);
      case 'command':
      case 'sleep': {
        const reason = `A hook in a cluster does no ${handler.kind}.`;
        return Promise.resolve(bareResult('Failed', reason, 0));
      }
      default:
        return handler satisfies never;
    }
  };
}
