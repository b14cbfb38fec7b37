/**
 * The statuses of hooks as this process knows them in its term. What the server has counts, but for two cases: the
 * server refuses to record a thaw, and somebody has taken records out of a status by hand.
 *
 * - A record that this process made, or has seen, is not lost while the process leads.
 * - A status that the server does not take replaces no record that it does not have: another leader made that.
 * - A hook begins anew only where this process itself marked its beginning, and stored nothing of it yet.
 */
import { sameJson } from '../../../controller/same-json.ts';
import type {
  ActionStatus,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
} from '../kinds.ts';
import { attemptsOf } from './attempt.ts';
import { isBegun, uidOf } from './targets.ts';

/** A server that refuses a status is asked again after a second, then ever later. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

interface Kept {
  readonly status: ExecutionHookStatus;
  /** Of a status that the server refuses; null: the server has it. */
  readonly owed: Owed | null;
}

interface Owed {
  readonly sinceMs: number;
  readonly nextMs: number;
  readonly waitMs: number;
}

/** By the UID of the hook; times are of the monotonic clock. */
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

  /** The server has this status. */
  keep(uid: string, status: ExecutionHookStatus): void {
    if (!isBegun({ status })) return;
    this.#marked.delete(uid);
    this.#kept.set(uid, { status, owed: null });
  }

  /** The server has refused this status. */
  owe(uid: string, status: ExecutionHookStatus, nowMs: number): void {
    const { owed } = this.#kept.get(uid) ?? { owed: null };
    const waitMs = owed === null ? FIRST_WAIT_MS : Math.min(2 * owed.waitMs, LONGEST_WAIT_MS);
    const times = { sinceMs: owed?.sinceMs ?? nowMs, nextMs: nowMs + waitMs, waitMs };
    this.#kept.set(uid, { status, owed: times });
  }

  /** Of a status that the server refuses: the newest one, which is not tried yet. */
  change(uid: string, status: ExecutionHookStatus): void {
    const { owed = null } = this.#kept.get(uid) ?? {};
    this.#kept.set(uid, { status, owed });
  }

  isOwed(uid: string): boolean {
    return (this.#kept.get(uid)?.owed ?? null) !== null;
  }

  /** For how long the server has refused it, milliseconds; null: it does not. */
  owedForMs(uid: string, nowMs: number): number | null {
    const { owed = null } = this.#kept.get(uid) ?? {};
    return owed === null ? null : nowMs - owed.sinceMs;
  }

  /** When the server is to be asked again, milliseconds from now; 0: now. */
  waitMs(uid: string, nowMs: number): number {
    const { owed = null } = this.#kept.get(uid) ?? {};
    return owed === null ? 0 : Math.max(0, owed.nextMs - nowMs);
  }

  /** This process has marked the beginning on the hook, and nothing has run. */
  mark(uid: string): void {
    if (!this.#kept.has(uid)) this.#marked.add(uid);
  }

  /** The mark was not written. */
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

/** Records are only ever added: a status with fewer of them, or with others, was changed by somebody else. */
function hasLost(status: ExecutionHookStatus, known: ExecutionHookStatus): boolean {
  if (!isBegun({ status: known })) return false;
  if (!isBegun({ status })) return true;
  if (FINAL.some((field) => known[field] !== undefined && !sameJson(known[field], status[field])))
    return true;
  const { containerExecutionHookStatuses: found = [] } = status;
  const { containerExecutionHookStatuses: targets = [] } = known;
  return targets.some((target, index) => isLess(found[index], target));
}

/** What is told once, and stays (SNAP-I6). */
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
