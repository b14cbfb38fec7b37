import type { HookAction, LockScope, ResolvedActions } from '../kinds.ts';

/**
 * The kind of a freeze, which decides how it may run.
 *
 *  - session: the freeze ends when the session that took it ends. It requires a session helper; a single command
 *    protects nothing.
 *  - counted: if taken n times, it must be released n times, so it is never retried.
 *  - flag: a setting that stays. The thaw restores its earlier value.
 *  - superblock: of a whole file system, whichever process froze it. Neither freeze nor thaw is idempotent.
 *  - selfExpiring: the freeze ends by itself after a given time.
 *  - none: there is nothing to undo (a checkpoint, a flush).
 */
export type LockClass = 'session' | 'counted' | 'flag' | 'superblock' | 'selfExpiring' | 'none';

export interface RecipeParameter {
  readonly name: string;
  readonly description: string;
  /** The value if the user sets none; absent: the parameter is required. */
  readonly defaultValue?: string;
  /** The pattern that a value must match; the description explains it. Absent: any text. */
  readonly pattern?: RegExp;
}

/** How to freeze and thaw one application, or why that is refused. */
export interface Recipe {
  /** Name in kebab case, such as "mariadb-lock". */
  readonly name: string;
  readonly application: string;
  /** Summary in one sentence. */
  readonly summary: string;
  readonly lockClass: LockClass;
  /** Lifetime of a freeze that is not thawed; `actions` may override it for some parameters. */
  readonly lockScope: LockScope;
  /** Why an application has no recipe, and what to do instead. Such an entry is listed, and its use is refused. */
  readonly refused?: string;
  /** false: written from the vendor's documentation; the maintainers of Lifehook have never run it. */
  readonly tested: boolean;
  /** Why the maintainers have never run it; absent for a tested recipe. */
  readonly untestedReason?: string;
  readonly parameters: readonly RecipeParameter[];
  readonly needs: {
    /** Programs that the container must have. */
    readonly programs: readonly string[];
    /** Permissions that the application or the container must grant, as text. */
    readonly privileges: readonly string[];
  };
  /** Seconds for which this freeze is safe; null: no known limit. */
  readonly maxFreezeSeconds: number | null;
  /** Meaning of each exit code of the commands, for messages and reasons, such as {1: "already frozen"}. */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** How the thaw restores the earlier state; null: it restores none. */
  readonly priorState: string | null;
  /** Creates the actions; `parameters` has every parameter, including defaults. */
  readonly actions: (parameters: Readonly<Record<string, string>>) => RecipeActions;
  /** The check of a restored copy; absent: the recipe has none. */
  readonly verify?: RecipeVerify;
}

/**
 * Checks a restored copy for consistency (SNAP-V11).
 *
 * The command runs in its own pod that mounts the copy, so no server uses the copy yet. If the check needs a server,
 * the command starts it. The command may write to the copy.
 *
 * Exit code 0: the copy is consistent. Exit code 1: it is not. Any other code, such as 2: the check could not run,
 * which proves nothing.
 */
export interface RecipeVerify {
  /** Summary in one sentence. */
  readonly summary: string;
  /** false: written from the vendor's documentation; the maintainers of Lifehook have never run it. */
  readonly tested: boolean;
  /** The parameters of the check. It does not get the parameters of the recipe. */
  readonly parameters: readonly RecipeParameter[];
  /** Programs that the image must have, and privileges that its user needs. */
  readonly needs: Recipe['needs'];
  /** Seconds; the timeout of the check if the restore sets none. */
  readonly timeoutSeconds: number;
  readonly exitCodes: Readonly<Record<number, string>>;
  /**
   * The command as argv. `parameters` has every parameter, including defaults. `path` is the directory in which the
   * volume is mounted. It may be relative to the working directory, so a script makes it absolute: `cd -- "$1" && pwd
   * -P`.
   */
  readonly command: (
    parameters: Readonly<Record<string, string>>,
    path: string,
  ) => readonly string[];
}

export type RecipeActions = Pick<
  ResolvedActions,
  'probe' | 'expirationSeconds' | 'lockScope' | 'rescue'
> & {
  readonly preAction: HookAction;
  readonly postAction?: HookAction;
};
