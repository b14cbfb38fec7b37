/** What this machine has for real containers. */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';

import type { WrapHook } from '../lifecycles/container/life/inject.ts';
import { spoolFolder } from '../lifecycles/container/life/life.ts';
import { wrapHook, wrappedStages } from '../lifecycles/container/shim/hook-command.ts';
import { findExecutable, pathFolders } from './find-executable.ts';
import { partArgv, programFolder } from './program-files.ts';

/**
 * The OCI runtime that `auto` stands for; null: use the process runner. A runtime needs root, and the
 * native supervisor, without which nobody would see how its containers end.
 */
export async function realRuntime(): Promise<string | null> {
  if (process.getuid?.() !== 0 || !(await isBinary(supervisorPath()))) return null;
  // By its path: it may lie in a folder that is not on the PATH.
  return pathOf('runc') ?? pathOf('crun');
}

/** The supervisor of the shim where it was built, else the same under Node. */
export function supervisorArgv(): readonly string[] {
  const built = supervisorPath();
  return existsSync(built) ? [built] : partArgv('supervise');
}

/** Its place beside this program; it need not have been built. */
function supervisorPath(): string {
  return join(programFolder(), 'shim', 'lifehook-supervise');
}

/** A busybox that runs in an empty root folder, if there is one. */
export async function findStaticBusybox(): Promise<string | null> {
  const path = pathOf('busybox');
  return path !== null && !(await mentionsLoader(path)) ? path : null;
}

function pathOf(name: string): string | null {
  return findExecutable(name, [...pathFolders(), '/usr/sbin', '/bin']);
}

const HEAD_BYTES = 4096;

/** A program that is linked dynamically names its loader in the first page. */
async function mentionsLoader(path: string): Promise<boolean> {
  return (await headOf(path)).includes('/ld-');
}

async function isBinary(path: string): Promise<boolean> {
  return existsSync(path) && (await headOf(path)).startsWith('\u007fELF');
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Hooks behind the runner of the shim, for containers that a runtime runs: stage, deadline and record as promised.
 * Null: the runner has not been built, and hooks go into config.json as they are. Records go beside `root`.
 */
export function shimWrap(root: string): WrapHook | null {
  const runner = join(programFolder(), 'shim', 'lifehook-hook');
  if (!existsSync(runner)) return null;
  const spool = spoolFolder(root);
  return ({ hook, source }, { stage, index }) => {
    const wrapped = wrappedStages.find((name) => name === stage);
    if (wrapped === undefined || source.kind !== 'file') return hook;
    const command = {
      stage: wrapped,
      file: basename(source.file),
      index,
      onFailure: 'fail' as const,
      retries: 0,
      timeoutSeconds: hook.timeout ?? null,
      spool,
      path: hook.path,
      argv: hook.args ?? [hook.path],
    };
    return wrapHook(runner, command, hook.env);
  };
}
