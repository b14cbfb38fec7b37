/** An ExecutionHook as spans: the attempts of each target, its probes, and its freeze window. Pure. */
import type {
  ActionAttempt,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookInfo,
  ProbeStatus,
} from '../../../lifecycles/snapshot/kinds.ts';
import { attemptNumber } from '../../../lifecycles/snapshot/hook/kept-attempts.ts';
import {
  isHeld,
  isOverdue,
  isUnproven,
  preOutcome,
} from '../../../lifecycles/snapshot/hook/targets.ts';
import { MADE_FOR } from '../../../lifecycles/snapshot/names.ts';
import type { Bar } from '../../bar.ts';
import { msOf, outcomeOf } from '../run-bars.ts';

export function executionHookBars(of: ExecutionHook): Bar[] {
  const hook = factsOf(of);
  return (of.status?.containerExecutionHookStatuses ?? []).flatMap((target) => [
    ...frozenBar(hook, target),
    ...attemptBars(hook, target, 'preAction'),
    ...attemptBars(hook, target, 'postAction'),
    ...(target.probes ?? []).flatMap((probe) => probeBar(hook, target, probe)),
  ]);
}

function factsOf({ metadata = {}, spec, status = {} }: ExecutionHook): HookFacts {
  const { namespace = '', name = '', uid = '', labels = {} } = metadata;
  const snapshot = labels[MADE_FOR];
  const title = snapshot === undefined ? name : titleOf(spec, name);
  return { namespace, name, uid, title, run: snapshot ?? name, releasedAt: status.release?.at };
}

export interface HookFacts {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Name that is shown to users. If a snapshot created the hook, the name of the hook means nothing to them. */
  readonly title: string;
  /** The snapshot that created the hook; if there is none, the hook itself. */
  readonly run: string;
  /** Time at which the thaw of the hook started; if that is not known, the time at which it ended. */
  readonly releasedAt: string | undefined;
}

/** The name of a hook's template or recipe. `otherwise` is the title of a hook with inline actions. */
export function titleOf(
  {
    executionHookTemplateName,
    recipe,
  }: Pick<ExecutionHookInfo, 'executionHookTemplateName' | 'recipe'>,
  otherwise: string,
): string {
  return executionHookTemplateName ?? recipe?.name ?? otherwise;
}

/**
 * The freeze window of a target, from the first record of its preAction to its thaw. After a hook was deleted, the copy
 * of its facts in the snapshot gives the same span.
 */
export function frozenBar(hook: HookFacts, target: ContainerStatus): Bar[] {
  const startMs = msOf(target.preActionStatus?.actionTimestamp);
  if (startMs === null) return [];
  const { namespace, name } = hook;
  const { podUID, containerName } = target;
  return [
    {
      ...barOf(hook, target),
      id: `frozen/${namespace}/${name}/${podUID}/${containerName}/${startMs}`,
      kind: 'frozen',
      point: 'frozen',
      attempt: null,
      startMs,
      endMs: isHeld(target) ? null : Math.max(startMs, thawMs(hook, target) ?? startMs),
      outcome: frozenOutcome(target),
      reason: frozenReason(target),
      evidence: frozenEvidence(target),
      ...nextOf(hook, target),
    },
  ];
}

const THAWED_BY: Readonly<Record<NonNullable<ContainerStatus['thawedBy']>, string>> = {
  post: 'its postAction',
  session: 'the session helper, on request',
  deadman: 'the session helper by itself, since the controller was silent',
  broken: 'no action: the process that held the freeze exited by itself',
  gone: 'no action: its pod or container ended',
  rescue: 'its thaw, run by a rescue pod',
  released: 'a user, who marked it as done',
};

function frozenOutcome(target: ContainerStatus): Bar['outcome'] {
  const { thawedBy, freezeLost } = target;
  if (isHeld(target)) return isUnproven(target) ? 'Unknown' : 'Running';
  if (thawedBy === undefined) return preOutcome(target) === true ? 'Succeeded' : 'Failed';
  if (thawedBy === 'gone' || thawedBy === 'released') return 'Unknown';
  const isGood = (thawedBy === 'post' || thawedBy === 'session') && freezeLost === undefined;
  return isGood ? 'Succeeded' : 'Failed';
}

function frozenReason(target: ContainerStatus): string {
  const { thawedBy, freezeLost } = target;
  if (isUnproven(target)) return `Its volume may still be frozen: ${target.thawUnproven?.reason}.`;
  if (isOverdue(target)) return `The thaw has failed so far: ${errorOf(target)}`;
  if (isHeld(target)) return 'It is frozen: every write in it waits.';
  if (thawedBy === undefined)
    return 'It needs no thaw: nothing was started, or the hook has no postAction.';
  return freezeLost === undefined ? `Thawed by ${THAWED_BY[thawedBy]}.` : freezeLost.reason;
}

