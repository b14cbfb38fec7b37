/** Reads the facts about this machine that a pipeline's configuration depends on. */
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { ConfigFacts } from '../../lifecycles/pipeline/config/gather-modules.ts';
import type { Goos } from '../../lifecycles/pipeline/hooks/model.ts';
import { LifehookError } from '../../model/problem.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { readFileText } from '../read-text.ts';
import { unreadablePath } from '../report-failure.ts';

export function configFacts(kubeContext: () => Promise<string | null>): ConfigFacts {
  return { readText, isFolder, kubeContext };
}

/** Rejects with a LifehookError that has the path. */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFileText(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    const problem = unreadablePath(error);
    throw problem === null ? error : new LifehookError(problem, { cause: error });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** The file that Skaffold would use: skaffold.yaml, or skaffold.yml if only that exists. */
export async function configFile(filename: string | undefined): Promise<string> {
  if (filename !== undefined) return resolve(filename);
  const [usual, other] = [resolve('skaffold.yaml'), resolve('skaffold.yml')];
  if (await isThere(usual)) return usual;
  return (await isThere(other)) ? other : usual;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** The GOOS of this system. Go has another name than Node for two systems. */
export function goosOf(platform: string): Goos {
  if (platform === 'win32') return 'windows';
  return platform === 'sunos' ? 'solaris' : (platform as Goos);
}
