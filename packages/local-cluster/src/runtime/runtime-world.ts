/** The dependencies of both runners, and their directories: one for each container. */
import type { Supervisors, ShimProcesses } from '../../../../src/platform/supervision.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import type { Trees } from '../../../../src/platform/trees.ts';

export interface RuntimeWorld {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  readonly supervisors: Supervisors;
  readonly trees: Trees;
  /** Command line of the supervisor, without its last argument, the container's directory. */
  readonly supervisorArgv: readonly string[];
  /** Environment of this program. Containers inherit nothing of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  /** Directory of the cluster, which also has the images and volumes that containers use. */
  readonly clusterFolder: string;
  /** Directory of this runtime, inside `clusterFolder`. Its subdirectory `containers/` has the containers. */
  readonly stateFolder: string;
  /** Writes to the log of the node. */
  readonly warn: (message: string) => void;
}

export const FOLDER_MODE = 0o700;

export function containersFolder({ stateFolder }: Pick<RuntimeWorld, 'stateFolder'>): string {
  return `${stateFolder}/containers`;
}

/** Environment of a supervisor: only PATH, so that no other variable can leak. */
export function supervisorEnvironment(
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { PATH } = env;
  return PATH === undefined ? {} : { PATH };
}
