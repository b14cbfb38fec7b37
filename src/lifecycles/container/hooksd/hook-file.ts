import type { Position, Problem } from '../../../model/problem.ts';
import type { OciHook } from '../points.ts';

/** One hooks.d file after reading: both schemas in one form. Pure data, stored in the index as it is. */
export interface HookFile {
  /** The exact file name: the key for masking, and (case-folded) for order. */
  readonly name: string;
  readonly folder: string;
  readonly schema: '0.1.0' | '1.0.0';
  readonly hook: OciHook;
  readonly when: When;
  /** The stages as written in the file, with duplicates: OCI stages and extension stages. */
  readonly stages: readonly string[];
  /** The position of each part in the file, by its path ("when.commands[0]", "hook.path"). */
  readonly positions: Readonly<Record<string, Position>>;
}

/** `leftOut`: set if the program of the hook is missing; the hook then does not run, and this is reported. */
export interface IndexedFile extends HookFile {
  readonly leftOut?: Problem;
}

/**
 * `all` (1.0.0): every present condition must hold. `any` (0.1.0): one is enough. Without any condition, the file never
 * matches.
 */
export interface When {
  readonly combine: 'all' | 'any';
  readonly always?: boolean;
  /** Patterns for key and value (1.0.0). One annotation may match several pairs. */
  readonly annotations?: readonly { readonly key: string; readonly value: string }[];
  /** Patterns for any annotation's value (0.1.0). Present and empty: matches any container with an annotation. */
  readonly annotationValues?: readonly string[];
  /** Patterns for process.args[0]. */
  readonly commands?: readonly string[];
  readonly hasBindMounts?: boolean;
}

export interface ContainerFacts {
  readonly annotations: Readonly<Record<string, string>>;
  /** process.args; undefined if config.json has no process. */
  readonly args: readonly string[] | undefined;
  readonly hasBindMounts: boolean;
}
