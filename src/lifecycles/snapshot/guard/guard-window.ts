/**
 * The window that a guard opens: an ApplicationSnapshot of its claims with its hooks. Pure.
 *
 * Its name is the guard's name with a number, so that two processes of the webhook cannot open two windows at once
 * (SNAP-W6).
 */
import { sameJson } from '../../../controller/same-json.ts';
import type { SnapshotGuard, ApplicationSnapshot, ApplicationSnapshotSpec } from '../kinds.ts';
import { DEFAULT_FREEZE_TIMEOUT_SECONDS, EXCLUDED_FROM_BACKUP, GUARD_NAME } from '../names.ts';

export interface WindowInput {
  readonly guard: SnapshotGuard;
  /** Names of the bound claims of the guard, sorted. */
  readonly claimNames: readonly string[];
}

export function windowFor(input: WindowInput, number: number): ApplicationSnapshot {
  const { namespace = '', name = '' } = input.guard.metadata ?? {};
  const labels = { [GUARD_NAME]: name, [EXCLUDED_FROM_BACKUP]: 'true' };
  return {
    metadata: { namespace, name: windowName(name, number), labels },
    spec: windowSpec(input),
  };
}

/**
 * Reads the spec: a label and a name prove nothing, since every user who may create or patch snapshots can write them.
 */
export function isWindowOf({ spec }: ApplicationSnapshot, { metadata }: SnapshotGuard): boolean {
  return spec.window !== undefined && spec.window.guardName === metadata?.name;
}

/** Whether the guard would open this window today: after a change of the guard it would not (SNAP-W11). */
export function isOfGuard({ spec }: ApplicationSnapshot, { guard }: WindowInput): boolean {
  const claimNames = spec.source.persistentVolumeClaimNames ?? [];
  return sameJson(spec, windowSpec({ guard, claimNames }));
}

function windowSpec({ guard, claimNames }: WindowInput): ApplicationSnapshotSpec {
  const { spec, metadata } = guard;
  const {
    freezeTimeoutSeconds = DEFAULT_FREEZE_TIMEOUT_SECONDS,
    holdOpenSeconds = 0,
    cutDeadlineSeconds,
    executionHookInfos,
  } = spec;
  return {
    source: { persistentVolumeClaimNames: [...claimNames] },
    executionHookInfos,
    ...(cutDeadlineSeconds === undefined ? {} : { cutDeadlineSeconds }),
    window: { guardName: metadata?.name ?? '', freezeTimeoutSeconds, holdOpenSeconds },
  };
}

/** The name of a window. Example: `mariadb-window-7`. */
export function windowName(guard: string, number: number): string {
  return `${guard}-window-${number}`;
}

/** The number in the window's name; 0: the webhook did not choose the name. */
export function windowNumber({ metadata }: ApplicationSnapshot): number {
  const digits = /-window-(\d{1,15})$/.exec(metadata?.name ?? '')?.[1];
  return digits === undefined ? 0 : Number(digits);
}
