/** OCI-CASE26: if a hook is stopped at its deadline or cancelled, all processes that it started end with it. */
import type { HostProcess } from '../host/host-process.ts';
import type { Account } from './account.ts';
import { nameOf } from './judge-hook.ts';

/**
 * Judges a hook that was stopped, when its runner has replaced its report: no process of the hook may live. `text`: the
 * report.
 */
export function judgeTree(account: Account, runner: HostProcess, text: string): void {
  const { kind, end } = JSON.parse(text) as {
    readonly kind: string;
    readonly end?: { readonly cause: string | null };
  };
  if (kind !== 'ended' || end === undefined || end.cause === null) return;
  for (const creation of account.creations) {
    for (const run of creation.hooks.filter((one) => one.runner === runner)) {
      const left = run.children.find(({ alive }) => alive);
      account.require(left === undefined, 'OCI-CASE26', () => {
        return `${nameOf(creation, run)} was stopped (${end.cause}), and its process ${left?.pid} lives`;
      });
    }
  }
}
