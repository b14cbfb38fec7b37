import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { OciContainers, RuntimeWorld } from '../../../packages/local-cluster/src/index.ts';
import type { WrapHook } from '../../lifecycles/container/life/inject.ts';
import { spoolFolder } from '../../lifecycles/container/life/life.ts';
import { wrapHook, wrappedStages } from '../../lifecycles/container/shim/hook-command.ts';
import { programFolder } from '../program-files.ts';
import type { FolderOptions } from './hook-folders.ts';
import { type LifeOptions, ociContainers, scanOptions } from './runtime-containers.ts';

/** The containers that the runtime at the path `command` runs for the local cluster, with this machine's hooks. */
export function hookedContainers(world: RuntimeWorld, command: string): OciContainers {
  return ociContainers(world, { command, hooks: runtimeHooks(world.stateFolder) });
}

/**
 * The hooks.d directories of this machine, for the containers that a runtime runs for a local cluster. `stateFolder`:
 * the directory of the runtime's state; the records of hooks are stored next to its containers.
 */
export function runtimeHooks(
  stateFolder: string,
  folders: FolderOptions = {},
): NonNullable<LifeOptions['hooks']> {
  const wrap = shimWrap(`${stateFolder}/lives`);
  return {
    source: {
      scan: scanOptions(folders),
      policy: { badFiles: 'refuse', brokenHooks: 'skip' },
      prestart: 'createRuntime',
    },
    ...(wrap !== null && { wrap }),
  };
}

/**
 * Wraps the hooks of a runtime's containers in the hook runner of the shim, which adds stage, deadline and record.
 * Records are stored next to `root`. null: the runner was not built, and config.json gets the hooks as they are.
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