function frozenEvidence(target: ContainerStatus): Record<string, string> {
  const { thawedBy, freezeLost, freezeDoubted, probes = [] } = target;
  const doubt = freezeLost ?? freezeDoubted;
  return {
    ...(thawedBy === undefined ? {} : { 'thawed by': THAWED_BY[thawedBy] }),
    ...(isOverdue(target) ? { thaw: 'overdue' } : {}),
    ...(isUnproven(target) ? { thaw: 'unproven' } : {}),
    ...(doubt === undefined ? {} : { 'freeze lost': `${doubt.reason} (${doubt.at})` }),
    ...Object.fromEntries(probes.map(({ when, outcome }) => [`probe ${when}`, outcome])),
  };
}

function errorOf({ postActionStatus }: ContainerStatus): string {
  const reason = postActionStatus?.attempts?.at(-1)?.reason;
  return postActionStatus?.error?.message ?? reason ?? 'no reason was reported';
}

function nextOf({ namespace, name }: HookFacts, target: ContainerStatus): Pick<Bar, 'next'> {
  const { podName, containerName } = target;
  if (!isHeld(target)) return {};
  if (!isOverdue(target) && !isUnproven(target)) {
    return { next: `lifehook snapshot thaw -n ${namespace} ${name}` };
  }
  const what = isUnproven(target)
    ? `thaw the volumes of ${podName}/${containerName} on ${target.nodeName ?? 'its node'} by hand`
    : `thaw ${podName}/${containerName} by hand`;
  return { next: `${what}, then: lifehook snapshot release -n ${namespace} ${name} --by YOU` };
}

/** End of the last thaw; if there was none, the time of the event that ended the freeze. */
function thawMs({ releasedAt }: HookFacts, target: ContainerStatus): number | null {
  const attempts = target.postActionStatus?.attempts ?? [];
  const last = attempts.flatMap(({ endedAt }) => endedAt ?? []).at(-1);
  return msOf(last) ?? msOf(target.freezeLost?.at) ?? msOf(releasedAt);
}

type Point = 'preAction' | 'postAction';

function attemptBars(hook: HookFacts, target: ContainerStatus, point: Point): Bar[] {
  const status = target[`${point}Status`] ?? {};
  const { attempts = [] } = status;
  return attempts.flatMap((attempt, index) => {
    const startMs = msOf(attempt.startedAt);
    if (startMs === null) return [];
    const number = attemptNumber(status, index);
    return [
      {
        ...barOf(hook, target),
        id: `${idOf(hook, target)}/${point}/${number}`,
        kind: 'hook' as const,
        point,
        attempt: number,
        startMs,
        endMs: msOf(attempt.endedAt),
        outcome: outcomeOf(attempt.outcome),
        ...reportedBy(attempt),
      },
    ];
  });
}

function reportedBy({ exitCode, reason, output }: ActionAttempt): Partial<Bar> {
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(reason === undefined ? {} : { reason }),
    ...(output === undefined ? {} : { stdout: output }),
  };
}

const PROBED = { Frozen: 'Succeeded', NotFrozen: 'Failed', Unknown: 'Unknown' } as const;

function probeBar(hook: HookFacts, target: ContainerStatus, probe: ProbeStatus): Bar[] {
  const atMs = msOf(probe.at);
  if (atMs === null) return [];
  const bar: Bar = {
    ...barOf(hook, target),
    id: `${idOf(hook, target)}/probe/${probe.when}/${atMs}`,
    kind: 'hook',
    point: `probe ${probe.when}`,
    attempt: null,
    startMs: atMs,
    endMs: atMs,
    outcome: PROBED[probe.outcome],
    reason: probe.reason ?? `The probe says: ${probe.outcome}.`,
  };
  return [bar];
}

type Common = Pick<Bar, 'lifecycle' | 'lane' | 'run' | 'name' | 'where'>;

function barOf({ namespace, name, title, run }: HookFacts, target: ContainerStatus): Common {
  return {
    lifecycle: 'snapshot',
    lane: `${namespace}/${target.podName}/${target.containerName}`,
    run,
    name: title,
    where: `ExecutionHook ${namespace}/${name}`,
  };
}

function idOf({ uid }: HookFacts, { podUID, containerName }: ContainerStatus): string {
  return `snapshot/${uid}/${podUID}/${containerName}`;
}
