/**
 * Keeps the status of a snapshot within the size that the server stores. Pure.
 *
 * The essential evidence of each hook always has space: its finding and one target. Then the other targets follow in
 * their smallest form, those with a finding first, as many as fit. The texts of the targets share the remaining space.
 * Thaw outputs are shortened last, since a restore may need them.
 */
import { countText } from '../../../model/count-text.ts';
import { storedBytes, storedTextBytes } from '../../../kube/stored-size.ts';
import type {
  HookEvidence,
  TargetEvidence,
  ApplicationSnapshot,
  ApplicationSnapshotStatus,
} from '../kinds.ts';
import { LEAST_OUTPUT_BYTES } from '../hook/fit-status.ts';
import { shorterOutput } from '../hook/kept-output.ts';
import { smallestTarget, withoutOutputs } from '../hook/smallest-form.ts';
import {
  ADMITTED_CLAIMS_MAX,
  ADMITTED_MAX,
  HOOK_BYTES_MAX,
  SUMMARY_BYTES_MAX,
} from '../schema/limits.ts';

/** Bytes of one hook in its smallest form: its names, its finding, one target. */
const LEAST_EVIDENCE_BYTES = 4_096;
/** Bytes that are recorded for one volume after the plan. */
const LATER_VOLUME_BYTES = 1_024;

/** Bytes of all objects that a window may admit. Each has its names and its verdict, and the names of its claims. */
const ADMISSIONS_BYTES: number = ADMITTED_MAX * 2_048 + ADMITTED_CLAIMS_MAX * 256;

/** Returns the status, shortened to the size that may be stored with this snapshot. */
export function fitEvidence(
  snapshot: ApplicationSnapshot,
  status: ApplicationSnapshotStatus,
): ApplicationSnapshotStatus {
  const { hooks = [], ...rest } = status;
  const left = HOOK_BYTES_MAX - ownBytes(snapshot, rest);
  if (hooks.length === 0 || storedBytes(hooks) <= left) return status;
  const whole = withTargets(hooks, targetsMax(hooks, left));
  const least = storedBytes(whole.map(smallestEvidence));
  const targets = whole.reduce((count, hook) => count + hook.targets.length, 0);
  const extra = Math.floor(Math.max(0, left - least) / Math.max(1, targets));
  const fitted = whole.map((hook) => ({
    ...hook,
    targets: hook.targets.map((target) => fitTarget(target, extra)),
  }));
  return { ...status, hooks: fitted };
}

/** Why a snapshot cannot begin: its own fields leave no space for its records; null: it can begin. */
export function whyTooLarge(
  snapshot: ApplicationSnapshot,
  planned: ApplicationSnapshotStatus,
): string | null {
  const { volumes = [], executionHookNames = [] } = planned;
  const records =
    volumes.length * LATER_VOLUME_BYTES + executionHookNames.length * LEAST_EVIDENCE_BYTES;
  const admissions = snapshot.spec.window === undefined ? 0 : ADMISSIONS_BYTES;
  const bytes = ownBytes(snapshot, planned) + records + admissions;
  if (bytes <= HOOK_BYTES_MAX) return null;
  return `The snapshot and the records of its ${countText(volumes.length, 'volume')} and ${countText(executionHookNames.length, 'hook')} need up to ${bytes} bytes, and an ApplicationSnapshot may take ${HOOK_BYTES_MAX}: select fewer volumes, or name fewer containers in its hooks.`;
}

function ownBytes(
  { metadata = {}, spec }: ApplicationSnapshot,
  status: ApplicationSnapshotStatus,
): number {
  const { managedFields: _, ...named } = metadata;
  return storedBytes({ metadata: named, spec, status }) + SUMMARY_BYTES_MAX;
}

/** The number of targets of each hook that fit in their smallest form; the last targets are the least important. */
function targetsMax(hooks: readonly HookEvidence[], left: number): number {
  const longest = Math.max(1, ...hooks.map(({ targets }) => targets.length));
  const smallest = hooks.map(smallestEvidence);
  if (storedBytes(smallest) <= left) return longest;
  let [fits, tooMany] = [1, longest];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (storedBytes(withTargets(smallest, middle)) <= left) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

function withTargets(hooks: readonly HookEvidence[], count: number): HookEvidence[] {
  return hooks.map((hook) => ({ ...hook, targets: hook.targets.slice(0, count) }));
}

function smallestEvidence(hook: HookEvidence): HookEvidence {
  const targets = hook.targets.map((target) => withoutThawOutput(smallestTarget(target)));
  return { ...hook, targets };
}

/** Makes the evidence of a target fit. `extra`: bytes that the target may have beyond its smallest form. */
function fitTarget(target: TargetEvidence, extra: number): TargetEvidence {
  const smallest = smallestTarget(target);
  const silent = withoutThawOutput(smallest);
  const bytesMax = storedBytes(silent) + extra;
  const forms = [target, withoutOutputs(target), smallest];
  const fitting = forms.find((form) => storedBytes(form) <= bytesMax);
  if (fitting !== undefined) return fitting;
  const { thawOutput = '' } = target;
  const outputBytes = bytesMax - (storedBytes(smallest) - storedTextBytes(thawOutput));
  if (outputBytes < LEAST_OUTPUT_BYTES) return silent;
  return { ...smallest, thawOutput: shorterOutput(thawOutput, outputBytes) };
}

function withoutThawOutput(target: TargetEvidence): TargetEvidence {
  const { thawOutput: _, ...rest } = target;
  return rest;
}
