/**
 * Declares the options that describe a snapshot. Every start loads this file; `create.ts` evaluates the options. Pure.
 */
import { InvalidArgumentError } from 'commander';

import type { ExecutionHookInfo } from '../../lifecycles/snapshot/kinds.ts';
import type { RequiredLevel } from '../../lifecycles/snapshot/required-level.ts';

type Labels = Readonly<Record<string, string>>;
type Recipe = NonNullable<ExecutionHookInfo['recipe']>;

/** The levels that `--require` accepts. */
export const LEVELS: readonly RequiredLevel[] = ['ApplicationConsistent', 'CrashConsistent', 'Any'];

export interface RequestOptions {
  readonly claim?: readonly string[];
  readonly selector?: Labels;
  readonly group?: boolean;
  readonly class?: string;
  readonly template?: string;
  readonly recipe?: Recipe;
  readonly pods?: Labels;
  readonly container?: string;
  /** Seconds until the cut must have happened. */
  readonly cutDeadline?: number;
}

export function collectClaims(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...name.split(',').filter((one) => one !== '')];
}

export function parseLabels(text: string): Labels {
  return pairsOf(text.split(','), 'Labels must be name=value, separated by commas.');
}

/** Parses a recipe with its parameters: "mariadb-lock" or "mariadb-lock,user=backup,socket=/run/m.sock". */
export function parseRecipe(text: string): Recipe {
  const [name = '', ...pairs] = text.split(',');
  if (name === '' || name.includes('=')) {
    throw new InvalidArgumentError(
      'The name of a recipe must come first, as in mariadb-lock,user=backup.',
    );
  }
  if (pairs.length === 0) return { name };
  return { name, parameters: pairsOf(pairs, 'Parameters must be name=value.') };
}

function pairsOf(pairs: readonly string[], required: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new InvalidArgumentError(`${required} Received "${pair}".`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
