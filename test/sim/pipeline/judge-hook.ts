/** Judges a hook of a pipeline when it begins, and when it has ended. */
import { SLOW_MS } from '../host/host-changes.ts';
import {
  type Account,
  endedWell,
  type HookRun,
  type Place,
  placeOf,
  policyOf,
  type Session,
  REPORTED_MS,
} from './account.ts';
import { WHENS } from './plan.ts';

export function judgeHook(account: Account, session: Session, run: HookRun): void {
  judgeIntent(account, session, run);
  judgeAttempt(account, session, run);
  judgeStops(account, session, run);
  judgeLock(account, session, run);
  judgeOrder(account, session, run);
}

export const nameOf = (
  { n }: Pick<Session, 'n'>,
  { address, attempt }: Pick<HookRun, 'address' | 'attempt'>,
): string => `attempt ${attempt} of ${address} of session ${n}`;

/** PIPE-I1: the run is durable before its first attempt, and the intent of each retry too. */
function judgeIntent(account: Account, session: Session, run: HookRun): void {
  const file = account.host.tree.find(`${session.folder}/journal/journal.jsonl`);
  const durable = file?.kind === 'file' ? file.durable : '';
  const isOpened = durable.includes(`"type":"RunOpened","runId":"${run.runId}"`);
  account.require(
    isOpened,
    'PIPE-I1',
    () => `${nameOf(session, run)} began before its run was durable`,
  );
  const start = `"step":"${run.address}","attempt":${run.attempt}}`;
  const isReported = run.attempt === 1 || durable.includes(start);
  account.require(
    isReported,
    'PIPE-I1',
    () => `${nameOf(session, run)} began before that was durable`,
  );
}

/** PIPE-P2: a hook is attempted again only after a failure, within its retry limit. */
function judgeAttempt(account: Account, session: Session, run: HookRun): void {
  const before = session.hooks.filter(({ address }) => address === run.address);
  const { retries } = policyOf(session, run.address);
  account.require(
    before.length <= retries,
    'PIPE-P2',
    () => `${nameOf(session, run)} is one too many`,
  );
  const last = before.at(-1);
  if (last === undefined) return;
  const isDue = last.endedMs !== null && !endedWell(session, last);
  account.require(
    isDue,
    'PIPE-P2',
    () => `${nameOf(session, run)} began after one that did not fail`,
  );
}

/** PIPE-P3: no hook begins after the signal that stops it. PIPE-I3: none begins after a record was refused. */
function judgeStops(account: Account, session: Session, run: HookRun): void {
  const { when } = placeOf(session, run.address);
  const { cancelledMs, hurriedMs, refusedMs } = session;
  const stoppedMs = (isCleanup(when) ? hurriedMs : cancelledMs) ?? Infinity;
  const { elapsedMs } = account.world;
  account.require(
    elapsedMs <= stoppedMs,
    'PIPE-P3',
    () => `${nameOf(session, run)} began, cancelled`,
  );
  const beganMs = session.attempts.get(`${run.runId}-${run.attempt}`) ?? elapsedMs;
  // An attempt creates a directory before its first file. That is one change, which may be slow.
  const onItsWayMs = account.hasSlowDisk ? SLOW_MS : 0;
  const isReceived = beganMs > (refusedMs ?? Infinity) + RECEIVED_MS + onItsWayMs;
  account.require(
    !isReceived,
    'PIPE-I3',
    () => `${nameOf(session, run)} began after a record was refused`,
  );
}

/** Milliseconds until the session knows of a refusal: the write of the whole group of records must end first. */
const RECEIVED_MS = 20;

/** PIPE-P4: no hook with the same lock is running. */
function judgeLock(account: Account, session: Session, run: HookRun): void {
  const { lock } = policyOf(session, run.address);
  if (lock === undefined) return;
  for (const other of session.hooks) {
    const isHeld = other.endedMs === null && policyOf(session, other.address).lock === lock;
    account.require(
      !isHeld,
      'PIPE-P4',
      () => `${nameOf(session, run)} began while ${other.address} ran`,
    );
  }
}

