/**
 * The statuses of hooks, as this process knows them in its term. The server's status counts, except in two cases: the
 * server refuses to store a thaw, or a user has removed records from a status.
 *
 * - An attempt, an outcome, the release or the end of a freeze that this process recorded or has seen is not lost while
 *   the process leads.
 * - A refused status never replaces a status of the server that has a further record: another leader made that record.
 * - A hook starts anew only if this process itself marked its beginning and has stored no status of it yet.
 */
import { sameJson } from '../../../controller/same-json.ts';
import type {
  ActionStatus,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
} from '../kinds.ts';
import { attemptsOf } from './attempts.ts';
import { isBegun, uidOf } from './targets.ts';

/** Milliseconds. A refused status is retried after a second, then after growing pauses. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

interface Kept {
  readonly status: ExecutionHookStatus;
  /** The retries of a status that the server refuses; null: the server has stored it. */
  readonly owed: Owed | null;
}

interface Owed {
  readonly sinceMs: number;
  readonly nextMs: number;
  readonly waitMs: number;
}

/** The kept status of each hook, by the UID of the hook. Times are milliseconds of the monotonic clock. */
export class KeptStatuses {
  readonly #kept = new Map<string, Kept>();
  readonly #marked = new Set<string>();

  /** The hook with its newest status. */
  over(stored: ExecutionHook): ExecutionHook {
    const kept = this.#kept.get(uidOf(stored));
    if (kept === undefined) return stored;
    const { status = {} } = stored;
    const isNewer =
      kept.owed === null ? hasLost(status, kept.status) : !hasLost(kept.status, status);
    return isNewer ? { ...stored, status: kept.status } : stored;
  }

  /** Records a status that the server has stored. */
  keep(uid: string, status: ExecutionHookStatus): void {
    if (!isBegun({ status })) return;
    this.#marked.delete(uid);
    this.#kept.set(uid, { status, owed: null });
  }

  /** Records a status that the server has refused, and the time of the next try. */
  owe(uid: string, status: ExecutionHookStatus, nowMs: number): void {
    const { owed } = this.#kept.get(uid) ?? { owed: null };
    const waitMs = owed === null ? FIRST_WAIT_MS : Math.min(2 * owed.waitMs, LONGEST_WAIT_MS);
    const times = { sinceMs: owed?.sinceMs ?? nowMs, nextMs: nowMs + waitMs, waitMs };
    this.#kept.set(uid, { status, owed: times });
  }

  /** Replaces a refused status by a newer one that was not sent yet. */
  change(uid: string, status: ExecutionHookStatus): void {
    const { owed = null } = this.#kept.get(uid) ?? {};
    this.#kept.set(uid, { status, owed });
  }

  isOwed(uid: string): boolean {
    return (this.#kept.get(uid)?.owed ?? null) !== null;
  }

  /** Milliseconds since the server first refused the status; null: it is not refused. */
  owedForMs(uid: string, nowMs: number): number | null {
    const { owed = null } = this.#kept.get(uid) ?? {};
    return owed === null ? null : nowMs - owed.sinceMs;
  }

  /** Milliseconds until the next attempt to store the status; 0: now. */
  waitMs(uid: string, nowMs: number): number {
    const { owed = null } = this.#kept.get(uid) ?? {};
    return owed === null ? 0 : Math.max(0, owed.nextMs - nowMs);
  }

  /** Records that this process adds the annotation BEGUN to the hook, before anything runs. */
  mark(uid: string): void {
    if (!this.#kept.has(uid)) this.#marked.add(uid);
  }

  /** Records that the annotation was not written, or was removed again. */
  unmark(uid: string): void {
    this.#marked.delete(uid);
  }

  isMarked(uid: string): boolean {
    return this.#marked.has(uid);
  }

  forget(uid: string): void {
    this.#kept.delete(uid);
    this.#marked.delete(uid);
  }
}

/**
 * Whether another client changed the status. Lifehook only adds records, so fewer or different records are not its own.
 */
function hasLost(status: ExecutionHookStatus, known: ExecutionHookStatus): boolean {
  if (!isBegun({ status: known })) return false;
  if (!isBegun({ status })) return true;
  if (FINAL.some((field) => known[field] !== undefined && !sameJson(known[field], status[field])))
    return true;
  const { containerExecutionHookStatuses: found = [] } = status;
  const { containerExecutionHookStatuses: targets = [] } = known;
  return targets.some((target, index) => isLess(found[index], target));
}

/** Fields that are set once and never change (SNAP-I6). */
const FINAL = ['preActionSucceed', 'postActionSucceed', 'release'] as const;

function isLess(found: ContainerStatus | undefined, known: ContainerStatus): boolean {
  if (found === undefined || found.podUID !== known.podUID) return true;
  return (
    isActionLess(found.preActionStatus, known.preActionStatus) ||
    isActionLess(found.postActionStatus, known.postActionStatus) ||
    (known.thawedBy !== undefined && found.thawedBy === undefined)
  );
}

function isActionLess(found: ActionStatus | undefined, known: ActionStatus | undefined): boolean {
  const isDecided = known?.actionSucceed !== undefined;
  return attemptsOf(found) < attemptsOf(known) || (isDecided && found?.actionSucceed === undefined);
}
