/** What `plan` says: every phase in its order, with what it would do and which hooks would run in it, and why not. */
import type { Problem } from '../../../model/problem.ts';
import type { PipelinePhase, When } from '../hooks/model.ts';
import { planText as hookText, type PlanLine } from '../hooks/plan-lines.ts';

export interface PipelinePlan {
  /** That was asked for; absolute. */
  readonly file: string;
  readonly workDir: string;
  readonly profiles: readonly string[];
  /** null: none was asked for, or could be found. */
  readonly cluster: { readonly context: string; readonly namespace: string } | null;
  /** In the order in which they would run; those of `dev` alone, verify and cleanup at the end. */
  readonly phases: readonly PlannedPhase[];
  /** What would keep it from running, as it stands now. */
  readonly problems: readonly Problem[];
}

export interface PlannedPhase {
  readonly phase: PipelinePhase;
  /** The image, the module; null: there is one, or it is the whole phase. */
  readonly subject: string | null;
  /** When, if not in every run; null: always. */
  readonly note: string | null;
  readonly entries: readonly PlannedEntry[];
}

export type PlannedEntry =
  | { readonly kind: 'hook'; readonly when: When; readonly hook: PlanLine }
  | { readonly kind: 'image'; readonly image: PlannedImage; readonly text: string }
  /** Manifests that are there now, as "Deployment/web". */
  | { readonly kind: 'objects'; readonly objects: readonly string[]; readonly text: string }
  | { readonly kind: 'work'; readonly text: string };

export interface PlannedImage {
  readonly name: string;
  /** With default-repo and tag; null: the tag can't be made now. */
  readonly reference: string | null;
  readonly builder: string;
  readonly push: boolean | null;
  /** The id of the image that is there; null: it is to be built. */
  readonly cachedId: string | null;
  readonly requires: readonly string[];
}

/**
 * A plan for people, without its problems: "+" a hook that runs, "-" one that does not and why, "=" what the phase itself does. Pure.
 */
export function pipelinePlanText(plan: PipelinePlan): string {
  const { file, profiles, cluster, phases } = plan;
  const facts = [
    file,
    ...(profiles.length === 0 ? [] : [`profiles ${profiles.join(', ')}`]),
    cluster === null ? 'no cluster' : `context ${cluster.context}, namespace ${cluster.namespace}`,
  ];
  return [facts.join('; '), ...phases.flatMap((one) => ['', ...phaseRows(one)])].join('\n');
}

function phaseRows({ phase, subject, note, entries }: PlannedPhase): string[] {
  const title = subject === null ? phase : `${phase} ${subject}`;
  return [
    note === null ? title : `${title} (${note})`,
    ...entries.flatMap((entry) => entryText(entry).split('\n')).map((row) => `  ${row}`),
  ];
}

function entryText(entry: PlannedEntry): string {
  return entry.kind === 'hook' ? hookText(entry.hook) : `= ${entry.text}`;
}
