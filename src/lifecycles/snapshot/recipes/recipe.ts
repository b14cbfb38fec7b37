import type { HookAction, LockScope } from '../action-kinds.ts';
import type { ResolvedActions } from '../kinds.ts';

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
  /** How the earlier state is recorded and restored; null: there is none. */
  readonly priorState: string | null;
  /** Creates the actions; `parameters` has every parameter, including defaults. */
  readonly actions: (parameters: Readonly<Record<string, string>>) => RecipeActions;
}

export type RecipeActions = Pick<
  ResolvedActions,
  'probe' | 'expirationSeconds' | 'lockScope' | 'rescue'
> & {
  readonly preAction: HookAction;
  readonly postAction?: HookAction;
};
