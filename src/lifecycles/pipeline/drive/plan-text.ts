/** A plan for people, without its problems: "+" a hook that runs, "-" one that does not and why, "=" what the phase itself does. Pure. */
import { planText as hookText } from '../hooks/plan-lines.ts';
import type { PipelinePlan, PlannedEntry, PlannedPhase } from './pipeline-plan.ts';

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
