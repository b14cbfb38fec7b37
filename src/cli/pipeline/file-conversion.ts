/** Converts a skaffold.yaml for `lifehook convert`. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { everyHook } from '../../lifecycles/pipeline/config/map-hooks.ts';
import { readPipeline } from '../../lifecycles/pipeline/config/read-pipeline.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isPipeline } from '../by-file/look-at-path.ts';
import { type ConvertOptions, exitCodeOf, type Output } from '../convert/run-convert.ts';
import { reportProblems } from '../report-problems.ts';
import { configFacts } from './config-facts.ts';
import { convertPipeline } from './convert-pipeline.ts';

export const isConvertible: (value: unknown) => boolean = isPipeline;

export async function convertFile(
  path: string,
  _options: ConvertOptions,
  output: Output,
): Promise<number> {
  const text = await readFile(path, 'utf8');
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
    process.stderr.write(`${path} runs as it stands: nothing to convert.\n`);
  }
  return exitCodeOf(converted.problems);
}

async function isThere(path: string): Promise<boolean> {
  return nodeFiles.stat(path).then(
    () => true,
    () => false,
  );
}
