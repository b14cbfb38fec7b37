/** Makes one attempt of a container hook: runs its command in all matching containers in parallel. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type AttemptRequest, bareResult } from '../../../engine/act.ts';
import { runExec } from '../../../handlers/exec.ts';
import type { AttemptResult, Outcome } from '../../../model/attempt.ts';
import { errorText } from '../../../platform/error-text.ts';
import { sleep } from '../../../platform/sleep.ts';
import { callbackType } from '../events/hook-counts.ts';
import type { ContainerAction, PipelineHook } from './model.ts';
import { outputLines } from './tap-stdout.ts';
import type { ClusterPort, ContainerFacts, HookRunContext, PodsLook } from './run-context.ts';
import {
  type ContainerTarget,
  selectContainers,
  type Selection,
  targetName,
} from './select-containers.ts';

export interface ContainerAttempt {
  readonly hook: PipelineHook;
  readonly action: ContainerAction;
  readonly containers: ContainerFacts;
  readonly cluster: ClusterPort;
  readonly context: HookRunContext;
  /** The containers in which the hook has succeeded, by `doneKey`: a retry skips them. */
  readonly done: Set<string>;
}

const POLL_MS = 250;

/** The reason of an attempt for which no container runs; it has no exit code. */
export const NO_CONTAINER = 'No container matches.';

export async function attemptContainers(
  attempt: ContainerAttempt,
  request: AttemptRequest,
): Promise<AttemptResult> {
  const { clock } = attempt.context.platform;
  const startedMs = clock.monotonicMs();
  let selection: Awaited;
  try {
    selection = await awaitContainers(attempt, request);
  } catch (error) {
    const why = errorText(error);
    return bareResult('Failed', `The pods could not be listed: ${why}.`, 0);
  }
  const { running, waiting, isMissing, pods } = selection;
  const left = running.filter((target) => !attempt.done.has(doneKey(target, pods)));
  for (const target of waiting) {
    warn(attempt, `${targetName(target)} did not start in time, so the hook did not run in it.`);
  }
  if (isMissing) {
    warn(attempt, 'Not every pod of the deployment was created in time for the hook to run in it.');
  }
  const spentMs = clock.monotonicMs() - startedMs;
  if (running.length === 0) {
    return request.signal.aborted
      ? bareResult('Cancelled', 'It was cancelled while it waited for its containers.', spentMs)
      : bareResult(noneOutcome(attempt), NO_CONTAINER, spentMs);
  }
  const timeoutMs = request.timeoutMs === null ? null : request.timeoutMs - spentMs;
  const ends = await Promise.all(
    left.map(async (target) => {
      const result = await runIn(attempt, { ...request, timeoutMs }, target);
      if (result.outcome === 'Succeeded') attempt.done.add(doneKey(target, pods));
      return { target, result };
    }),
  );
  return combine(ends, clock.monotonicMs() - startedMs);
}

/**
 * Identifies a container that was attempted. A pod that was created again with the same name, as by a StatefulSet, has
 * another UID.
 */
function doneKey(target: ContainerTarget, pods: readonly Pod[]): string {
  const pod = pods.find(
    ({ metadata }) => metadata?.name === target.pod && metadata.namespace === target.namespace,
  );
  return `${pod?.metadata?.uid ?? ''} ${targetName(target)}`;
}

function warn({ context, hook }: ContainerAttempt, message: string): void {
  context.emit({ type: 'Warning', code: 'LHL206', message: `${hook.address}: ${message}` });
}

function noneOutcome({ hook }: ContainerAttempt): Outcome {
  return hook.policy.required ? 'Failed' : 'Succeeded';
}

/** A selection, the pods from which it was made, and whether pods are still to be created. */
type Awaited = Selection & PodsLook;

/** Waits until every match runs or the time is over. Containers that do not run yet are looked up again (PIPE-B2). */
async function awaitContainers(
  { action, containers, cluster, context }: ContainerAttempt,
  { signal, timeoutMs }: AttemptRequest,
): Promise<Awaited> {
  const { clock, timers } = context.platform;
  const { namespaces, image, waitMs } = containers;
  // At most half of the deadline, since the command needs time too.
  const endMs = clock.monotonicMs() + Math.min(waitMs, timeoutMs === null ? waitMs : timeoutMs / 2);
  const look = containers.look ?? (() => allPods(cluster, namespaces));
  for (;;) {
    const { pods, isMissing } = await look();
    const selection = selectContainers({ action, namespaces, image }, pods);
    const leftMs = endMs - clock.monotonicMs();
    const isWhole = selection.waiting.length === 0 && !isMissing;
    if (isWhole || leftMs <= 0 || signal.aborted) return { ...selection, pods, isMissing };
    await sleep(timers, Math.min(POLL_MS, leftMs), signal);
  }
}

async function allPods(cluster: ClusterPort, namespaces: readonly string[]): Promise<PodsLook> {
  return { pods: await cluster.pods(namespaces), isMissing: false };
}

async function runIn(
  { hook, action, cluster, context }: ContainerAttempt,
  request: AttemptRequest,
  target: ContainerTarget,
): Promise<AttemptResult> {
  const name = targetName(target);
  const event = {
    type: 'ContainerCallbackEvent',
    callback: callbackType(hook),
    address: hook.address,
    container: name,
  } as const;
  context.emit({ ...event, status: 'InProgress' });
  const emit = (stream: 'stdout' | 'stderr') => (line: string) => {
    context.emit({ type: 'Output', source: `${hook.address} ${name}`, stream, line });
  };
  const lines = { stdout: outputLines(emit('stdout')), stderr: outputLines(emit('stderr')) };
  const secrets = (await cluster.secretsOf?.(target)) ?? [];
  const result = await runExec(
    { kind: 'exec', command: action.command, ...target },
    {
      ...request,
      secrets: [...(request.secrets ?? []), ...secrets],
      onOutput: (stream, text) => {
        lines[stream].push(text);
      },
    },
    { clock: context.platform.clock, exec: cluster.exec },
  );
  lines.stdout.end();
  lines.stderr.end();
  const { outcome, exitCode, durationMs, reason } = result;
  const code = exitCode === null ? {} : { exitCode };
  if (outcome === 'Succeeded') {
    context.emit({ ...event, status: 'Completed', durationMs, ...code });
  } else {
    context.emit({ ...event, status: 'Failed', durationMs, message: reason, ...code });
  }
  return result;
}

interface End {
  readonly target: ContainerTarget;
  readonly result: AttemptResult;
}

/** An unobserved end ranks first, so that the other outcomes do not hide it. */
const WORST_FIRST: readonly Outcome[] = ['Unknown', 'Failed', 'TimedOut', 'Cancelled', 'Succeeded'];

/** The worst end; of several equal ends, that of the first container. The reason counts the containers that failed. */
function combine(ends: readonly End[], durationMs: number): AttemptResult {
  const rank = ({ result }: End): number => WORST_FIRST.indexOf(result.outcome);
  const [worst] = ends.toSorted((a, b) => rank(a) - rank(b));
  if (worst === undefined)
    return bareResult('Succeeded', 'It has succeeded in every container.', durationMs);
  const bad = ends.filter(({ result }) => result.outcome !== 'Succeeded').length;
  const { result, target } = worst;
  if (bad === 0) return { ...result, durationMs };
  const reason = `In ${bad} of ${ends.length} containers it did not succeed; in ${targetName(target)}: ${result.reason}`;
  return { ...result, durationMs, reason };
}
