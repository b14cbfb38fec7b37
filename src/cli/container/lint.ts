/** `lifehook oci lint`: reports every problem of hook files in a format that editors and CI can link. */
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { isObject } from '../../lifecycles/container/config/config-text.ts';
import { readTool } from '../../lifecycles/container/runners/host-tool.ts';
import { lintFolders } from '../../lifecycles/container/hooksd/lint.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Inputs } from '../lint/find-inputs.ts';
import type { FolderOptions } from './hook-folders.ts';
import { printLint } from '../lint/report.ts';
import { scanOptions } from './runtime-containers.ts';

export interface LintCommandOptions extends Omit<FolderOptions, 'hooksDir'> {
  readonly output: string;
  /** The path of a runtime; a stage that it does not support is a problem. */
  readonly runtime?: string;
}

export async function runOciLint(
  folders: readonly string[],
  options: LintCommandOptions,
): Promise<number> {
  const problems = await hookFileProblems(folders, options);
  return printLint({ problems, files: folders, skipped: [] }, options.output, process);
}

/**
 * The problems of the hook files in the given directories. If none is given, the default directories are read, and they
 * may be missing.
 */
export async function hookFileProblems(
  folders: readonly string[],
  { runtime, ...options }: Omit<LintCommandOptions, 'output'>,
): Promise<readonly Problem[]> {
  const scan = scanOptions({ ...options, ...(folders.length > 0 && { hooksDir: folders }) });
  const runtimeStages = runtime === undefined ? undefined : await stagesOf(runtime);
  return lintFolders({
    ...scan,
    isNamed: folders.length > 0,
    ...(runtimeStages !== undefined && { runtimeStages }),
  });
}

const FEATURES_TIMEOUT_MS = 5000;

/** The stages that `RUNTIME features` (OCI 1.1 features.md) lists. */
async function stagesOf(runtime: string): Promise<readonly string[]> {
  const command = [runtime, 'features'];
  const call = { command, env: {}, timeoutMs: FEATURES_TIMEOUT_MS };
  let reason = '';
  try {
    const features = await readTool(nodePlatform, call);
    const hooks = isObject(features) ? features['hooks'] : undefined;
    if (Array.isArray(hooks)) return hooks.map(String);
  } catch (error) {
    if (!(error instanceof LifehookError)) throw error;
    reason = error.problems[0]?.message ?? '';
  }
  throw noFeatures(runtime, `"${command.join(' ')}" did not print a list of hooks. ${reason}`);
}

function noFeatures(runtime: string, received: string): LifehookError {
  return new LifehookError({
    code: 'LHG010',
    message: `${runtime} must list its stages in the output of "features". ${received}`,
    next: 'name a runtime that knows this command (runc 1.1, crun 1.5 or later), or leave --runtime out.',
  });
}

/** A directory is read as a whole even for one of its files, since the files are compared with each other. */
export async function problemsOfFiles({ hooks, hookFiles }: Inputs): Promise<readonly Problem[]> {
  const whole = new Set([...hooks].map((folder) => resolve(folder)));
  const named = new Set([...hookFiles].map((file) => resolve(file)));
  const folders = new Set([...whole, ...[...named].map((file) => dirname(file))]);
  if (folders.size === 0) return [];
  const problems = await hookFileProblems([...folders], {});
  return problems.filter(({ at: { file } = { file: '' } }) => {
    const folder = dirname(file);
    return named.has(file) || whole.has(folder) || !folders.has(folder);
  });
}
