/**
 * The records of one container's life: the decisions of create, and the reports of its processes. They
 * are written as JSON into the container's directory and read again by later commands.
 */
import type { ContainerEnd } from '../../../platform/container-runtime.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import type { ExtensionStage, Stage } from '../points.ts';

/** The version of the runtime specification that we follow, as hooks see it in the state. */
export const OCI_VERSION = '1.3.0';

export type Point = Stage | ExtensionStage;

/** Decided at create and never changed: later changes of config.json have no effect (OCI runtime.md). */
export interface Container {
  readonly id: string;
  /** Distinguishes this container from every other one with the same id. */
  readonly instance: string;
  readonly createdAtMs: number;
  /** Absolute path. */
  readonly bundle: string;
  readonly rootfs: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runner: RunnerChoice;
  /**
   * The hooks that Lifehook runs; the runtime runs all others from config.json. For a runtime that skips poststop hooks
   * after a failed create, the poststop hooks are here too, and run only in that case.
   */
  readonly hooks: Readonly<Partial<Record<Point, readonly PlacedHook[]>>>;
  readonly poststartFailure: PoststartFailure;
  readonly order: SupervisorOrder;
}

/** "process" gives no isolation at all. It is for hosts without a runtime, and for users without privileges. */
export type RunnerChoice =
  | { readonly kind: 'process' }
  | {
      readonly kind: 'runtime';
      /** runc, crun, or a path. */
      readonly command: string;
      /** The runtime's own state directory; absent: the runtime's default. */
      readonly stateFolder?: string;
    };

/** destroy: the container is destroyed, as in OCI 1.3. warn: it continues, as in OCI 1.2 and before. */
export type PoststartFailure = 'destroy' | 'warn';

/** The program that the supervisor starts, and how the supervisor finds the container's process. */
export interface SupervisorOrder {
  /** The argv of the program that enforces the deadline of a postexit hook; absent: the supervisor does it. */
  readonly hookRunner?: readonly string[];
  readonly command: {
    readonly file: string;
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  };
  /** log: into files of the container's directory. inherit: the supervisor's own streams. */
  readonly stdio: 'log' | 'inherit';
  /** The file in which the command writes the container's pid; null: the command is the container's process. */
  readonly pidFile: string | null;
  /** The command that removes a container whose process cannot be reported; null: killing the process is enough. */
  readonly undo: readonly string[] | null;
}

/**
 * The progress of the container's life. `by`: the process that works on it; if this process is dead, the phase was
 * interrupted.
 */
export type Phase =
  | { readonly name: 'creating' | 'starting' | 'deleting'; readonly by: ProcessIdentity }
  | { readonly name: 'created' | 'running' };

/**
 * The exit of the container's process. If exit code and signal are both null, it was not observed, for the `reason`.
 */
export type ExitRecord = ContainerEnd;
