/** The environment of a hook's container (ROLL-DH8, ROLL-C27). */
import type { EnvVar } from 'kubernetes-types/core/v1.js';

/** Largest depth of references that are moved before an entry: far more than real manifests have. */
const CHAIN_MAX = 100;

export interface EnvSources {
  /** Overrides both others and comes first, so that both can refer to it. */
  readonly ours: readonly EnvVar[];
  readonly container: readonly EnvVar[];
  /** Overrides the container's. */
  readonly hook: readonly EnvVar[];
}

/**
 * Merges the entries into one list with unique names. `$(NAME)` refers only to earlier entries, so the order is that of
 * the container, and entries of the hook take the places of those that they replace. Entries that an entry of the hook
 * refers to are moved before it.
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
  // An entry that was begun and is not yet placed is part of a reference cycle: it is not moved.
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
