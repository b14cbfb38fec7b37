/**
 * Runs one hook of a container through the engine: the start of each attempt is recorded first. After a restart of the
 * node, the outcome of an ended hook is read from its record. A hook whose end was not observed is Unknown, and does
 * not run again. Only a sleep continues for the rest of its time, because it changes nothing.
 */
import { type Act, bareResult } from '../../engine/act.ts';
import { makePlan } from '../../engine/plan.ts';
import { runPlan, type RunOptions } from '../../engine/run.ts';
import { runEnvelope } from '../../engine/run-log.ts';
import type { RunHandler } from '../../handlers/act.ts';
import type { AttemptResult } from '../../model/attempt.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { errorText } from '../../platform/error-text.ts';
import type { ContainerHook } from './hook.ts';
import type { PodHost } from './pod-host.ts';

export interface HookRunning {
  readonly host: Pick<PodHost, 'platform' | 'ledger' | 'emit'>;
  readonly hook: ContainerHook;
  /** Identifies this hook in this run of the container. It is the same after a restart of the node. */
  readonly runId: string;
  readonly act: RunHandler;
  readonly signal: CancelSignal;
}

export interface HookEnd {
  readonly succeeded: boolean;
  /** null: the hook was cancelled before it began. */
  readonly last: AttemptResult | null;
  readonly reason: string;
}

/**
 * Runs a hook and records it. Never rejects: a hook whose start cannot be recorded does not run, and must not block a
 * stop.
 */
export async function runHook(running: HookRunning): Promise<HookEnd> {
  try {
    return await runRecorded(running);
  } catch (error) {
    const reason = `its record could not be stored: ${errorText(error)}`;
    return { succeeded: false, last: bareResult('Unknown', reason, 0), reason };
  }
}

async function runRecorded(running: HookRunning): Promise<HookEnd> {
  const { host, signal } = running;
  const { runId, hook } = await resumed(running);
  const { handler, target, ...planned } = hook;
  const plan = makePlan({
    runId,
    title: hook.source.kind === 'object' ? hook.source.object : hook.name,
    steps: [{ kind: 'main', ...planned }],
    deadlineAtMs: null,
  });
  const { platform, ledger } = host;
  const place = { lifecycle: 'pod', target, point: hook.name, run: runId } as const;
  const emit: RunOptions['emit'] = (event) => host.emit?.(runEnvelope(place, event));
  const act: Act = (request) => running.act(handler, request);
  const { outcome, steps, reason } = await runPlan({ plan, ledger, act, platform, emit, signal });
  const last = steps[0]?.result ?? null;
  return { succeeded: outcome === 'Succeeded', last, reason: last?.reason ?? reason };
}

/**
 * Continues a sleep after a restart of the node. The rest of the sleep gets a record of its own after each restart,
 * because a settled record is final.
 */
async function resumed(running: HookRunning): Promise<Pick<HookRunning, 'runId' | 'hook'>> {
  const { hook, runId, host } = running;
  if (hook.handler.kind !== 'sleep') return { hook, runId };
  let part = runId;
  let beganMs: number | null = null;
  for (;;) {
    const records = await host.ledger.read(part);
    const started = records.find(({ type }) => type === 'AttemptStarted');
    if (started === undefined || records.some(({ type }) => type === 'AttemptSettled')) break;
    beganMs ??= started.atMs;
    part = `${part}/resumed`;
  }
  if (beganMs === null) return { hook, runId };
  // Limited to the requested time, because the clock may have been set back meanwhile.
  const wholeMs = hook.handler.seconds * 1_000;
  const leftMs = Math.min(wholeMs, Math.max(0, beganMs + wholeMs - host.platform.clock.nowMs()));
  return {
    runId: part,
    hook: { ...hook, handler: { kind: 'sleep', seconds: leftMs / 1_000 } },
  };
}
