/** Converts a skaffold.yaml for `lifehook convert`. */
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { everyHook } from '../../lifecycles/pipeline/config/map-hooks.ts';
import { readPipeline } from '../../lifecycles/pipeline/config/read-pipeline.ts';
import { plainValue } from '../../lifecycles/pipeline/config/tree-edit.ts';
import { NEWEST, upgrade } from '../../lifecycles/pipeline/config/upgrade/upgrade.ts';
import type { PipelineHook } from '../../lifecycles/pipeline/hooks/model.ts';
import { readTrees } from '../../model/located-tree.ts';
import { type Problem, shownText } from '../../model/problem.ts';
import { yamlDocuments } from '../../model/yaml-text.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isPipeline } from '../by-file/look-at-path.ts';
import { type ConvertOptions, exitCodeOf, type Output } from '../convert/run-convert.ts';
import { readFileText } from '../read-text.ts';
import { reportProblems } from '../report-problems.ts';
import { configFacts } from './config-facts.ts';

export const isConvertible: (value: unknown) => boolean = isPipeline;

export async function convertFile(
  path: string,
  _options: ConvertOptions,
  output: Output,
): Promise<number> {
  const text = await readFileText(path);
  const file = resolve(path);
  const folder = dirname(file);
  const { config } = await readPipeline({
    file,
    profiles: [],
    env: process.env,
    command: 'run',
    facts: configFacts(() => Promise.resolve(null)),
  });
  const converted = convertPipeline({
    file: path,
    text,
    hooks: everyHook(config),
    hasLifehookFile: await isThere(join(folder, 'lifehook.yaml')),
  });
  reportProblems(converted.problems);
  if (converted.skaffold !== null) await output.write('skaffold.yaml', converted.skaffold);
  if (converted.lifehook !== null) await output.write('lifehook.yaml', converted.lifehook);
  if (converted.skaffold === null && converted.lifehook === null) {
    process.stderr.write(`${path} runs without changes: nothing to convert.\n`);
  }
  return exitCodeOf(converted.problems);
}

async function isThere(path: string): Promise<boolean> {
  return nodeFiles.stat(path).then(
    () => true,
    () => false,
  );
}

/** The texts of the new files. */
interface ConvertedPipeline {
  /** null: the file already has the newest version. */
  readonly skaffold: string | null;
  /** null: a lifehook.yaml already exists, or the pipeline has no hook. */
  readonly lifehook: string | null;
  readonly problems: readonly Problem[];
}

interface PipelineInput {
  readonly file: string;
  readonly text: string;
  readonly hooks: readonly PipelineHook[];
  readonly hasLifehookFile: boolean;
}

/**
 * Converts a skaffold.yaml of any version to the newest supported version. Also makes a lifehook.yaml with the address
 * of each hook, in which a user can set timeouts, retries and policies. A pipeline runs without this conversion too.
 * Pure.
 */
export function convertPipeline(input: PipelineInput): ConvertedPipeline {
  const { file, text, hooks, hasLifehookFile } = input;
  const { trees, problems } = readTrees(file, text);
  const upgraded = trees.map((tree) => upgrade(tree));
  const documents = upgraded.flatMap((one) => (one.kind === 'upgraded' ? [one] : []));
  const isNewest = documents.every(({ apiVersion }) => apiVersion === NEWEST);
  return {
    skaffold: isNewest
      ? null
      : yamlDocuments(
          documents.map(({ tree }) => ({ ...asMap(plainValue(tree)), apiVersion: NEWEST })),
        ),
    lifehook: hasLifehookFile || hooks.length === 0 ? null : lifehookText(hooks),
    problems: [
      ...problems,
      ...upgraded.flatMap((one) => (one.kind === 'refused' ? [one.problem] : one.warnings)),
      ...(isNewest ? [] : [commentsRemark(file)]),
    ],
  };
}

function asMap(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

const LIFEHOOK_HEAD = `# Policies of hooks, for which skaffold.yaml has no fields. Each hook is named by its place in skaffold.yaml.
# timeoutSeconds, retries, backoffSeconds, onFailure (fail, warn, ignore), run, inputs, outputs: docs/pipeline.md.
apiVersion: lifehook.dev/v1alpha1
kind: Pipeline
policies:
`;

function lifehookText(hooks: readonly PipelineHook[]): string {
  const lines = hooks.map(({ address, action }) => {
    const command = action.command.join(' ').replaceAll(/\s+/g, ' ');
    return `  ${JSON.stringify(address)}: {} # ${shownText(command)}\n`;
  });
  return LIFEHOOK_HEAD + lines.join('');
}

function commentsRemark(file: string): Problem {
  return {
    code: 'LHG061',
    severity: 'warning',
    at: { file, line: 1, column: 1 },
    message: `The file was upgraded to ${NEWEST}, without its comments and anchors.`,
    next: 'Keep the old file if they matter: Lifehook reads that version too.',
  };
}
