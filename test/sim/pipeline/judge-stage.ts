/**
 * Judges a stage at its end: PIPE-P7, PIPE-P2, PIPE-R4. The judge knows only the processes of the hooks and the work,
 * not the product's decisions. It skips a session whose changes the disk has refused, since a hook can fail there
 * without a process.
 */
import type { PhaseResult } from '../../../src/lifecycles/pipeline/session.ts';
import { type Account, endedWell, policyOf, type Session } from './account.ts';
import type { StagePlan } from './plan.ts';

export interface EndedStage {
  readonly stage: StagePlan;
  readonly result: PhaseResult<string>;
}

interface Judged extends EndedStage {
  readonly account: Account;
  readonly session: Session;
}

/** Part of a stage: "work", or the address of a hook. */
type Part = string;

export function judgeStage(account: Account, session: Session, ended: EndedStage): void {
  if (session.process.failures > 0) return;
  const judged = { ...ended, account, session };
  judgeReached(judged);
  if (session.cancelledMs === null) judgeOutcome(judged);
  else judgeCancelled(judged);
}

/** PIPE-P7: each part that is pending runs or is reported as skipped. */
function judgeReached(judged: Judged): void {
  const { account, session, stage } = judged;
  const { hooks, name } = stage;
  const failure = firstFailure(judged);
  const isCancelled = session.cancelledMs !== null;
  const turns: Part[] = [];
  if (session.hurriedMs === null) turns.push(...hooks.finally.map(({ address }) => address));
  if (session.hurriedMs === null && failure !== null) {
    turns.push(...hooks.onError.map(({ address }) => address));
  }
  if (!isCancelled) turns.push(...upTo(failure, mainParts(stage)));
  for (const part of turns) {
    const isReached = wasReached(judged, part);
    account.require(isReached, 'PIPE-P7', () => {
      return `${name} of session ${session.n} has ended, and the turn of ${part} never came`;
    });
    if (!isCancelled) judgeTries(judged, part);
  }
}

const mainParts = ({ hooks }: StagePlan): Part[] => [
  ...hooks.before.map(({ address }) => address),
  'work',
  ...hooks.after.map(({ address }) => address),
];

function upTo(failure: Part | null, parts: readonly Part[]): readonly Part[] {
  const at = failure === null ? -1 : parts.indexOf(failure);
  return at === -1 ? parts : parts.slice(0, at + 1);
}

function wasReached({ session, stage }: Judged, part: Part): boolean {
  if (part === 'work') return (session.stages.get(stage.name)?.workBeganMs ?? null) !== null;
  return session.skipped.has(part) || session.hooks.some(({ address }) => address === part);
}

/** PIPE-P2: a failed hook is retried as often as its policy says. */
function judgeTries({ account, session }: Judged, part: Part): void {
  const runs = session.hooks.filter(({ address }) => address === part);
  const last = runs.at(-1);
  if (last === undefined || endedWell(session, last)) return;
  const { retries } = policyOf(session, part);
  account.require(runs.length > retries, 'PIPE-P2', () => {
    return `${part} of session ${session.n} has failed, and was tried only ${runs.length} times`;
  });
}

/** The first part that failed, in the order: `before` hooks, work, `after` hooks; null if none failed. */
function firstFailure(judged: Judged): Part | null {
  return mainParts(judged.stage).find((part) => hasFailed(judged, part)) ?? null;
}

function hasFailed({ session, stage }: Judged, part: Part): boolean {
  if (part === 'work') return session.stages.get(stage.name)?.workEnded === 'badly';
  const last = session.hooks.findLast(({ address }) => address === part);
  if (last === undefined || policyOf(session, part).onFailure !== 'fail') return false;
  return !endedWell(session, last);
}

/** PIPE-R4: the stage is reported with its success or its first failure. */
function judgeOutcome(judged: Judged): void {
  const { account, session, stage, result } = judged;
  const name = `${stage.name} of session ${session.n}`;
  const cleanup = stage.hooks.finally.map(({ address }) => address);
  const failed = firstFailure(judged) ?? cleanup.find((part) => hasFailed(judged, part)) ?? null;
  if (result.outcome === 'Succeeded' || failed === null) {
    const isSo = result.outcome === 'Succeeded' && failed === null;
    account.require(isSo, 'PIPE-R4', () => {
      return `${name} is reported as ${result.outcome}, and ${failed ?? 'nothing'} has failed`;
    });
    return;
  }
  const { outcome, exitCode, message } = result;
  const isFirst = message.includes(failed === 'work' ? 'it fails' : failed);
  account.require(outcome === 'Failed' && isFirst, 'PIPE-R4', () => {
    return `${name} failed first with ${failed}, and is reported as ${outcome}: ${message}`;
  });
  const code = failed === 'work' ? 1 : ownCode(session, failed);
  account.require(code === null || exitCode === code, 'PIPE-R4', () => {
    return `${name} has exit code ${exitCode}, and ${failed} ended with ${code}`;
  });
}

/** Exit code of the part's last failed run; null if it did not exit by itself. */
function ownCode(session: Session, part: Part): number | null {
  const last = session.hooks.findLast(({ address }) => address === part);
  const code = last?.process?.exit?.code ?? null;
  return code === 0 ? null : code;
}

/** PIPE-R4: the signal may arrive as a hook exits, so a cancelled stage may be reported with either end. */
function judgeCancelled(judged: Judged): void {
  const { account, session, stage, result } = judged;
  const name = `${stage.name} of session ${session.n}`;
  const missed = mainParts(stage).find(
    (part) => !wasReached(judged, part) || hasFailed(judged, part),
  );
  switch (result.outcome) {
    case 'Succeeded':
      account.require(missed === undefined, 'PIPE-R4', () => {
        return `${name} is cancelled before ${missed} succeeds, and is reported as succeeded`;
      });
      return;
    case 'Cancelled':
      account.require(result.exitCode === INTERRUPTED, 'PIPE-R4', () => {
        return `${name} is cancelled, and has exit code ${result.exitCode}`;
      });
      return;
    case 'Failed':
      account.require(result.exitCode !== 0, 'PIPE-R4', () => `${name} failed with exit code 0`);
  }
}

/** 128 plus the number of SIGINT, as shells report it. */
const INTERRUPTED = 130;
