/**
 * Decides the next step of a restore. Pure.
 *
 *  SNAP-S6 A restore with a plan and without the annotation BEGUN_UID gets the annotation first. A restore with the
 *     annotation and without a plan never runs.
 *  SNAP-V6 A claim is created once: its name and `claimsRequestedAt` are stored before. A claim that already carries
 *     the UID of this restore counts as created.
 *  SNAP-V8 The order: preRestore, claims, postRestore, verify, clean-up. A failure ends the restore.
 */
import { isTerminating } from '../../../controller/finalizers.ts';
import { CHANGED_SPEC, hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import { countText } from '../../../model/count-text.ts';
import type { ActionAttempt } from '../kinds.ts';
import { BEGUN_BEFORE, begunUid } from '../begun-before.ts';
import { RESTORE_FINALIZER } from '../names.ts';
import { decideAttempt } from './decide-attempt.ts';
import { claimsToBind, decideClaims } from './decide-claims.ts';
import { decideDeletion, decideEnd, keepsStopped } from './decide-end.ts';
import type { RestoreFacts } from './facts.ts';
import { decideStage, statusOf } from './hook-steps.ts';
import type { RestoreHook, RestoreStage, SnapshotRestore, Verification } from './kinds.ts';
import type { Restarted } from './restarted.ts';
import type { RestoreStep } from './step.ts';

export function decide(facts: RestoreFacts): RestoreStep {
  const { metadata = {}, status = {} } = facts.restore;
  const isOurs = metadata.finalizers?.includes(RESTORE_FINALIZER) === true;
  if (isTerminating(facts.restore)) return isOurs ? decideDeletion(facts) : { kind: 'done' };
  if (status.completedAt === undefined)
    return isOurs ? decideWork(facts) : { kind: 'addFinalizer' };
  const mayRelease = isOurs && !keepsStopped(facts.restore);
  return mayRelease ? { kind: 'removeFinalizer' } : { kind: 'done' };
}

function decideWork(facts: RestoreFacts): RestoreStep {
  const { startedAt, failure, phase } = facts.restore.status ?? {};
  if (failure !== undefined || phase === 'CleaningUp') return decideEnd(facts);
  if (!hasFirstSpec(facts.restore)) {
    return { kind: 'fail', failure: { reason: 'SpecChanged', message: CHANGED_SPEC } };
  }
  const isMarked = begunUid(facts.restore) !== undefined;
  if (startedAt !== undefined) return isMarked ? decideStages(facts) : { kind: 'markBegun' };
  return isMarked ? { kind: 'fail', failure: BEGUN_BEFORE } : { kind: 'plan' };
}

function decideStages(facts: RestoreFacts): RestoreStep {
  // Waits for a hook that is running, so that its end is recorded first.
  if (facts.restarted !== null && facts.open === null) return notStopped(facts.restarted);
  return (
    decideHooks(facts, 'preRestore') ??
    decideClaims(facts) ??
    decideHooks(facts, 'postRestore') ??
    decideHooks(facts, 'verify') ??
    claimsToBind(facts) ??
    decideEnd(facts)
  );
}

/** SNAP-V9: nothing is restored or verified while the workload may use the volumes. */
function notStopped({ workload: { kind, name }, replicas }: Restarted): RestoreStep {
  const message = `${kind} ${name} has ${countText(replicas, 'replica')} again, which another client has set: suspend that client (a GitOps tool, an operator, a user), then start another restore.`;
  return { kind: 'fail', failure: { reason: 'NotStopped', message } };
}

/** null: the hooks of the stage have succeeded. */
function decideHooks(facts: RestoreFacts, stage: RestoreStage): RestoreStep | null {
  const { restore, open, nowMs } = facts;
  if (open?.stage === stage) return decideAttempt(facts, open);
  const decision = decideStage(restore, stage, nowMs);
  switch (decision?.do) {
    case undefined:
      return null;
    case 'wait': {
      const ms = Math.max(0, (decision.untilMs ?? nowMs) - nowMs);
      return { kind: 'wait', ms, reason: decision.reason };
    }
    case 'start':
      return {
        kind: 'intend',
        stage,
        hook: hookOf(restore, stage, decision),
        attempt: decision.attempt,
      };
    case 'settle':
      return settled(restore, stage, decision.outcome);
    default:
      return decision satisfies never;
  }
}

function hookOf(
  { spec }: SnapshotRestore,
  stage: RestoreStage,
  { step }: { readonly step: { readonly name: string } },
): RestoreHook {
  const hook = spec[stage]?.find(({ name }) => name === step.name);
  if (hook === undefined) throw new Error(`the restore has no hook ${step.name}`);
  return hook;
}

function settled(
  restore: SnapshotRestore,
  stage: RestoreStage,
  outcome: string,
): RestoreStep | null {
  if (stage === 'verify') return verificationOf(restore, outcome);
  if (outcome === 'Succeeded') return null;
  const message = `A hook of ${stage} has not succeeded: ${lastReason(restore, stage)}`;
  return { kind: 'fail', failure: { reason: 'HookFailed', message } };
}

/** null: the result is recorded already. */
function verificationOf(restore: SnapshotRestore, outcome: string): RestoreStep | null {
  if (restore.status?.verification !== undefined) return null;
  const message = lastReason(restore, 'verify');
  return { kind: 'verified', verification: { ...judged(restore, outcome), message } };
}

/** Exit code with which a recipe's check reports an inconsistent copy. Any other failure proves nothing. */
const INCONSISTENT = 1;
/**
 * Exit codes of a shell that could not run a program (126, 127) or whose program was killed by a signal (up to 128 +
 * 64).
 */
const NOT_RUN = { from: 126, to: 192 } as const;

function judged(
  restore: SnapshotRestore,
  outcome: string,
): Pick<Verification, 'result' | 'reason'> {
  if (outcome === 'Succeeded') return { result: 'Passed', reason: 'Verified' };
  const failed = (restore.spec.verify ?? []).find(({ name }) => !hasSucceeded(restore, name));
  const hasRun = failed !== undefined && hasChecked(failed, lastAttempt(restore, failed.name));
  if (hasRun) return { result: 'Failed', reason: 'CheckFailed' };
  return { result: 'Unknown', reason: 'CheckUnknown' };
}

/** Whether a failed check has judged the copy. A check without an exit code was not started, or its node stopped it. */
function hasChecked({ pod }: RestoreHook, last: ActionAttempt | undefined): boolean {
  if (last?.outcome !== 'Failed') return false;
  const { exitCode } = last;
  if (pod?.recipe !== undefined) return exitCode === INCONSISTENT;
  return exitCode !== undefined && (exitCode < NOT_RUN.from || exitCode > NOT_RUN.to);
}

function hasSucceeded(restore: SnapshotRestore, name: string): boolean {
  return lastAttempt(restore, name)?.outcome === 'Succeeded';
}

function lastAttempt(restore: SnapshotRestore, name: string): ActionAttempt | undefined {
  return statusOf(restore, name)?.attempts?.at(-1);
}

/** The reason and output of the last attempt in the stage. */
function lastReason({ status }: SnapshotRestore, stage: RestoreStage): string {
  const last = (status?.hooks ?? []).findLast((hook) => hook.stage === stage);
  if (last === undefined) return '';
  const { reason = '', output = '' } = last.attempts?.at(-1) ?? {};
  const printed = output === '' ? '' : ` Output: ${output.trim()}`;
  return `${last.name}: ${reason}${printed}`;
}
