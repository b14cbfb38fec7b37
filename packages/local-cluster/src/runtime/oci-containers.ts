/**
 * The interface with which the OCI runner creates and deletes containers: the container lifecycle implements it, with
 * hooks.
 */
import type { RuntimeWorld } from './runtime-world.ts';

export interface OciRuntimeOptions {
  /** "runc" or "crun": the runtime's name in messages and in container ids. */
  readonly name: string;
  /** Path of the executable. */
  readonly command: string;
  readonly containers: OciContainers;
}

export interface OciContainers {
  /** Creates and starts the container. Rejects with `StartError`. */
  run(container: OciContainer): Promise<void>;
  /** Idempotent: a container that was already deleted is not an error. */
  delete(container: OciContainer): Promise<void>;
  /** Whether its program has never started, and never will. */
  neverBegan(container: OciContainer): Promise<boolean>;
}

export interface OciContainer {
  readonly id: string;
  /** The bundle directory with config.json, and the first argument of its supervisor. */
  readonly folder: string;
}

/** The runtime's state directory, its `--root`. */
export function runtimeRoot({ stateFolder }: RuntimeWorld): string {
  return `${stateFolder}/runtime`;
}

/** Exit code for a failed start, as in shells: 126, 127 or 128. Runtimes report the cause only in their message. */
export function exitCodeOfMessage(message: string): number {
  if (/permission denied|exec format error/i.test(message)) return cannotRun;
  return /executable file .*not found|no such file or directory/i.test(message)
    ? notFound
    : otherFailure;
}

const cannotRun = 126;
const notFound = 127;
export const otherFailure = 128;
