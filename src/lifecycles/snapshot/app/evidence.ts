/**
 * Extracts the evidence of a hook whose thaw has an outcome, and any finding that speaks against a freeze during the
 * cut (SNAP-I2). Pure.
 *
 * The order of the cut and the thaw is proven by causality, without comparing clocks. The token in the annotation that
 * requested the thaw was revealed after the cut was seen (SNAP-S8). The hook controller decided on the cause `Cut`,
 * with the token, before it thawed anything. It stores both before the thaw, or later if the server refuses that write.
 */
import { textStart } from '../../../model/cut-text.ts';
import type {
  HookEvidence,
  HookFinding,
  TargetEvidence,
  ActionStatus,
  ContainerStatus,
  ExecutionHook,
} from '../kinds.ts';
import { type CutProofs, isProven, isReplaced } from '../cut-mark.ts';
import type { HookFacts } from './facts.ts';

/** Maximum number of targets in the status of one snapshot, for all hooks together. */
export const KEPT_TARGETS_MAX = 500;
/** Maximum number of targets of one hook whose thaw output is kept. */
const KEPT_OUTPUTS_MAX = 100;
const ERROR_CHARACTERS_MAX = 256;

export type Identity = TargetEvidence['identity'];

/** Whether a target is still the container that was frozen. */
export type IdentityOf = (target: ContainerStatus) => Identity;

export interface EvidenceOptions {
  readonly identityOf: IdentityOf;
  readonly proofs: CutProofs;
  /** Maximum number of targets of the hook to keep. */
  readonly targetsMax: number;
}

/** Extracts the evidence of one hook. `hook` null: the hook is deleted and left no evidence. */
export function evidenceOf(
  { name, hook }: HookFacts,
  { identityOf, proofs, targetsMax }: EvidenceOptions,
): HookEvidence {
  if (hook === null) return { name, finding: NOTHING_REPORTED, targets: [] };
  const { preActionSucceed, postActionSucceed, release, resolved } = hook.status ?? {};
  const targets = (hook.status?.containerExecutionHookStatuses ?? []).map((target) => ({
    ...target,
    identity: identityOf(target),
  }));
  const isProbed = resolved?.probe !== undefined;
  const finding = findingOf(hook, proofs, targets);
  const times = timesOf(hook);
  return {
    name,
    ...(preActionSucceed === undefined ? {} : { preActionSucceed }),
    ...(postActionSucceed === undefined ? {} : { postActionSucceed }),
    ...(release === undefined ? {} : { releaseCause: release.cause }),
    ...times,
    ...(finding === null ? {} : { finding }),
    targets: keptTargets(targets, isProbed).slice(0, targetsMax),
  };
}

const NOTHING_REPORTED: HookFinding = {
  value: 'Unknown',
  reason: 'HookGone',
  message: 'the hook was deleted before it reported anything',
};

const REPLACED: HookFinding = {
  value: 'Unknown',
  reason: 'HookGone',
  message: 'the hook that was frozen before the cut was deleted, and another one has its name',
};

function findingOf(
  hook: ExecutionHook,
  proofs: CutProofs,
  targets: readonly TargetEvidence[],
): HookFinding | null {
  const isProbed = hook.status?.resolved?.probe !== undefined;
  if (isReplaced(proofs, hook)) return REPLACED;
  return releaseFinding(hook, proofs) ?? targetsFinding(targets, isProbed);
}

function releaseFinding({ status = {} }: ExecutionHook, proofs: CutProofs): HookFinding | null {
  const { preActionSucceed, release, cutToken } = status;
  if (preActionSucceed !== true) {
    const message = 'it is not certain that every preAction has succeeded';
    return { value: 'Inconsistent', reason: 'NotFrozen', message };
  }
  if (release === undefined) {
    const message = 'the hook does not report why it was thawed';
    return { value: 'Unknown', reason: 'ReleaseUnknown', message };
  }
  if (release.cause !== 'Cut') {
    const message = `the thaw began before it was known that the volumes were cut: ${release.cause}`;
    return { value: 'Inconsistent', reason: 'ThawedBeforeCut', message };
  }
  if (isProven(proofs, cutToken)) return null;
  const message =
    'the hook thawed, or ran its probe, because of an annotation that Lifehook did not write after the cut';
  return { value: 'Inconsistent', reason: 'ThawedBeforeCut', message };
}

function targetsFinding(targets: readonly TargetEvidence[], isProbed: boolean): HookFinding | null {
  const findings = targets.flatMap((target) => targetFinding(target, isProbed) ?? []);
  return findings.find(({ value }) => value === 'Inconsistent') ?? findings[0] ?? null;
}

function targetFinding(target: TargetEvidence, isProbed: boolean): HookFinding | null {
  return (
    freezeFinding(target) ??
    (isProbed ? probeFinding(target) : null) ??
    identityFinding(target) ??
    (isProbed ? null : (thawFinding(target) ?? doubtFinding(target)))
  );
}

function freezeFinding(target: TargetEvidence): HookFinding | null {
  const { preActionStatus, freezeLost } = target;
  if (preActionStatus?.actionSucceed !== true) {
    return unknown(target, 'PreActionUnknown', 'does not report that its preAction succeeded');
  }
  if (freezeLost === undefined) return null;
  const message = `${whereOf(target)} did not stay frozen: ${freezeLost.reason}`;
  return { value: 'Inconsistent', reason: 'FreezeLost', message };
}

