/** The labels and the annotation with the verdict, on snapshots and contents, for restore tools. Pure. */
import type { JsonObject } from '../../../kube/object.ts';
import type { HookEvidence, Verdict } from '../evidence-kinds.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { VERDICT, VERDICT_EVIDENCE, VERDICT_REASON } from '../names.ts';

/** All annotations of an object together are limited to 256 KiB. */
export const EVIDENCE_CHARACTERS_MAX = 16_384;

/** The body of a merge patch. */
export function verdictMarks(snapshot: ApplicationSnapshot, verdict: Verdict): JsonObject {
  return {
    metadata: {
      labels: { [VERDICT]: verdict.value, [VERDICT_REASON]: verdict.reason },
      annotations: { [VERDICT_EVIDENCE]: evidenceText(snapshot, verdict) },
    },
  };
}

/** Contains fewer and fewer containers, until it fits. */
export function evidenceText(snapshot: ApplicationSnapshot, verdict: Verdict): string {
  const { metadata = {}, status = {} } = snapshot;
  const { hooks = [], cutRequestedAt, cutObservedAt } = status;
  const text = (targetsMax: number): string =>
    JSON.stringify({
      applicationSnapshot: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
      uid: metadata.uid ?? '',
      ...verdict,
      cutRequestedAt,
      cutObservedAt,
      hooks: hooks.map((hook) => hookText(hook, targetsMax)),
    });
  for (let max = Math.max(0, ...hooks.map(({ targets }) => targets.length)); max > 0; max >>= 1) {
    const whole = text(max);
    if (whole.length <= EVIDENCE_CHARACTERS_MAX) return whole;
  }
  const least = text(0);
  if (least.length <= EVIDENCE_CHARACTERS_MAX) return least;
  return JSON.stringify({ uid: metadata.uid ?? '', ...verdict, cutRequestedAt, cutObservedAt });
}

function hookText(hook: HookEvidence, targetsMax: number): object {
  const { targets, ...rest } = hook;
  const shown = targets.slice(0, targetsMax);
  return {
    ...rest,
    targets: shown.map((target) => ({
      pod: target.podName,
      container: target.containerName,
      podUID: target.podUID,
      containerID: target.containerID,
      restartCount: target.restartCount,
      identity: target.identity,
      thawedBy: target.thawedBy,
      probes: target.probes?.map(({ when, outcome }) => `${when}: ${outcome}`),
    })),
    targetsLeftOut: targets.length - shown.length,
  };
}
