/** Which hooks of hooks.d folders a container gets: the same decision as the runtime shim and `lifehook oci explain`. */
import { ownersHere } from '../../cli/container/runtime-containers.ts';
import { explain } from '../../lifecycles/container/explain.ts';
import { literalFirst } from '../../lifecycles/container/hooksd/literal-first.ts';
import { loadHooks } from '../../lifecycles/container/hooksd/load.ts';
import { re2Compiler } from '../../model/re2.ts';
import type { Problem } from '../../model/problem.ts';
import { nodeFiles } from '../../platform/files.ts';

/** What the conditions of hook files look at. */
export interface ContainerDescription {
  readonly annotations?: Readonly<Record<string, string>>;
  /** argv of its program. */
  readonly args?: readonly string[];
  /** Mounts that its user asked for; none if not given. */
  readonly hasBindMounts?: boolean;
}

export interface MatchedHook {
  readonly path: string;
  readonly args?: readonly string[];
  /** Its file. */
  readonly from: string;
}

export interface HookFileVerdict {
  readonly path: string;
  /**
   * active: in force. kept: its last good version is. masked: by a file of its name in a later folder. disabled: a link
   * to /dev/null. bad: it cannot be used. broken: its program is not there.
   */
  readonly state: 'active' | 'kept' | 'masked' | 'disabled' | 'bad' | 'broken';
  /** The stages that its hook goes into; empty where it does not match. */
  readonly into: readonly string[];
}

export interface MatchedHooks {
  /** By stage, in the order in which they run; stages without a hook are left out. */
  readonly stages: Readonly<Record<string, readonly MatchedHook[]>>;
  /** Every file of every folder. */
  readonly files: readonly HookFileVerdict[];
  /** Of the files and folders. With an error the container is not to be created. */
  readonly problems: readonly Problem[];
}

/** Of folders, absolute, in increasing precedence: a file masks those of its name in the folders before its own. */
export async function matchHooks(
  folders: readonly string[],
  container: ContainerDescription,
): Promise<MatchedHooks> {
  const { annotations = {}, args, hasBindMounts = false } = container;
  const compile = re2Compiler();
  const set = await loadHooks({
    files: nodeFiles,
    compile,
    folders,
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
