/** The dependencies of both runners, and their files: one directory for each container. */
import type { Supervisors, ShimProcesses } from '../../../../src/platform/supervision.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import type { Trees } from '../../../../src/platform/trees.ts';

export interface RuntimeWorld {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  readonly supervisors: Supervisors;
  readonly trees: Trees;
  /** The command line of the supervisor; the container's directory is appended. */
  readonly supervisorArgv: readonly string[];
  /** The environment of this program; containers inherit nothing of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  /** Directory of the cluster's files, including the images and volumes that containers use. */
  readonly clusterFolder: string;
  /** Directory of this runtime alone, inside `clusterFolder`. Containers are in `containers/`. */
  readonly stateFolder: string;
}

export const FOLDER_MODE = 0o700;

export function containersFolder({ stateFolder }: Pick<RuntimeWorld, 'stateFolder'>): string {
  return `${stateFolder}/containers`;
}

/** A supervisor needs only PATH; a variable that it does not have cannot leak. */
export function supervisorEnvironment(
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { PATH } = env;
  return PATH === undefined ? {} : { PATH };
}
