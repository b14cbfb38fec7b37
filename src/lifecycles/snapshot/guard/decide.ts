/**
 * Decides the status of a guard, and which of its windows are deleted (SNAP-W13). Pure.
 *
 * A window that is open or frozen is never deleted, even if its guard is changed or deleted meanwhile (SNAP-W11).
 */
import { type Condition, type Reported, withReported } from '../../../controller/conditions.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import { fieldProblemsMessage } from '../../../controller/definitions/field-problem.ts';
import type {
  GuardWindow,
  SnapshotGuard,
  SnapshotGuardStatus,
  ApplicationSnapshot,
} from '../kinds.ts';
import { GUARD_ENABLED, GUARD_ENABLED_VALUE } from '../names.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { judgeGuardSpec } from '../schema/validate.ts';
import type { GuardFacts } from './facts.ts';
import { windowNumber } from './guard-window.ts';

/** The number of newest windows of a guard that are kept. */
export const WINDOWS_KEPT = 20;
/** Milliseconds that a window is kept at least: it marks VolumeSnapshotContents that appear late (SNAP-W5). */
export const KEPT_AT_LEAST_MS = 600_000;

export interface GuardDecision {
  /** null: the guard does not exist any more. */
  readonly status: SnapshotGuardStatus | null;
  readonly deleted: readonly ApplicationSnapshot[];
}

export function decideGuard(facts: GuardFacts): GuardDecision {
  const { guard, windows, nowMs } = facts;
  const deleted = windowsToDelete(facts);
  if (guard === null) return { status: null, deleted };
  const newest = windows.at(-1);
  const status: SnapshotGuardStatus = {
    observedGeneration: guard.metadata?.generation ?? 0,
    ...(newest === undefined ? {} : { window: windowStatus(newest) }),
    ...newestNumberOf(guard, newest),
    windowCount: windows.length - deleted.length,
    conditions: conditionsOf(guard, facts, nowMs),
  };
  return { status, deleted };
}

/** The number never decreases, so that no name is used again after a user has deleted windows (SNAP-W6). */
function newestNumberOf(
  { status = {} }: SnapshotGuard,
  newest: ApplicationSnapshot | undefined,
): Pick<SnapshotGuardStatus, 'newestNumber'> {
  const number = newest === undefined ? 0 : windowNumber(newest);
  const newestNumber = Math.max(status.newestNumber ?? 0, number);
  return newestNumber === 0 ? {} : { newestNumber };
}

function windowsToDelete({ guard, windows, nowMs }: GuardFacts): readonly ApplicationSnapshot[] {
  const old = guard === null ? windows : windows.slice(0, -WINDOWS_KEPT);
  return old.filter((window) => {
    const { completedAt } = window.status ?? {};
    if (completedAt === undefined || isTerminating(window)) return false;
    return nowMs - Date.parse(completedAt) >= KEPT_AT_LEAST_MS;
  });
}

function windowStatus({ metadata, status = {} }: ApplicationSnapshot): GuardWindow {
  const { phase = 'Pending', admitted = [], verdict, completedAt } = status;
  return {
    name: metadata?.name ?? '',
    phase,
    admitted: admitted.length,
    ...(verdict === undefined ? {} : { verdict: verdict.value }),
    ...(verdict?.freezeWindowMs === undefined ? {} : { freezeWindowMs: verdict.freezeWindowMs }),
    ...(completedAt === undefined ? {} : { completedAt }),
  };
}

/** The conditions of a guard. `Stalled` is for kstatus: a guard with a wrong spec does not become ready by itself. */
function conditionsOf(guard: SnapshotGuard, facts: GuardFacts, nowMs: number): Condition[] {
  const { errors } = judgeGuardSpec(guard.spec, resolveRecipe);
  const invalid = errors.length === 0 ? null : fieldProblemsMessage(errors);
  const ready = readyOf(guard, facts, invalid);
  const stalled: Reported =
    invalid === null
      ? { type: 'Stalled', status: 'False', reason: 'Valid', message: 'The spec is valid.' }
      : { type: 'Stalled', status: 'True', reason: 'Invalid', message: invalid };
  const { metadata, status = {} } = guard;
  return withReported(status, [ready, stalled], { metadata, nowMs }).conditions;
}

function readyOf(
  { metadata }: SnapshotGuard,
  { isEnabled, missingTemplates }: GuardFacts,
  invalid: string | null,
): Reported {
  const type = 'Ready';
  if (invalid !== null) return { type, status: 'False', reason: 'Invalid', message: invalid };
  if (!isEnabled) {
    const namespace = metadata?.namespace ?? '';
    const message = `Snapshots are not guarded: run kubectl label namespace ${namespace} ${GUARD_ENABLED}=${GUARD_ENABLED_VALUE}`;
    return { type, status: 'False', reason: 'NamespaceNotEnabled', message };
  }
  if (missingTemplates.length > 0) {
    const message = `No freeze can succeed: create ExecutionHookTemplate ${missingTemplates.join(', ')}.`;
    return { type, status: 'False', reason: 'TemplateMissing', message };
  }
  const message = 'Snapshots of its claims are guarded.';
  return { type, status: 'True', reason: 'Guarding', message };
}
