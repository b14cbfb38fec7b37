/** The environment of a hook's container (ROLL-DH8, ROLL-C27). */
import type { EnvVar } from 'kubernetes-types/core/v1.js';

/** Entries that are moved before one, each for the next: far more than anybody writes. */
const CHAIN_MAX = 100;

export interface EnvSources {
  /** Wins over both others, and comes first, so that both can refer to it. */
  readonly ours: readonly EnvVar[];
  readonly container: readonly EnvVar[];
  /** Wins over the container's. */
  readonly hook: readonly EnvVar[];
}

/**
 * One list, each name once. `$(NAME)` refers to what stands before it, so the order is the container's, with
 * the hook's in the places of those that they replace; what an entry of the hook refers to is moved before it.
 *
 * Worked example, container A, B=$(A), C=$(B), hook NEW=1, B=$(NEW): A, NEW=1, B=$(NEW), C=$(B).
 */
export function hookEnv({ ours, container, hook }: EnvSources): EnvVar[] {
  const taken = new Set(ours.map(({ name }) => name));
  const byName = new Map<string, EnvVar>();
  for (const entry of [...container, ...hook]) {
    if (!taken.has(entry.name)) byName.set(entry.name, entry);
  }
  const fromHook = new Set(hook.map(({ name }) => name));
  return [...ours, ...inOrder(byName, fromHook)];
}

function inOrder(entries: ReadonlyMap<string, EnvVar>, fromHook: ReadonlySet<string>): EnvVar[] {
  const ordered = new Map<string, EnvVar>();
  // What was begun and is not there yet refers to itself in a circle: it stays where it is.
  const begun = new Set<string>();
  const put = (entry: EnvVar, depth: number): void => {
    if (begun.has(entry.name)) return;
    begun.add(entry.name);
    const pulls = depth > 0 ? depth < CHAIN_MAX : fromHook.has(entry.name);
    for (const name of pulls ? referencesOf(entry) : []) {
      const referred = entries.get(name);
      if (referred !== undefined) put(referred, depth + 1);
    }
    ordered.set(entry.name, entry);
  };
  for (const entry of entries.values()) put(entry, 0);
  return [...ordered.values()];
}

/** `$$(NAME)` is an escape, and refers to nothing. */
function referencesOf({ value = '' }: EnvVar): string[] {
  const found = value.matchAll(/\$\$|\$\(([^()$]+)\)/g);
  return [...found].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
