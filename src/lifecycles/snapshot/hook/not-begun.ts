/**
 * Handles a hook that has not begun: refuses it for good, or lets it wait for a missing object until its time is over.
 * Nothing has run, and the hook does not have our finalizer.
 *
 * `lost-status.ts` also has hooks refused that have begun and lost their status.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Reported, withReported } from '../../../controller/conditions.ts';
import { aboutObject } from '../../../controller/event-recorder.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import type { Informer } from '../../../controller/informer.ts';
import type { Indexes } from '../../../controller/object-cache.ts';
import { keyOf, keyText } from '../../../controller/object-key.ts';
import { type Progress, progressConditions } from '../../../controller/progress-conditions.ts';
import { done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import { matchesLabels } from '../../../kube/label-selector.ts';
import { type ExecutionHook, executionHooks, type ExecutionHookStatus } from '../kinds.ts';
import type { Refusal, Waiting } from './begin-hook.ts';
import type { Driving } from './hook-state.ts';
import { isBegun, isRefused } from './targets.ts';

const AWAITED = 'awaitedTemplate';
const NOT_BEGUN = 'notBegun';

/** Indexes of hooks that have not begun: by the template that they need, and by namespace. */
export const awaitedIndexes: Indexes<ExecutionHook> = {
  [AWAITED]: (hook) => {
    const { executionHookTemplateName: name } = hook.spec;
    if (name === undefined || isBegun(hook) || isRefused(hook) || isTerminating(hook)) return [];
    return [keyText({ namespace: hook.metadata?.namespace ?? '', name })];
  },
  [NOT_BEGUN]: (hook) =>
    isBegun(hook) || isRefused(hook) || isTerminating(hook) ? [] : [hook.metadata?.namespace ?? ''],
};

/** The hooks that have not begun and select this pod, as far as the cache knows. */
export function hooksAwaitingPod(hooks: Informer<ExecutionHook>, pod: Pod): readonly string[] {
  const { namespace = '', name = '', labels = {} } = pod.metadata ?? {};
  const selects = ({ spec }: ExecutionHook): boolean => {
    const { podContainerNamesList: list, podSelector = {} } = spec;
    if (list !== undefined) return list.some(({ podName }) => podName === name);
    return matchesLabels(podSelector, labels);
  };
  return hooks.byIndex(NOT_BEGUN, namespace).filter(selects).map(keyOf);
}

/** The hooks that wait for this template, as far as the cache knows. */
export function hooksAwaiting(
  hooks: Informer<ExecutionHook>,
  templateKey: string,
): readonly string[] {
  return hooks.byIndex(AWAITED, templateKey).map(keyOf);
}

/** Refuses the hook for good: none of its actions runs from now on. */
export async function refuse(
  driving: Driving,
  hook: ExecutionHook,
  { reason, message }: Pick<Refusal, 'reason' | 'message'>,
): Promise<Outcome> {
  const { recorder } = driving.shared.context;
  const failed = { type: 'Failed', status: 'True', reason, message } as const;
  const status = { ...hook.status, preActionSucceed: false };
  await writeConditions(driving, hook, { status, condition: failed, verdict: 'Failed' });
  recorder.record({ about: aboutObject(executionHooks, hook), type: 'Warning', reason, message });
  return done;
}

/** Lets the hook wait: it starts once the missing object exists, and is refused when its time is over. */
export async function waitToBegin(
  driving: Driving,
  hook: ExecutionHook,
  waiting: Waiting,
): Promise<Outcome> {
  const { reason, message, patienceSeconds } = waiting;
  const leftMs = patienceSeconds * 1_000 - driving.shared.ageMs(hook);
  if (leftMs <= 0 && waiting.elseBegins === true) return requeueAfter(1, reason);
  if (leftMs <= 0) return refuse(driving, hook, { reason, message: overText(waiting) });
  const condition = {
    type: 'Frozen',
    status: 'False',
    reason,
    message: `${message} The hook waits until ${patienceSeconds} s after its creation.`,
  } as const;
  const { status = {} } = hook;
  await writeConditions(driving, hook, { status, condition, verdict: 'InProgress' });
  return requeueAfter(Math.max(1, Math.ceil(leftMs)), reason);
}

function overText({ message, patienceSeconds }: Waiting): string {
  return `${message} The hook has waited for ${patienceSeconds} s.`;
}

interface Report extends Pick<Progress, 'verdict'> {
  readonly status: ExecutionHookStatus;
  readonly condition: Reported;
}

/** Writes the status with this condition, and with those by which other tools judge the hook (CTRL-K4). */
async function writeConditions(
  { shared, client, pass }: Driving,
  hook: ExecutionHook,
  { status: before, condition, verdict }: Report,
): Promise<void> {
  const { metadata } = hook;
  const nowMs = shared.context.platform.clock.nowMs();
  const reported = [condition, ...progressConditions({ ...condition, verdict })];
  const status = withReported(before, reported, { metadata, nowMs });
  const { signal } = pass;
  const write = { client, resource: executionHooks, object: hook, status, signal };
  shared.own.remember(await writeStatusIfChanged(write));
}
