/** `lifehook lint PATH...`: reports every problem of the objects in the paths. */
import { resolve } from 'node:path';
import process from 'node:process';

import type { Problem } from '../../model/problem.ts';
import { lintFiles, loadParts } from '../lifecycles.ts';
import { loadCompiled, programFolder } from '../program-files.ts';
import { findInputs } from './find-inputs.ts';
import { readKustomization } from './kustomization.ts';
import type * as main from './manifests/lint-manifests.ts';
import { printLint } from './report.ts';

export interface LintOptions {
  readonly output: string;
  readonly strict: boolean;
  readonly serverVersion?: number;
  readonly drain?: number;
}

export async function runLint(paths: readonly string[], options: LintOptions): Promise<number> {
  const inputs = await findInputs(paths);
  const { kustomizations, hooks, hookFiles, pipelines, skipped } = inputs;
  const customized = await Promise.all(
    kustomizations.map(({ file, text }) => readKustomization(file, text)),
  );
  const patches = new Set(customized.flatMap((one) => one.patches));
  const manifests = inputs.manifests.map((one) => ({
    ...one,
    isPatch: patches.has(resolve(one.file)),
  }));
  const { lintManifests } = loadCompiled<typeof main>(programFolder(), 'lint').exports;
  const found = await lintManifests(manifests, {
    serverMinor: options.serverVersion ?? null,
    drainSeconds: options.drain ?? null,
    strict: options.strict,
    generated: customized.flatMap(({ generated }) => generated),
  });
  const problems: Problem[] = [
    ...inputs.problems,
    ...found.problems,
    ...customized.flatMap((one) => one.problems),
  ];
  // Loaded only when needed: few directories have hook files or pipelines, and these parts load much code.
  const parts = hooks.size + hookFiles.size + pipelines.size > 0 ? await loadParts(lintFiles) : [];
  for (const part of parts) {
    problems.push(...(await part.problemsOfFiles(inputs)));
  }
  const files = [
    ...found.files,
    ...kustomizations.map(({ file }) => file),
    ...hooks,
    ...hookFiles,
    ...pipelines,
  ];
  const report = { problems, files, skipped: [...skipped, ...found.skipped] };
  return printLint(report, options.output, process);
}
