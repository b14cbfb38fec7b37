import type { RunEvent } from '../../../model/event.ts';
import type { LifecycleEvent } from '../../../model/lifecycle-event.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ShimProcesses } from '../../../platform/supervision.ts';
import type { HookRunner } from '../hook-runs/behind-runner.ts';
import type { OciStatus } from './oci-state.ts';

/** What every command of a container's life is given: the world, and where containers are kept. */
export interface Life {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  /** The folder that holds one folder for each container. */
  readonly root: string;
  /** The argv of the supervisor program; the container's folder and instance are put behind it. */
  readonly supervisor: readonly string[];
  /** The argv of the program that keeps the deadline of a hook; absent: we outlive our hooks ourselves. */
  readonly hookRunner?: readonly string[];
  /** The environment of this command. Runtimes get a chosen part of it, hooks nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** The user that we run as. */
  readonly uid: number;
  readonly emit?: (event: LifeEvent) => void;
}

/** What happens, as it happens: for a terminal, a log, a timeline. */
export type LifeEvent =
  | { readonly type: 'Status'; readonly id: string; readonly status: OciStatus | 'deleted' }
  | {
      readonly type: 'Hook';
      readonly id: string;
      readonly event: LifecycleEvent<'container', RunEvent>;
    }
  | { readonly type: 'Warning'; readonly id: string; readonly problem: Problem };

/** `/run/lifehook/containers` for root, else in the user's own runtime folder, or state folder where there is none. */
export function defaultRoot(uid: number, env: Readonly<Record<string, string>>): string {
  const { XDG_RUNTIME_DIR: runtimeFolder = '', HOME: home = '' } = env;
  if (uid === 0) return '/run/lifehook/containers';
  return `${runtimeFolder === '' ? `${home}/.local/state` : runtimeFolder}/lifehook/containers`;
}

/** Beside whose journal the runner says how a hook ended. */
export function hookRunnerOf(
  { hookRunner }: Pick<Life, 'hookRunner'>,
  ledgerFolder: string,
): HookRunner | undefined {
  return hookRunner && { argv: hookRunner, endFile: `${ledgerFolder}.end` };
}

/** Where the records of hooks stay when their container is gone: beside the folder of containers. */
export function spoolFolder(root: string): string {
  return `${root.slice(0, root.lastIndexOf('/'))}/hooks`;
}
