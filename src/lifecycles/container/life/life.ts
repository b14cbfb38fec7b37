import type { RunEvent, LifecycleEvent } from '../../../model/event.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ShimProcesses } from '../../../platform/supervision.ts';
import type { HookRunner } from '../hook-runs/behind-runner.ts';
import { OCI_VERSION, type Container, type ExitRecord } from './container.ts';

/** The dependencies of every command of a container's life, and the location of the containers. */
export interface Life {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  /** The directory that has one directory per container. */
  readonly root: string;
  /** The argv of the supervisor program; the container's directory and instance are appended. */
  readonly supervisor: readonly string[];
  /**
   * The argv of the program that enforces the deadline of a hook; absent: this process does it, as it outlives its
   * hooks.
   */
  readonly hookRunner?: readonly string[];
  /** The environment of this command. Runtimes get a selected part of it, hooks nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** Our own uid. */
  readonly uid: number;
  readonly emit?: (event: LifeEvent) => void;
}

/** Events as they happen: for a terminal, a log, a timeline. */
export type LifeEvent =
  | { readonly type: 'Status'; readonly id: string; readonly status: OciStatus | 'deleted' }
  | {
      readonly type: 'Hook';
      readonly id: string;
      readonly event: LifecycleEvent<'container', RunEvent>;
    }
  | { readonly type: 'Warning'; readonly id: string; readonly problem: Problem };

/**
 * `/run/lifehook/containers` for root. For another user, a directory in the user's runtime directory, or else in the
 * user's state directory.
 */
export function defaultRoot(uid: number, env: Readonly<Record<string, string>>): string {
  const { XDG_RUNTIME_DIR: runtimeFolder = '', HOME: home = '' } = env;
  if (uid === 0) return '/run/lifehook/containers';
  return `${runtimeFolder === '' ? `${home}/.local/state` : runtimeFolder}/lifehook/containers`;
}

/** The runner of hooks. It writes the result of a hook next to the journal in `ledgerFolder`. */
export function hookRunnerOf(
  { hookRunner }: Pick<Life, 'hookRunner'>,
  ledgerFolder: string,
): HookRunner | undefined {
  return hookRunner && { argv: hookRunner, endFile: `${ledgerFolder}.end` };
}

/**
 * The directory for the records of hooks. It is next to the directory of containers, since records outlive their
 * container.
 */
export function spoolFolder(root: string): string {
  return `${root.slice(0, root.lastIndexOf('/'))}/hooks`;
}

export type OciStatus = 'creating' | 'created' | 'running' | 'stopped';

export interface OciState {
  readonly ociVersion: string;
  readonly id: string;
  readonly status: OciStatus;
  /** Absent if there is no process. */
  readonly pid?: number;
  readonly bundle: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Our extension: the exit code of the process, for postexit hooks and `lifehook oci state`. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/** The part of the OCI state that changes during the life of a container. */
export interface Moment {
  readonly status: OciStatus;
  readonly pid: number | null;
  readonly exit?: ExitRecord | null;
}

/** The state of a container, as the OCI runtime specification (runtime.md, "State") defines it. */
export function ociState(
  { id, bundle, annotations }: Pick<Container, 'id' | 'bundle' | 'annotations'>,
  { status, pid, exit }: Moment,
): OciState {
  return {
    ociVersion: OCI_VERSION,
    id,
    status,
    ...(pid === null ? {} : { pid }),
    bundle,
    annotations,
    ...(exit === undefined || exit === null
      ? {}
      : { exitCode: exit.exitCode, signal: exit.signal }),
  };
}
