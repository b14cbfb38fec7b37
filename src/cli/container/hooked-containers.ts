import type { OciContainers, RuntimeWorld } from '../../../packages/local-cluster/src/index.ts';
import type { FolderOptions } from './hook-folders.ts';
import { type LifeOptions, ociContainers, scanOptions } from './runtime-containers.ts';
import { shimWrap } from './shim-wrap.ts';

/** The containers of the local cluster that the runtime at the path `command` runs, with the hooks of this machine. */
export function hookedContainers(world: RuntimeWorld, command: string): OciContainers {
  return ociContainers(world, { command, hooks: runtimeHooks(world.stateFolder) });
}

/**
 * The hooks.d folders of this machine, for the containers of a local cluster that a runtime runs.
 * `stateFolder`: the runtime's, beside whose containers the records of hooks are kept.
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
