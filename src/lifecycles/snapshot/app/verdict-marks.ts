/** The labels and the annotation with the verdict, on snapshots and contents, for restore tools (SNAP-S7). Pure. */
import type { KubeObject } from '../../../kube/object.ts';
import type { HookEvidence, Verdict, ApplicationSnapshot } from '../kinds.ts';
import { VERDICT, VERDICT_EVIDENCE, VERDICT_REASON } from '../names.ts';

/** Characters; all annotations of an object together may have at most 256 KiB. */
export const EVIDENCE_CHARACTERS_MAX = 16_384;

/** The metadata of a merge patch. Lifehook writes nothing else on an object of another client. */
export interface VerdictMarks {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function verdictMarks(snapshot: ApplicationSnapshot, verdict: Verdict): VerdictMarks {
  return {
    labels: { [VERDICT]: verdict.value, [VERDICT_REASON]: verdict.reason },
    annotations: { [VERDICT_EVIDENCE]: evidenceText(snapshot, verdict) },
  };
}

/** Whether the object has exactly these marks: every user who may patch it can change them. */
export function hasMarks(object: KubeObject, { labels, annotations }: VerdictMarks): boolean {
  return hasLabels(object, { labels }) && hasAll(object.metadata?.annotations, annotations);
}

export function hasLabels({ metadata }: KubeObject, marks: Pick<VerdictMarks, 'labels'>): boolean {
  return hasAll(metadata?.labels, marks.labels);
}

type Texts = Readonly<Record<string, string>>;

function hasAll(found: Texts = {}, wanted: Texts): boolean {
  return Object.entries(wanted).every(([name, text]) => found[name] === text);
}

/** The text for the annotation with the evidence. Leaves out containers until it fits in EVIDENCE_CHARACTERS_MAX. */
export function evidenceText(snapshot: ApplicationSnapshot, verdict: Verdict): string {
  const { metadata = {}, status = {} } = snapshot;
  const { hooks = [], cutRequestedAt, cutObservedAt } = status;
  const text = (targetsMax: number): string =>
    jsonOf({
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
  return jsonOf({ uid: metadata.uid ?? '', ...verdict, cutRequestedAt, cutObservedAt });
}

/** Sorts the fields by name: the server returns the fields of a status in another order than they were written in. */
function jsonOf(evidence: object): string {
  return JSON.stringify(evidence, (_, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
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
