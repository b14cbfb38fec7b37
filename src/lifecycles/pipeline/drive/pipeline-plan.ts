/** The output of `plan`: every phase in order, its work, the hooks that would run in it, and why others would not. */
import type { Problem } from '../../../model/problem.ts';
import type { PipelinePhase, When } from '../hooks/model.ts';
import { planText as hookText, type PlanLine } from '../hooks/plan-lines.ts';

export interface PipelinePlan {
  /** The requested file; absolute. */
  readonly file: string;
  readonly workDir: string;
  readonly profiles: readonly string[];
  /** null: no cluster was requested, or none was found. */
  readonly cluster: { readonly context: string; readonly namespace: string } | null;
  /** In the order in which they would run; the phases of `dev` only, verify and cleanup at the end. */
  readonly phases: readonly PlannedPhase[];
  /** Problems that would prevent a run now. */
  readonly problems: readonly Problem[];
}

export interface PlannedPhase {
  readonly phase: PipelinePhase;
  /** The image or the module; null: there is only one, or the entry is the whole phase. */
  readonly subject: string | null;
  /** The condition under which it runs; null: in every run. */
  readonly note: string | null;
  readonly entries: readonly PlannedEntry[];
}

export type PlannedEntry =
  | { readonly kind: 'hook'; readonly when: When; readonly hook: PlanLine }
  | { readonly kind: 'image'; readonly image: PlannedImage; readonly text: string }
  /** Manifests that exist now, as "Deployment/web". */
  | { readonly kind: 'objects'; readonly objects: readonly string[]; readonly text: string }
  | { readonly kind: 'work'; readonly text: string };

export interface PlannedImage {
  readonly name: string;
  /** With default-repo and tag; null: the tag cannot be created now. */
  readonly reference: string | null;
  readonly builder: string;
  readonly push: boolean | null;
  /** The id of the existing image; null: it has to be built. */
  readonly cachedId: string | null;
  readonly requires: readonly string[];
}

/**
 * A plan as text, without its problems: "+" a hook that runs, "-" a skipped one with the reason, "=" the phase's own
 * work. Pure.
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
