/** Selects the hooks of a container from hooks.d directories, as the runtime shim and `lifehook oci explain` do. */
import { ownersHere } from '../../cli/container/runtime-containers.ts';
import { explain } from '../../lifecycles/container/explain.ts';
import { literalFirst } from '../../lifecycles/container/hooksd/literal-first.ts';
import { loadHooks } from '../../lifecycles/container/hooksd/load.ts';
import { re2Compiler } from '../../model/re2.ts';
import type { Problem } from '../../model/problem.ts';
import { nodeFiles } from '../../platform/files.ts';

/** The properties that the conditions of hook files match. */
export interface ContainerDescription {
  readonly annotations?: Readonly<Record<string, string>>;
  /** argv of the container's program. */
  readonly args?: readonly string[];
  /** True: the user of the container requested bind mounts. Absent: false. */
  readonly hasBindMounts?: boolean;
}

export interface MatchedHook {
  readonly path: string;
  readonly args?: readonly string[];
  /** Path of the hook file. */
  readonly from: string;
}

export interface HookFileVerdict {
  readonly path: string;
  /**
   * active: in use. kept: invalid, and its last valid version is in use. masked: a later directory has a file of the
   * same name. disabled: a link to /dev/null. bad: invalid. broken: its program does not exist.
   */
  readonly state: 'active' | 'kept' | 'masked' | 'disabled' | 'bad' | 'broken';
  /** Stages at which the hook runs for this container; empty: the file does not match. */
  readonly into: readonly string[];
}

export interface MatchedHooks {
  /** The hooks of each stage, in the order of execution; stages without a hook are left out. */
  readonly stages: Readonly<Record<string, readonly MatchedHook[]>>;
  /** Every file of every directory. */
  readonly files: readonly HookFileVerdict[];
  /** Problems of the files and directories. With an error the container must not be created. */
  readonly problems: readonly Problem[];
}

/**
 * Selects the hooks of a container. `directories` are absolute, in increasing precedence: a file masks those of the
 * same name in earlier directories.
 */
export async function matchHooks(
  directories: readonly string[],
  container: ContainerDescription,
): Promise<MatchedHooks> {
  const { annotations = {}, args, hasBindMounts = false } = container;
  const compile = re2Compiler();
  const set = await loadHooks({
    files: nodeFiles,
    compile,
    folders: directories,
    owners: ownersHere(),
    allowUntrusted: false,
  });
  const { order, files, problems } = explain({
    set,
    facts: { annotations, args, hasBindMounts },
    config: {},
    prestart: 'createRuntime',
    matcherOf: literalFirst(compile),
  });
  return {
    stages: Object.fromEntries(order.map(({ stage, hooks }) => [stage, hooks])),
    files: files.map(({ path, state, into }) => ({ path, state, into })),
    problems,
  };
}