/** PIPE-P1: the hook begins in the order of its stage. */
function judgeOrder(account: Account, session: Session, run: HookRun): void {
  const place = placeOf(session, run.address);
  const name = nameOf(session, run);
  for (const other of session.hooks) {
    const at = placeOf(session, other.address);
    if (at.stage !== place.stage) continue;
    account.require(
      other.endedMs !== null,
      'PIPE-P1',
      () => `${name} began while ${other.address} ran`,
    );
    const isLater = rankOf(at) > rankOf(place);
    account.require(!isLater, 'PIPE-P1', () => `${name} began after ${other.address}`);
  }
  judgeWork(account, session, { place, name });
}

const rankOf = ({ when, index }: Place): number => WHENS.indexOf(when) * 100 + index;

interface Judged {
  readonly place: Place;
  readonly name: string;
}

function judgeWork(account: Account, session: Session, { place, name }: Judged): void {
  const { stage, when, index } = place;
  const truth = session.stages.get(stage.name);
  const worked = truth?.workEnded ?? null;
  if (when === 'before') {
    account.require(truth?.workBeganMs === null, 'PIPE-P1', () => `${name} began after the work`);
    judgeGood(account, session, { list: stage.hooks.before.slice(0, index), name });
  } else if (when === 'after') {
    account.require(
      worked === 'well',
      'PIPE-P1',
      () => `${name} began, and the work ended ${worked}`,
    );
    const list = [...stage.hooks.before, ...stage.hooks.after.slice(0, index)];
    judgeGood(account, session, { list, name });
  } else if (when === 'onError') {
    // If the machine refuses a change of a file, a hook can fail before its process starts.
    const mayHaveFailed = session.process.failures > 0 || session.cancelledMs !== null;
    const list = [...stage.hooks.before, ...stage.hooks.after];
    const allWell = worked === 'well' && list.every(({ address }) => isGood(session, address));
    account.require(mayHaveFailed || !allWell, 'PIPE-P1', () => `${name} began without a failure`);
  }
}

interface Before {
  readonly list: readonly { readonly address: string }[];
  readonly name: string;
}

/**
 * Judges the hooks of a list that ended well: the last attempt of each succeeded, unless its failure is ignored. A
 * skipped hook has no attempt.
 */
function judgeGood(account: Account, session: Session, { list, name }: Before): void {
  for (const { address } of list) {
    const isWell = isGood(session, address);
    account.require(isWell, 'PIPE-P1', () => `${name} began, and ${address} failed`);
  }
}

function isGood(session: Session, address: string): boolean {
  const last = session.hooks.findLast((one) => one.address === address);
  const isLenient = policyOf(session, address).onFailure !== 'fail';
  return last === undefined || isLenient || endedWell(session, last);
}

const GRACE_MAX_MS = 2_000;
/** PIPE-P9: default timeout of a cleanup hook, in milliseconds. */
export const CLEANUP_MS = 600_000;

export const isCleanup = (when: string): boolean => when === 'onError' || when === 'finally';

/** ENG-C2: the hook ends by its deadline, unless its session was killed. */
export function judgeHookEnd(account: Account, session: Session, run: HookRun): void {
  const { timeoutSeconds } = policyOf(session, run.address);
  if (timeoutSeconds === null || !session.process.alive || run.endedMs === null) return;
  const limitMs = timeoutSeconds * 1_000 + Math.min(GRACE_MAX_MS, timeoutSeconds * 250);
  const tookMs = run.endedMs - run.beganMs;
  account.require(tookMs <= limitMs + REPORTED_MS, 'ENG-C2', () => {
    return `${nameOf(session, run)} ran for ${tookMs} ms of ${timeoutSeconds} s`;
  });
}
