/** Runs one attempt on a target. After a freeze it probes whether the freeze is in force. Never rejects. */
import type { AttemptResult } from '../../../model/attempt.ts';
import type { NotStarted, ProbeStatus, ResolvedAction, ResolvedActions } from '../kinds.ts';
import { OUTPUT_BYTES_MAX } from '../schema/limits.ts';
import type { AttemptReport } from './attempts.ts';
import type { Order } from './decide.ts';
import { keptOutput } from './kept-output.ts';
import { askProbe } from './probe-rounds.ts';
import { runRescue } from './run-rescue.ts';
import { type Acted, type ActionWorld, runAction } from './run-action.ts';
import { freezeBySession, thawBySession } from './run-session.ts';
import type { Sessions } from './sessions.ts';
import { ASK_MS, BELIEVED_MS, whyNotThere, whyOther } from './still-there.ts';
import { outlivesContainer } from './targets.ts';

export interface AttemptWorld extends ActionWorld {
  readonly sessions: Sessions;
  readonly hookUid: string;
  readonly resolved: ResolvedActions;
  /** Milliseconds since the target's pod was read from the server. */
  readonly sinceReadMs: number;
  /** Milliseconds until the hook expires; null: never. */
  readonly restUntilExpiryMs: number | null;
  /** Called when the session of the target ends. */
  readonly onSessionEnd: () => void;
}

export async function runAttempt(order: Order, world: AttemptWorld): Promise<AttemptReport> {
  const { observe, platform } = world.context;
  const { namespace, hookName: hook } = world;
  const { action, attempt } = order;
  const { podName: pod, containerName: container } = order.target;
  const about = { target: { namespace, hook, pod, container }, action, attempt };
  const startedMs = platform.clock.monotonicMs();
  observe({ type: 'AttemptStarted', ...about });
  const made = await make(order, world);
  const durationMs = platform.clock.monotonicMs() - startedMs;
  observe({ type: 'AttemptEnded', ...about, outcome: made.outcome, durationMs });
  return { endedAtMs: platform.clock.nowMs(), ...made };
}

/**
 * Makes an attempt. An exception in it is a bug of ours. Its outcome is Unknown, since the attempt may have done
 * anything.
 */
async function make(order: Order, world: AttemptWorld): Promise<Made> {
  try {
    return order.action === 'pre' ? await freezeWhoIsThere(order, world) : await thaw(order, world);
  } catch (error) {
    const reason = `The attempt failed with an internal error: ${String(error)}`;
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
  if (missing !== null) return madeOf({ result: missing, notStarted: 'Unreached' });
  const timeoutMs = order.timeoutMs - (clock.monotonicMs() - startedMs);
  return freeze({ ...order, timeoutMs }, world);
}

async function freeze(order: Order, world: AttemptWorld): Promise<Made> {
  const { context, resolved } = world;
  const { clock } = context.platform;
  const startedMs = clock.monotonicMs();
  const { session } = resolved.preAction;
  const { result, notStarted, holder } =
    session === undefined
      ? { ...(await runAction(order, world, resolved.preAction)), holder: undefined }
      : await freezeBySession(order, world, session);
  const reported = {
    ...madeOf({ result, notStarted }),
    ...(holder === undefined ? {} : { holder }),
  };
  const asks = result.outcome === 'Succeeded' || result.outcome === 'Unknown';
  if (resolved.probe === undefined || !asks) return reported;
  const restMs = order.timeoutMs - (clock.monotonicMs() - startedMs);
  const probe = await askProbe('AfterFreeze', order.target, {
    ...world,
    access: context.freezing,
    probe: resolved.probe,
    timeoutMs: restMs,
  });
  return { ...reported, ...judged(result, probe), probes: [probe] };
}

/** The outcome of a freeze after its probe (SNAP-CASE14). An unknown end stays unknown with any answer (SNAP-I13). */
function judged(
  { outcome, reason }: AttemptResult,
  probe: ProbeStatus,
): Pick<Made, 'outcome' | 'reason'> {
  if (outcome !== 'Succeeded' || probe.outcome === 'Frozen') return { outcome, reason };
  const why = probe.reason ?? '';
  if (probe.outcome === 'NotFrozen') {
    return {
      outcome: 'Failed',
      reason: `The preAction succeeded, but the freeze is not in force: ${why}`,
    };
  }
  const reasonNow = `The freeze succeeded, but the probe could not check it: ${why}`;
  return { outcome: 'Unknown', reason: reasonNow };
}

async function thaw(order: Order, world: AttemptWorld): Promise<Made> {
  const { resolved } = world;
  const { session } = resolved.preAction;
  if (order.place === 'rescue') {
    return { ...madeOf(await runRescue(order, world)), thawedBy: 'rescue' };
  }
  if (session === undefined) {
    return madeOf(await runThaw(order, world, resolved.postAction ?? resolved.preAction));
  }
  let notStarted: NotStarted | null = null;
  const runOwn = async (): Promise<AttemptResult> => {
    const action = { ...resolved.preAction, exec: { command: session.thaw } };
    const acted = await runThaw(order, world, action);
    ({ notStarted } = acted);
    return acted.result;
  };
  const { result, thawedBy } = await thawBySession(order, { ...world, session, runThaw: runOwn });
  return { ...madeOf({ result, notStarted }), ...(thawedBy === undefined ? {} : { thawedBy }) };
}

/** Runs a thaw. A lock that outlives its pod is not thawed by a command that has run in a new pod of the same name. */
async function runThaw(order: Order, world: AttemptWorld, action: ResolvedAction): Promise<Acted> {
  const acted = await runAction(order, world, action);
  const { context, resolved } = world;
  if (acted.result.outcome !== 'Succeeded' || !outlivesContainer(resolved)) return acted;
  const other = await whyOther(context.client, order.target, world);
  if (other === null) return acted;
  const reason = `The thaw is not proven: its command may have run in another pod, since ${other}.`;
  return { ...acted, result: { ...acted.result, outcome: 'Unknown', reason } };
}

function madeOf({ result, notStarted }: Acted): Made {
  const { outcome, exitCode, reason, stdout, stderr } = result;
  const text = [stdout.text, stderr.text].filter((each) => each !== '').join('\n');
  const totalBytes = stdout.totalBytes + stderr.totalBytes;
  const output = keptOutput(text, { totalBytes, bytesMax: OUTPUT_BYTES_MAX });
  const certain = notStarted === null ? {} : { notStarted };
  return { outcome, exitCode, reason, ...certain, output, probes: [] };
}
