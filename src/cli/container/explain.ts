/** `lifehook oci explain`: prints the hooks that a container would get, and the reasons against the others. */
import process from 'node:process';

import { readBundle } from '../../lifecycles/container/config/bundle.ts';
import type { ConfigObject } from '../../lifecycles/container/config/config-text.ts';
import { explain, type Explanation, type StageOrder } from '../../lifecycles/container/explain.ts';
import { gatherFacts } from '../../lifecycles/container/facts.ts';
import type { ExplainedFile } from '../../lifecycles/container/hooksd/explain.ts';
import type { ContainerFacts } from '../../lifecycles/container/hooksd/hook-file.ts';
import { missingFolder } from '../../lifecycles/container/hooksd/lint.ts';
import { literalFirst } from '../../lifecycles/container/hooksd/literal-first.ts';
import { loadHooks } from '../../lifecycles/container/hooksd/load.ts';
import type { Condition } from '../../lifecycles/container/hooksd/match.ts';
import type { PrestartMode } from '../../lifecycles/container/hooksd/select.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { nodeFiles } from '../../platform/files.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FolderOptions } from './hook-folders.ts';
import { scanOptions } from './runtime-containers.ts';
import { reportProblems } from '../report-problems.ts';
import { printable } from '../terminal-text.ts';

export interface ExplainCommandOptions extends FolderOptions {
  readonly output: string;
  readonly prestart: PrestartMode;
  /** Annotations as key=value pairs, which override those of the bundle. */
  readonly annotation?: readonly string[];
  readonly command?: string;
  readonly bindMounts?: boolean;
}

export async function runOciExplain(
  bundle: string | undefined,
  options: ExplainCommandOptions,
): Promise<number> {
  const scan = scanOptions(options);
  const config =
    bundle === undefined
      ? {}
      : (await readBundle({ files: scan.files, folder: bundle, trust: scan })).config;
  const explanation = explain({
    set: await loadHooks(scan),
    facts: factsOf(config, options),
    config,
    prestart: options.prestart,
    matcherOf: literalFirst(scan.compile),
  });
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(explanation, null, 2)}\n`);
  else process.stdout.write(explanationText(explanation));
  const problems = [...(await missingFolders(options)), ...explanation.problems];
  reportProblems(problems);
  return problems.some(isError) ? exitCodes.failed : exitCodes.done;
}

/** Checks only the directories that the user named, because the default ones may be missing. */
async function missingFolders({ hooksDir = [] }: FolderOptions): Promise<Problem[]> {
  const missing: Problem[] = [];
  for (const folder of hooksDir) {
    const found = await nodeFiles.stat(folder).catch(() => null);
    if (found === null) missing.push(missingFolder(folder, 'error'));
  }
  return missing;
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function factsOf(config: ConfigObject, options: ExplainCommandOptions): ContainerFacts {
  const facts = gatherFacts(
    config,
    options.bindMounts === undefined ? {} : { hasBindMounts: options.bindMounts },
  );
  const given = Object.fromEntries((options.annotation ?? []).map(pairOf));
  const args = options.command === undefined ? facts.args : [options.command];
  return { ...facts, annotations: { ...facts.annotations, ...given }, args };
}

function pairOf(text: string): [string, string] {
  const cut = text.indexOf('=');
  if (cut > 0) return [text.slice(0, cut), text.slice(cut + 1)];
  throw new LifehookError({
    code: 'LHG012',
    message: `--annotation takes KEY=VALUE, not ${JSON.stringify(text)}.`,
    next: 'write it as --annotation com.example.tier=web.',
  });
}

/** An explanation as text: the files with their verdicts, then the order of the hooks, then the patch. */
export function explanationText({ facts, files, order, patch }: Explanation): string {
  const annotations = Object.entries(facts.annotations).map(([key, value]) => `${key}=${value}`);
  const lines = [
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
  ];
  return printable(lines.join('\n'));
}

function fileLines(file: ExplainedFile): string[] {
  return [`  ${file.path}`, `    ${verdictText(file)}`, ...file.conditions.flatMap(conditionLines)];
}

function verdictText({ state, verdict, maskedBy, into, problems }: ExplainedFile): string {
  if (maskedBy !== undefined) return `masked: ${maskedBy} has the same name and takes precedence`;
  if (verdict === undefined) {
    if (state === 'disabled') return 'disabled: it is a link to the null device';
    return `${state}: ${problems[0]?.message ?? 'it cannot be used'}`;
  }
  switch (verdict.kind) {
    case 'match':
      return `injected into ${into.join(', ') || 'no stage: the file names none'}: ${verdict.reason}`;
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
