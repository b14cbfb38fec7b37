import type { HookAction, LockScope } from '../action-kinds.ts';
import type { ResolvedActions } from '../kinds.ts';

/**
 * What kind of thing a freeze is, from which follows how it may be run:
 * session: ends with the session that took it, so a holder is required; a one-shot protects nothing.
 * counted: taken n times it has to be given back n times, so it is never made twice.
 * flag: a setting that stays, whose value before is restored.
 * superblock: of a whole file system, whoever froze it; not idempotent either way.
 * selfExpiring: ends by itself after a time that it was given.
 * none: there is nothing to undo (a checkpoint, a flush).
 */
export type LockClass = 'session' | 'counted' | 'flag' | 'superblock' | 'selfExpiring' | 'none';

export interface RecipeParameter {
  readonly name: string;
  readonly description: string;
  /** Absent: it has to be given. */
  readonly defaultValue?: string;
  /** What it has to match; what it is for, the description says. Absent: any text. */
  readonly pattern?: RegExp;
}

/** A freeze for one application that is known to work, and what is known about it. */
export interface Recipe {
  /** Kebab-case: "mariadb-lock". */
  readonly name: string;
  readonly application: string;
  /** One sentence. */
  readonly summary: string;
  readonly lockClass: LockClass;
  /** What ends it besides its thaw; its actions may say otherwise for some parameters. */
  readonly lockScope: LockScope;
  /** Why there is no such recipe, and what to do instead: it stands in the list, and is refused. */
  readonly refused?: string;
  /** false: written from the vendor's documents, never run by us. */
  readonly tested: boolean;
  readonly parameters: readonly RecipeParameter[];
  readonly needs: {
    /** Programs in the container. */
    readonly programs: readonly string[];
    /** What the application or the container has to permit, for people. */
    readonly privileges: readonly string[];
  };
  /** Longest time that a freeze of this kind is safe, seconds; null: no known limit. */
  readonly maxFreezeSeconds: number | null;
  /** What the exit codes of its commands mean, for people and for reasons: {1: "already frozen"}. */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** How the state before is captured, and given back; null: there is none. */
  readonly priorState: string | null;
  /** What it makes of its parameters; all of them are given, defaults included. */
  readonly actions: (parameters: Readonly<Record<string, string>>) => RecipeActions;
}

export type RecipeActions = Pick<
  ResolvedActions,
  'probe' | 'expirationSeconds' | 'lockScope' | 'rescue'
> & {
  readonly preAction: HookAction;
  readonly postAction?: HookAction;
};
