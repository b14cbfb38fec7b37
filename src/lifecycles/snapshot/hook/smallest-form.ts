/**
 * Smaller forms of a status. Pure.
 *
 * The smallest form keeps the fields that decisions depend on: intents, outcomes, and the cause of each thaw. It leaves
 * out outputs, shortens reasons, and keeps one attempt of each action. The other attempts are only counted.
 */
import { cutToBytes } from '../../../kube/stored-size.ts';
import type {
  ActionAttempt,
  ActionStatus,
  ContainerStatus,
  ExecutionHookStatus,
  ProbeStatus,
} from '../kinds.ts';
import { LEAST_TEXT_BYTES } from '../schema/limits.ts';

export function smallestStatus(status: ExecutionHookStatus): ExecutionHookStatus {
  const { containerExecutionHookStatuses: targets, conditions } = status;
  return {
    ...status,
    ...(targets === undefined
      ? {}
      : { containerExecutionHookStatuses: targets.map(smallestTarget) }),
    ...(conditions === undefined
      ? {}
      : { conditions: conditions.map((each) => ({ ...each, message: short(each.message) })) }),
  };
}

export function smallestTarget<T extends ContainerStatus>(target: T): T {
  const { probes } = target;
  return {
    ...withoutTexts(target, lastAttempt),
    ...(probes === undefined ? {} : { probes: lastAnswers(probes) }),
  };
}

/** Keeps all attempts and their numbers, without their outputs and reasons. */
export function withoutOutputs<T extends ContainerStatus>(target: T): T {
  return withoutTexts(target, (status) => {
    const { attempts } = status;
    return attempts === undefined ? status : { ...status, attempts: attempts.map(withoutText) };
  });
}

function withoutTexts<T extends ContainerStatus>(
  target: T,
  change: (status: ActionStatus) => ActionStatus,
): T {
  const {
    preActionStatus: pre,
    postActionStatus: post,
    probes,
    freezeLost,
    freezeDoubted,
    thawUnproven,
  } = target;
  return {
    ...target,
    ...(pre === undefined ? {} : { preActionStatus: shortError(change(pre)) }),
    ...(post === undefined ? {} : { postActionStatus: shortError(change(post)) }),
    ...(probes === undefined ? {} : { probes: probes.map(withoutReason) }),
    ...(freezeLost === undefined ? {} : { freezeLost: shortReason(freezeLost) }),
    ...(freezeDoubted === undefined ? {} : { freezeDoubted: shortReason(freezeDoubted) }),
    ...(thawUnproven === undefined ? {} : { thawUnproven: shortReason(thawUnproven) }),
  };
}

function lastAttempt(status: ActionStatus): ActionStatus {
  const { attempts = [], earlierAttempts = 0 } = status;
  const last = attempts.at(-1);
  if (last === undefined) return status;
  const earlier = earlierAttempts + attempts.length - 1;
  return {
    ...status,
    attempts: [bare(last)],
    ...(earlier === 0 ? {} : { earlierAttempts: earlier }),
  };
}

function withoutText(attempt: ActionAttempt): ActionAttempt {
  const { number } = attempt;
  return { ...bare(attempt), ...(number === undefined ? {} : { number }) };
}

/** Leaves out the number of the attempt too. Only one attempt is kept, and the count of the others gives its number. */
function bare({ startedAt, endedAt, outcome, exitCode, notStarted }: ActionAttempt): ActionAttempt {
  return {
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(notStarted === undefined ? {} : { notStarted }),
  };
}

function shortError(status: ActionStatus): ActionStatus {
  const { error } = status;
  if (error === undefined) return status;
  return { ...status, error: { ...error, message: short(error.message) } };
}

function shortReason<T extends { readonly reason: string }>(lost: T): T {
  return { ...lost, reason: short(lost.reason) };
}

function withoutReason({ when, at, outcome }: ProbeStatus): ProbeStatus {
  return { when, at, outcome };
}

function lastAnswers(probes: readonly ProbeStatus[]): ProbeStatus[] {
  const isLast = ({ when }: ProbeStatus, index: number): boolean =>
    probes.findLastIndex((other) => other.when === when) === index;
  return probes.filter(isLast).map(withoutReason);
}

function short(text: string): string {
  return cutToBytes(text, { bytesMax: LEAST_TEXT_BYTES, keep: 'start', marker: '…' });
}
