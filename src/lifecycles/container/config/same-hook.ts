/**
 * The equality of hooks, for finding those that are already present. Two entries are equal if every runtime would
 * start the same program in the same way:
 * - `path`, `args`, `env` and `timeout` are equal; `null` counts as absent; fields unknown to the
 *   specification do not count.
 * - Absent `args` equal `[path]`: both are passed to execv. An empty `args` equals neither: runc
 *   then passes the path, crun an empty argv.
 * - Absent `env` equals no other: runc and crun then pass their own environment on.
 */
import { isObject } from './config-text.ts';
import type { OciHook } from '../points.ts';

/**
 * The hooks of `added` that `existing` lacks, in order. Counted, not just searched: a stage that should
 * have one hook twice gets it twice, and still only twice at the second run.
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

/** Equal for hooks that are equal in the above sense. */
export function hookIdentity(entry: unknown): string {
  if (!isObject(entry)) return '';
  const { path, args, env, timeout } = entry;
  return JSON.stringify([path, args ?? [path], env ?? null, timeout ?? null]);
}
