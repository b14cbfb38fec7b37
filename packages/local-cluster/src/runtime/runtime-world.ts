/** What both runners are given, and where they keep things: a folder for each container. */
import type { Supervisors } from '../../../../src/platform/supervisors.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import type { ShimProcesses } from '../../../../src/platform/supervision.ts';
import type { Trees } from '../../../../src/platform/trees.ts';

export interface RuntimeWorld {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  readonly supervisors: Supervisors;
  readonly trees: Trees;
  /** The supervisor's program; the container's folder is put behind it. */
  readonly supervisorArgv: readonly string[];
  /** The environment of this program. Containers get nothing of it. */
  readonly env: Readonly<Record<string, string>>;
  /** The user that we run as. */
  readonly uid: number;
  /** Everything of the cluster, what containers are given of it too: volumes, images. */
  readonly clusterFolder: string;
  /** Of this runtime alone, below it. Containers are in `containers/`. */
  readonly stateFolder: string;
}

export const FOLDER_MODE = 0o700;

export function containersFolder({ stateFolder }: Pick<RuntimeWorld, 'stateFolder'>): string {
  return `${stateFolder}/containers`;
}

/** A supervisor needs nothing but to find programs; what is not in there cannot leak. */
export function supervisorEnvironment(
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { PATH } = env;
  return PATH === undefined ? {} : { PATH };
}
