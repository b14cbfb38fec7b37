/** Judges an effect when it begins. */
import type { AttemptRequest } from '../../../src/engine/act.ts';
import type { Step } from '../../../src/engine/plan.ts';
import type { RunRecord } from '../../../src/model/attempt.ts';
import type { SimProcess } from '../world.ts';
import type { Account } from './account.ts';
import { cleanupDone, endingOf, mainStepsOver, UNSEEN_CLEANUPS, wasIssued } from './endings.ts';

/** Tolerance for clocks that drift (a factor), and for slow disks (milliseconds). */
const PAUSE_TOLERANCE = 0.95;
const DISK_MS = 60_000;

export function judgeBegin(account: Account, request: AttemptRequest, process: SimProcess): void {
  const step = account.plan.steps.find(({ name }) => name === request.step);
  if (step === undefined) {
    account.world.violate('ENG-E4', `${request.step} is no step of ${account.runId}`);
    return;
  }
  judgeNumber(account, step, request);
  if (account.settled !== null) {
    account.world.violate('ENG-E11', `${nameOf(request)} began after its run had settled`);
  }
  const other = account.effects.find(
    (effect) => effect.process === process && account.known(effect) === 'Open',
  );
  if (other !== undefined) {
    account.world.violate('ENG-E2', `${nameOf(request)} began while ${nameOf(other.request)} ran`);
  }
  judgeTimeout(account, step, request);
  judgePause(account, step, request);
  if (step.kind === 'main') judgeMain(account, step, request);
  else judgeCleanup(account, step, request);
}

/** ENG-E1: the intent is durable. ENG-E3: attempts are numbered without gaps, and no number is used twice. */
function judgeNumber(account: Account, step: Step, request: AttemptRequest): void {
  const { world } = account;
  const intents = account.intents(step);
  if (!intents.includes(request.attempt)) {
    world.violate('ENG-E1', `${nameOf(request)} began before its intent was durable`);
  }
  if (account.effectsOf(step).some((effect) => effect.request.attempt >= request.attempt)) {
    world.violate('ENG-E3', `${nameOf(request)} began, and that number had been used`);
  }
  if (intents.some((attempt, index) => attempt !== index + 1)) {
    world.violate('ENG-E3', `the attempts of ${step.name} are numbered ${intents.join(', ')}`);
  }
}

/** ENG-E13: the attempt gets its own timeout, or the time left until the deadline if that is shorter. */
function judgeTimeout(account: Account, step: Step, { timeoutMs, ...key }: AttemptRequest): void {
  const { timeoutSeconds } = step.policy;
  const ownMs = timeoutSeconds === null ? Infinity : timeoutSeconds * 1_000;
  const restMs = step.kind === 'cleanup' ? Infinity : account.deadlineMs() - account.world.wallMs;
  if ((timeoutMs ?? Infinity) !== Math.min(ownMs, restMs)) {
    account.world.violate(
      'ENG-E13',
      `${nameOf(key)} got ${timeoutMs} ms of ${ownMs} and ${restMs}`,
    );
  }
}

/** Pauses: ENG-E6 for the minimum, ENG-E12 for the maximum. A clock that is set can shorten a pause, or extend it. */
function judgePause(account: Account, step: Step, request: AttemptRequest): void {
  const { world } = account;
  const before = account.effect(step, request.attempt - 1);
  const endedMs = before?.answer?.atMs;
  if (before === undefined || endedMs === undefined) return;
  if (account.known(before) === 'Unknown') return;
  const pauseMs = pauseOf(step, account.failures(step));
  const servedMs = world.elapsedMs - endedMs;
  if (world.clockSettings === 0 && servedMs < pauseMs * PAUSE_TOLERANCE) {
    world.violate('ENG-E6', `${nameOf(request)} began after ${servedMs} of ${pauseMs} ms`);
  }
  const boundMs = boundOf(pauseMs, world.clockSettings);
  if (before.process.alive && servedMs > boundMs) {
    world.violate(
      'ENG-E12',
      `${nameOf(request)} began after ${servedMs} ms, its pause is ${pauseMs}`,
    );
  }
}

/** Maximum duration of one pause, in milliseconds. Each change of the wall clock can add the same time again. */
function boundOf(pauseMs: number, settings: number): number {
  const pauses = settings === 0 ? 1 : 2 * (1 + settings);
  return (pauses * pauseMs) / PAUSE_TOLERANCE + DISK_MS;
}

/** The engine's formula, copied on purpose, so that a wrong one there is found. */
function pauseOf({ policy }: Step, failures: number): number {
  const floorSeconds = policy.failurePolicy === 'Retry' ? 1 : 0;
  const firstMs = 1_000 * Math.max(policy.retry.backoffSeconds, floorSeconds);
  const { maxBackoffSeconds = 300 } = policy.retry;
  const longestMs = Math.max(1_000 * floorSeconds, Math.min(300_000, 1_000 * maxBackoffSeconds));
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}

