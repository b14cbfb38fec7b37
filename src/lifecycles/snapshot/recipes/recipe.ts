import type { HookAction, LockScope, ResolvedActions } from '../kinds.ts';

/**
 * The kind of a freeze, which decides how it may run.
 * session: ends with the session that took it, so a session helper is required; a single command protects nothing.
 * counted: taken n times, it must be released n times, so it is never retried.
 * flag: a setting that stays, and whose earlier value is restored.
 * superblock: of a whole file system, whichever process froze it; neither freeze nor thaw is idempotent.
 * selfExpiring: ends by itself after a given time.
 * none: there is nothing to undo (a checkpoint, a flush).
 */
export type LockClass = 'session' | 'counted' | 'flag' | 'superblock' | 'selfExpiring' | 'none';

export interface RecipeParameter {
  readonly name: string;
  readonly description: string;
  /** Absent: the parameter is required. */
  readonly defaultValue?: string;
  /** The pattern that a value must match; the description explains it. Absent: any text. */
  readonly pattern?: RegExp;
}

/** A freeze of one application that is known to work, with its properties. */
export interface Recipe {
  /** Kebab-case: "mariadb-lock". */
  readonly name: string;
  readonly application: string;
  /** One sentence. */
  readonly summary: string;
  readonly lockClass: LockClass;
  /** The event that ends the freeze besides its thaw; `actions` may override it for some parameters. */
  readonly lockScope: LockScope;
  /** Why there is no such recipe, and what to do instead: the recipe is listed, and its use is refused. */
  readonly refused?: string;
  /** false: written from the vendor's documentation, and never run by us. */
  readonly tested: boolean;
  /** Why it was never run by us; absent for a tested recipe. */
  readonly untestedReason?: string;
  readonly parameters: readonly RecipeParameter[];
  readonly needs: {
    /** Programs in the container. */
    readonly programs: readonly string[];
    /** Permissions that the application or the container must grant, as text. */
    readonly privileges: readonly string[];
  };
  /** Seconds for which such a freeze is safe; null: no known limit. */
  readonly maxFreezeSeconds: number | null;
  /** Meanings of the exit codes of its commands, for messages and reasons: {1: "already frozen"}. */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** How the earlier state is recorded and restored; null: it is not. */
  readonly priorState: string | null;
  /** Creates the actions; `parameters` has every parameter, including defaults. */
  readonly actions: (parameters: Readonly<Record<string, string>>) => RecipeActions;
  /** The check of a restored copy; absent: the recipe has none. */
  readonly verify?: RecipeVerify;
}

/**
 * Checks a restored copy for consistency (SNAP-V11). The command runs in a pod of its own that mounts the copy, so no
 * server uses the copy yet: the command starts the server if the check needs one. It may write to the copy.
 *
 * Exit code 0: the copy is consistent. Exit code 1: it is not. Any other, such as 2: the check could not run, which
 * proves nothing.
 */
export interface RecipeVerify {
  /** One sentence. */
  readonly summary: string;
  /** false: written from the vendor's documentation, and never run by us. */
  readonly tested: boolean;
  /** Besides the parameters of the recipe, which it does not get. */
  readonly parameters: readonly RecipeParameter[];
  /** Programs of the image, and rights of its user. */
  readonly needs: Recipe['needs'];
  /** The timeout if the restore sets none, seconds. */
  readonly timeoutSeconds: number;
  readonly exitCodes: Readonly<Record<number, string>>;
  /**
   * argv. `parameters` has every parameter, including defaults. `path`: the directory in which the volume is
   * mounted; it may be relative to the working directory, so a script makes it absolute: `cd -- "$1" && pwd -P`.
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
