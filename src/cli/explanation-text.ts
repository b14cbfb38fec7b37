/** An explanation as text: files with their verdicts, then the order, then the patch. */
import type { Explanation, StageOrder } from '../lifecycles/container/explain.ts';
import type { ExplainedFile } from '../lifecycles/container/hooksd/explain.ts';
import type { Condition } from '../lifecycles/container/hooksd/match.ts';

export function explanationText({ facts, files, order, patch }: Explanation): string {
  const annotations = Object.entries(facts.annotations).map(([key, value]) => `${key}=${value}`);
  return [
    'Container',
    `  command      ${facts.args === undefined ? '(no process)' : (facts.args[0] ?? '(process.args is empty)')}`,
    `  annotations  ${annotations.length === 0 ? '(none)' : annotations.join(', ')}`,
    `  bind mounts  ${facts.hasBindMounts ? 'yes' : 'no'}`,
    '',
    `Hook files (${files.length})`,
    ...files.flatMap(fileLines),
    '',
    'Order',
    ...(order.length === 0 ? ['  no hook runs in any stage'] : order.flatMap(stageLines)),
    '',
    'Patch to config.json',
    ...(patch.length === 0
      ? ['  nothing to add']
      : patch.map((operation) => `  ${JSON.stringify(operation)}`)),
    '',
  ].join('\n');
}

function fileLines(file: ExplainedFile): string[] {
  return [`  ${file.path}`, `    ${verdictText(file)}`, ...file.conditions.flatMap(conditionLines)];
}

function verdictText({ state, verdict, maskedBy, into, problems }: ExplainedFile): string {
  if (maskedBy !== undefined) return `masked: ${maskedBy} has the same name and stands before it`;
  if (verdict === undefined) {
    if (state === 'disabled') return 'disabled: it is a link to the null device';
    return `${state}: ${problems[0]?.message ?? 'it cannot be used'}`;
  }
  switch (verdict.kind) {
    case 'match':
      return `injected into ${into.join(', ') || 'no stage, since it names none'}: ${verdict.reason}`;
    case 'noMatch':
      return `not injected: ${verdict.reason}`;
    case 'refused':
      return `refused: ${verdict.problem.message}`;
    default:
      return verdict satisfies never;
  }
}

function conditionLines({ name, holds, reason, trials }: Condition): string[] {
  const verdict = holds === null ? 'left out' : String(holds);
  const tried = trials.map(
    ({ pattern, on, value, matched }) =>
      `        ${on} ${JSON.stringify(value)} against ${JSON.stringify(pattern)}: ${matched ? 'matches' : 'does not match'}`,
  );
  return [`      ${name}: ${verdict}, ${reason}`, ...tried];
}

function stageLines({ stage, hooks }: StageOrder): string[] {
  return [
    `  ${stage}`,
    ...hooks.map(({ path, args, from }, index) => {
      const argv = args === undefined ? '' : ` ${JSON.stringify(args)}`;
      return `    #${index} ${path}${argv}  (${from})`;
    }),
  ];
}
