/**
 * The words of one container's life: what create decided, and what its processes report. Everything
 * here is written as JSON into the container's folder and read again by later commands.
 */
import type { ContainerEnd } from '../../../platform/container-runtime.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import type { ExtensionStage, Stage } from '../points.ts';

/** The version of the runtime specification that we follow, as hooks see it in the state. */
export const OCI_VERSION = '1.3.0';

export type Point = Stage | ExtensionStage;

/** Decided at create and never changed: what is done to config.json later does not count (OCI runtime.md). */
export interface Container {
  readonly id: string;
  /** Tells this container from every other one that had the same id. */
  readonly instance: string;
  readonly createdAtMs: number;
  /** Absolute. */
  readonly bundle: string;
  readonly rootfs: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runner: RunnerChoice;
  /**
   * Those that we run ourselves; the others are in config.json, and the runtime runs them. (poststop
   * of a runtime that leaves them out after a failed create: ours then, and only then.)
   */
  readonly hooks: Readonly<Partial<Record<Point, readonly PlacedHook[]>>>;
  readonly poststartFailure: PoststartFailure;
  readonly order: SupervisorOrder;
}

/** Hosts without a runtime, and users without rights, use "process": no isolation at all. */
export type RunnerChoice =
  | { readonly kind: 'process' }
  | {
      readonly kind: 'runtime';
      /** runc, crun, or a path. */
      readonly command: string;
      /** The runtime's own state folder; absent: its default. */
      readonly stateFolder?: string;
    };

/** destroy: as OCI 1.3. warn: as OCI 1.2 and before, the container goes on. */
export type PoststartFailure = 'destroy' | 'warn';

/** What the supervisor starts, and how it finds the container's process. */
export interface SupervisorOrder {
  /** The argv of the program that keeps the deadline of a postexit hook; absent: the supervisor does. */
  readonly hookRunner?: readonly string[];
  readonly command: {
    readonly file: string;
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  };
  /** log: into files of the container's folder. inherit: the supervisor's own streams. */
  readonly stdio: 'log' | 'inherit';
  /** Where the command leaves the process's number; null: it is the process. */
  readonly pidFile: string | null;
  /** Removes what the command has made, if it turns out that nobody wants it any more; null: ending the process does. */
  readonly undo: readonly string[] | null;
}

/** How far the life has come. `by` is the command that is at it: if that is gone, it was interrupted. */
export type Phase =
  | { readonly name: 'creating' | 'starting' | 'deleting'; readonly by: ProcessIdentity }
  | { readonly name: 'created' | 'running' };

/** How the container's process ended. Both null: nobody saw it, and `reason` says why. */
export type ExitRecord = ContainerEnd;
