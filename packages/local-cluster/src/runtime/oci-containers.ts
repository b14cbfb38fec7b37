/**
 * The interface by which the OCI runner creates and deletes containers. The container lifecycle implements it, with
 * hooks.
 */
import type { RuntimeWorld } from './runtime-world.ts';

export interface OciRuntimeOptions {
  /** Name of the runtime in messages and container ids, such as "runc" or "crun". */
  readonly name: string;
  /** Path of the executable. */
  readonly command: string;
  readonly containers: OciContainers;
}

export interface OciContainers {
  /** Creates and starts a container. Rejects with `StartError`. */
  run(container: OciContainer): Promise<void>;
  /** Deletes a container. A container that is already deleted is not an error. */
  delete(container: OciContainer): Promise<void>;
  /** True if the container's program has not started and never will. */
  neverBegan(container: OciContainer): Promise<boolean>;
}

export interface OciContainer {
  readonly id: string;
  /** Path of the bundle, which has config.json. It is also the first argument of the supervisor. */
  readonly folder: string;
}

/** State directory of the OCI runtime (`--root`). */
export function runtimeRoot({ stateFolder }: RuntimeWorld): string {
  return `${stateFolder}/runtime`;
}

/**
 * Exit code of a failed start, as in shells: 126, 127 or 128. The message is read, because runtimes report the cause
 * only there.
 */
export function exitCodeOfMessage(message: string): number {
  if (/permission denied|exec format error/i.test(message)) return cannotRun;
  return /executable file .*not found|no such file or directory/i.test(message)
    ? notFound
    : otherFailure;
}

const cannotRun = 126;
const notFound = 127;
export const otherFailure = 128;