function identityFinding(target: TargetEvidence): HookFinding | null {
  switch (target.identity) {
    case 'Same':
      return null;
    case 'Changed':
      return unknown(target, 'TargetChanged', 'was restarted or replaced, perhaps before the cut');
    case 'Gone':
      return unknown(target, 'TargetGone', 'was deleted before it could be checked after the thaw');
    case 'Unknown':
      return unknown(target, 'TargetUnknown', 'could not be read after the thaw');
    default:
      return target.identity satisfies never;
  }
}

/** The finding about a thaw that was not requested or not seen: without a probe, its time is not known. */
function thawFinding(target: TargetEvidence): HookFinding | null {
  const { thawedBy, holder } = target;
  if (thawedBy === 'released' && holder !== undefined) {
    // The session helper may have thawed before the user marked the thaw as done.
    return unknown(
      target,
      'ThawTakenOn',
      'was marked as thawed by hand, and may have thawed before',
    );
  }
  if (thawedBy === undefined && holder !== undefined) {
    return unknown(target, 'ThawUnheard', 'did not report its thaw, and may have thawed by itself');
  }
  if (thawedBy !== 'deadman' && thawedBy !== 'gone' && thawedBy !== 'broken') return null;
  return unknown(
    target,
    'ThawedByItself',
    `was thawed without a request (thawedBy: ${thawedBy}), perhaps before the cut`,
  );
}

function doubtFinding(target: TargetEvidence): HookFinding | null {
  const { freezeDoubted } = target;
  if (freezeDoubted === undefined) return null;
  return unknown(
    target,
    'FreezeDoubted',
    `may have lost its freeze before the cut: ${freezeDoubted.reason}`,
  );
}

function unknown(target: TargetEvidence, reason: string, what: string): HookFinding {
  return { value: 'Unknown', reason, message: `${whereOf(target)} ${what}` };
}

function whereOf({ podName, containerName }: TargetEvidence): string {
  return `${podName}/${containerName}`;
}

/** The AfterCut probe ran after the cut and before the thaw, so it covers the cut. */
function probeFinding(target: TargetEvidence): HookFinding | null {
  const { probes = [] } = target;
  for (const when of ['AfterFreeze', 'AfterCut'] as const) {
    const outcome = probes.findLast((probe) => probe.when === when)?.outcome;
    if (outcome === 'Frozen') continue;
    const value = outcome === 'NotFrozen' ? 'Inconsistent' : 'Unknown';
    const reason = outcome === 'NotFrozen' ? 'NotFrozen' : 'ProbeUnknown';
    return {
      value,
      reason,
      message: `${whereOf(target)}: the probe ${when} reported ${outcome ?? 'nothing'}`,
    };
  }
  return null;
}

function timesOf({ status = {} }: ExecutionHook): Pick<HookEvidence, 'firstPreAt' | 'lastThawAt'> {
  const targets = status.containerExecutionHookStatuses ?? [];
  const begun = targets.flatMap(({ preActionStatus }) => preActionStatus?.actionTimestamp ?? []);
  const ends = targets.flatMap(({ postActionStatus }) =>
    (postActionStatus?.attempts ?? []).flatMap(({ endedAt }) => endedAt ?? []),
  );
  const first = begun.toSorted(byTime).at(0);
  const last = ends.toSorted(byTime).at(-1) ?? status.release?.at;
  const isThawed = status.postActionSucceed === true;
  return {
    ...(first === undefined ? {} : { firstPreAt: first }),
    ...(last === undefined || !isThawed ? {} : { lastThawAt: last }),
  };
}

function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}

/** Keeps the targets with a finding or a failed thaw first: in a very large freeze the other targets look alike. */
function keptTargets(targets: readonly TargetEvidence[], isProbed: boolean): TargetEvidence[] {
  const odd = (target: TargetEvidence): number =>
    targetFinding(target, isProbed) !== null || target.postActionStatus?.actionSucceed === false
      ? 0
      : 1;
  return targets
    .toSorted((a, b) => odd(a) - odd(b))
    .map((target, index) => withoutAttempts(target, index < KEPT_OUTPUTS_MAX));
}

function withoutAttempts(target: TargetEvidence, keepsOutput: boolean): TargetEvidence {
  const {
    preActionStatus,
    postActionStatus,
    claimNames: _claims,
    rescue: _rescue,
    ...rest
  } = target;
  const thawOutput = keepsOutput ? postActionStatus?.attempts?.at(-1)?.output : undefined;
  return {
    ...rest,
    ...(thawOutput === undefined ? {} : { thawOutput }),
    ...(preActionStatus === undefined ? {} : { preActionStatus: summary(preActionStatus) }),
    ...(postActionStatus === undefined ? {} : { postActionStatus: summary(postActionStatus) }),
  };
}

function summary({ actionTimestamp, actionSucceed, error }: ActionStatus): ActionStatus {
  const message = textStart(error?.message ?? '', ERROR_CHARACTERS_MAX);
  return {
    ...(actionTimestamp === undefined ? {} : { actionTimestamp }),
    ...(actionSucceed === undefined ? {} : { actionSucceed }),
    ...(error === undefined ? {} : { error: { time: error.time, message } }),
  };
}
