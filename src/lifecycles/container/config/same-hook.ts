/**
 * Compares hooks, to find those that config.json has already. Two entries are equal if every runtime would start the
 * same program in the same way:
 * - `path`, `args`, `env` and `timeout` are equal; `null` counts as absent; fields unknown to the specification do not
 *   count.
 * - Absent `args` equal `[path]`: both are passed to execv. An empty `args` equals neither of them: runc then passes
 *   the path, but crun passes an empty argv.
 * - Absent `env` equals only absent `env`: runc and crun then pass their own environment to the hook.
 */
import { isObject } from './config-text.ts';
import type { OciHook } from '../points.ts';

/**
 * The hooks of `added` that `existing` lacks, in order. Duplicates are counted: a stage that should have one hook twice
 * gets it twice, and a second run adds no third.
 */
export function missingHooks(existing: readonly unknown[], added: readonly OciHook[]): OciHook[] {
  const unclaimed = new Map<string, number>();
  for (const entry of existing) {
    const identity = hookIdentity(entry);
    unclaimed.set(identity, (unclaimed.get(identity) ?? 0) + 1);
  }
  return added.filter((hook) => {
    const identity = hookIdentity(hook);
    const count = unclaimed.get(identity) ?? 0;
    unclaimed.set(identity, count - 1);
    return count <= 0;
  });
}

/** A text for comparison: hooks that are equal by the rules above have the same text. */
export function hookIdentity(entry: unknown): string {
  if (!isObject(entry)) return '';
  const { path, args, env, timeout } = entry;
  return JSON.stringify([path, args ?? [path], env ?? null, timeout ?? null]);
}