/** ENG-E4: main steps run in order. The functions that it calls judge ENG-E5, ENG-E6 and ENG-E7. */
function judgeMain(account: Account, step: Step, request: AttemptRequest): void {
  const { world } = account;
  for (const earlier of account.plan.steps) {
    if (earlier.name === step.name) break;
    if (earlier.kind !== 'main') continue;
    const ending = endingOf(account, earlier);
    if (ending !== 'good' && ending !== 'doubtful') {
      world.violate('ENG-E4', `${nameOf(request)} began while ${earlier.name} stood at ${ending}`);
    }
  }
  judgeRepeat(account, step, request);
  judgeStops(account, request);
}

/** ENG-E7: no main attempt begins after the deadline, a cancellation, or the start of the cleanup. */
function judgeStops(account: Account, request: AttemptRequest): void {
  const { world } = account;
  const deadlineMs = account.deadlineMs();
  const seenLate = account.acknowledged.some(({ atMs }) => atMs >= deadlineMs);
  if (world.wallMs >= deadlineMs || seenLate) {
    world.violate('ENG-E7', `${nameOf(request)} began after the deadline`);
  }
  const cancelled = account.durable().some(({ type }) => type === 'CancelRequested');
  if (request.signal.aborted || cancelled) {
    world.violate('ENG-E7', `${nameOf(request)} began after the cancellation`);
  }
  if (account.effects.some((effect) => effect.step.kind === 'cleanup')) {
    world.violate('ENG-E7', `${nameOf(request)} began after the cleanup`);
  }
}

function judgeRepeat(account: Account, step: Step, request: AttemptRequest): void {
  if (request.attempt === 1) return;
  const before = account.effect(step, request.attempt - 1);
  const known = before === undefined ? 'Unknown' : account.known(before);
  if (known === 'Unknown') {
    account.world.violate('ENG-E5', `${nameOf(request)} began after one that ended unseen`);
  } else if (known !== 'Failed' && known !== 'TimedOut') {
    account.world.violate('ENG-E6', `${nameOf(request)} began after one that ${known}`);
  }
  if (step.policy.failurePolicy !== 'Retry' && account.failures(step) > step.policy.retry.limit) {
    account.world.violate('ENG-E6', `${nameOf(request)} is one more than its limit`);
  }
}

/** ENG-E4, ENG-E6, ENG-E8 and ENG-E9 for a cleanup step. */
function judgeCleanup(account: Account, step: Step, request: AttemptRequest): void {
  const { world } = account;
  if (step.kind === 'cleanup' && step.undoes !== undefined && !wasIssued(account, step.undoes)) {
    world.violate('ENG-E8', `${nameOf(request)} undoes ${step.undoes}, which was never issued`);
  }
  if (request.signal.aborted) world.violate('ENG-E9', `${nameOf(request)} began cancelled`);
  judgeCleanupOrder(account, step, request);
  if (!mainStepsOver(account)) {
    world.violate('ENG-E4', `${nameOf(request)} began before the main steps were over`);
  }
  if (request.attempt > 1) judgeCleanupRepeat(account, step, request);
}

/** ENG-E16: cleanup steps run in order. */
function judgeCleanupOrder(account: Account, step: Step, request: AttemptRequest): void {
  for (const earlier of account.plan.steps) {
    if (earlier.name === step.name) break;
    if (earlier.kind === 'main' || cleanupDone(account, earlier)) continue;
    account.world.violate('ENG-E16', `${nameOf(request)} began while ${earlier.name} was owed`);
  }
}

function judgeCleanupRepeat(account: Account, step: Step, request: AttemptRequest): void {
  const { world } = account;
  const before = account.effect(step, request.attempt - 1);
  const known = before === undefined ? 'Unknown' : account.known(before);
  if (known === 'Succeeded') {
    world.violate('ENG-E6', `${nameOf(request)} began after one that succeeded`);
  }
  const decidedMs = account.durable().find((record) => isIntent(record, request))?.atMs ?? 0;
  const limited = step.policy.failurePolicy !== 'Retry' || decidedMs >= account.deadlineMs();
  // After an end that was not seen, one more attempt is allowed, even if the limit of failures is reached (ENG-E5).
  const usedUp = known !== 'Unknown' && account.failures(step) > step.policy.retry.limit;
  if (limited && usedUp) world.violate('ENG-E6', `${nameOf(request)} is one more than its limit`);
  // The intent of the present attempt has no end yet, so it is subtracted.
  if (account.unseen(step) - 1 > UNSEEN_CLEANUPS) {
    world.violate('ENG-E5', `${nameOf(request)} began after ${UNSEEN_CLEANUPS} that ended unseen`);
  }
}

function isIntent(record: RunRecord, { step, attempt }: AttemptRequest): boolean {
  return record.type === 'AttemptStarted' && record.step === step && record.attempt === attempt;
}

export function nameOf({
  runId,
  step,
  attempt,
}: Pick<AttemptRequest, 'runId' | 'step' | 'attempt'>): string {
  return `attempt ${attempt} of ${runId}/${step}`;
}
