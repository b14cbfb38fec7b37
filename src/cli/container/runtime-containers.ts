/**
 * Runs the containers of the OCI runner with the commands of the container lifecycle, so that the hooks of hooks.d run.
 * The supervisor of each container is that of the OCI runner, not that of the container lifecycle.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';

import {
  exitCodeOfMessage,
  supervisorEnvironment,
  type OciContainer,
  type OciContainers,
  otherFailure,
  runtimeRoot,
  type RuntimeWorld,
} from '../../../packages/local-cluster/src/index.ts';
import { statusOf } from '../../lifecycles/container/decide.ts';
import {
  createContainer,
  deleteContainer,
  type LifeOutcome,
  startContainer,
} from '../../lifecycles/container/drive.ts';
import type { ScanOptions } from '../../lifecycles/container/hooksd/scan.ts';
import { trustedOwners } from '../../lifecycles/container/hooksd/path-trust.ts';
import { readPart } from '../../lifecycles/container/life/container-folder.ts';
import type { RunnerChoice } from '../../lifecycles/container/life/container.ts';
import type { HookSource, WrapHook } from '../../lifecycles/container/life/inject.ts';
import type { Life } from '../../lifecycles/container/life/life.ts';
import { observe } from '../../lifecycles/container/life/observe.ts';
import { DEFAULT_HOOK_FOLDERS } from '../../lifecycles/container/points.ts';
import { LifehookError } from '../../model/problem.ts';
import { re2Compiler } from '../../model/re2.ts';
import { StartError } from '../../platform/container-runtime.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { FolderOptions } from './hook-folders.ts';

export interface LifeOptions {
  /** The runtime's path. */
  readonly command: string;
  /** The hooks.d directories; absent: containers have no hooks. */
  readonly hooks?: { readonly source: HookSource; readonly wrap?: WrapHook };
  readonly emit?: Life['emit'];
}

export function ociContainers(world: RuntimeWorld, options: LifeOptions): OciContainers {
  const callOf = ({ id, folder }: OciContainer): LifeCall => ({
    life: lifeOf(world, folder, options.emit),
    id,
  });
  return {
    run: (container) => runLife(callOf(container), { world, options, bundle: container.folder }),
    delete: (container) => endLife(callOf(container)),
    neverBegan: (container) => neverBegan(callOf(container)),
  };
}

/**
 * The dependencies of the commands for one container. `folder`: its directory, which is an argument of its supervisor.
 */
function lifeOf(world: RuntimeWorld, folder: string, emit: Life['emit'] | undefined): Life {
  const { platform, supervision, supervisors, supervisorArgv, env, uid, stateFolder } = world;
  return {
    platform,
    supervision: {
      ...supervision,
      spawnDetached: ({ argv }) =>
        supervisors.start({ argv, env: supervisorEnvironment(env), folder }),
    },
    root: `${stateFolder}/lives`,
    supervisor: [...supervisorArgv, folder],
    env,
    uid,
    ...(emit === undefined ? {} : { emit }),
  };
}

interface LifeCall {
  readonly life: Life;
  readonly id: string;
}

/** `bundle`: the directory with config.json. */
async function runLife(
  { life, id }: LifeCall,
  { world, options, bundle }: { world: RuntimeWorld; options: LifeOptions; bundle: string },
): Promise<void> {
  const { command, hooks } = options;
  const runner: RunnerChoice = { kind: 'runtime', command, stateFolder: runtimeRoot(world) };
  const trust = { owners: [0, world.uid], allowUntrusted: false };
  const chosen = hooks === undefined ? {} : { source: hooks.source, ...wrapOf(hooks) };
  const making = { id, bundle, runner, trust, ...chosen };
  await succeed('CreateContainerError', () => createContainer(life, making));
  await succeed('RunContainerError', () => startContainer(life, id));
}

/** Deletes the container, and runs its poststop hooks. Succeeds also if the container was already deleted. */
async function endLife({ life, id }: LifeCall): Promise<void> {
  try {
    await deleteContainer(life, id, { force: true });
  } catch (error) {
    const [problem] = error instanceof LifehookError ? error.problems : [];
    if (problem?.code !== NO_SUCH_CONTAINER) throw error;
  }
}

/** The error code of `notFound`. */
const NO_SUCH_CONTAINER = 'LHC211';

/**
 * True: the program of the container has never started. It never will, because the process that would start it is lost.
 */
async function neverBegan({ life, id }: LifeCall): Promise<boolean> {
  const observed = await observe(life, id);
  if (observed === null) return true;
  if (
    (await readPart({ path: `${life.root}/${id}`, files: life.platform.files }, 'started')) === null
  )
    return true;
  return ['creating', 'created'].includes(statusOf(observed));
}

function wrapOf({ wrap }: { readonly wrap?: WrapHook }): { readonly wrap?: WrapHook } {
  return wrap === undefined ? {} : { wrap };
}

async function succeed(
  reason: StartError['reason'],
  work: () => Promise<LifeOutcome>,
): Promise<void> {
  const outcome = await work().catch(asProblem);
  if (outcome.kind === 'done') return;
  const message = outcome.kind === 'failed' ? outcome.problem.message : 'cancelled';
  const exitCode = exitCodeOfMessage(message);
  // Runtimes look for the program during create, but Kubernetes reports a missing program as an error of the start.
  throw new StartError(
    exitCode === otherFailure ? reason : 'RunContainerError',
    withoutCall(message),
    exitCode,
  );
}

function asProblem(error: unknown): LifeOutcome {
  const [problem] = error instanceof LifehookError ? error.problems : [];
  if (problem === undefined) throw error;
  return { kind: 'failed', problem, warnings: [] };
}

/** The message of the runtime itself, without the runtime's command line. */
function withoutCall(message: string): string {
  const at = message.search(/exec: |executable file /);
  return at === -1 ? message : message.slice(at);
}

/**
 * The options of the hooks directories, in the form that the reader takes. Import this module late: it loads the
 * pattern engine.
 */
export function scanOptions({ hooksDir, allowUntrusted }: FolderOptions): ScanOptions {
  return {
    files: nodeFiles,
    compile: re2Compiler(),
    folders: (hooksDir ?? DEFAULT_HOOK_FOLDERS).map((folder) => resolve(folder)),
    owners: ownersHere(),
    allowUntrusted: allowUntrusted ?? false,
  };
}

/** The uids whose hook files this process accepts. */
export function ownersHere(): readonly number[] {
  const uid = process.getuid?.() ?? 0;
  try {
    return trustedOwners(uid, readFileSync('/proc/self/uid_map', 'utf8'));
  } catch {
    // A kernel without user namespaces has no uid_map, and uid 0 is the root of the host.
    return uid === 0 ? [0] : [0, uid];
  }
}
