/** The hooks.d folders of this machine, for the containers of a local cluster that a runtime runs. */
import type { LifeOptions } from './oci-containers.ts';
import type { FolderOptions } from './hook-folders.ts';
import { scanOptions } from './scan-options.ts';
import { shimWrap } from './real-runtime.ts';

/** `stateFolder`: the runtime's, beside whose containers the records of hooks are kept. */
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
