/** What the OCI runner needs of whoever makes and removes its containers: in Lifehook the container lifecycle, hooks included. */
import type { RuntimeWorld } from './runtime-world.ts';

export interface OciRuntimeOptions {
  /** "runc" or "crun": the runtime's name for people and in container ids. */
  readonly name: string;
  /** Its path. */
  readonly command: string;
  readonly containers: OciContainers;
}

export interface OciContainers {
  /** Creates and starts it. Rejects with `StartError`. */
  run(container: OciContainer): Promise<void>;
  /** One that was already deleted is no error. */
  delete(container: OciContainer): Promise<void>;
  /** Whether its program has never started, and never will. */
  neverBegan(container: OciContainer): Promise<boolean>;
}

export interface OciContainer {
  readonly id: string;
  /** The bundle with config.json, and the first argument of its supervisor. */
  readonly folder: string;
}

/** Where the runtime keeps its own state, as its `--root`. */
export function runtimeRoot({ stateFolder }: RuntimeWorld): string {
  return `${stateFolder}/runtime`;
}

/** Of a runtime that failed: 126, 127 or 128, as shells have it. Runtimes say it in words only. */
export function exitCodeOfMessage(message: string): number {
  if (/permission denied|exec format error/i.test(message)) return cannotRun;
  return /executable file .*not found|no such file or directory/i.test(message)
    ? notFound
    : otherFailure;
}

const cannotRun = 126;
const notFound = 127;
export const otherFailure = 128;
