import type { Mutant } from '../kept-mutants.ts';

const HOOK = 'src/lifecycles/snapshot/hook';

/** Each of these mutants is found only by seeds with one particular kind of server trouble. */
export const snapshotWorldMutants: readonly Mutant[] = [
  {
    name: 'a leader that loses the server goes on with its sessions (serverCuts)',
    file: `${HOOK}/sessions.ts`,
    text: `    for (const kept of this.#kept.values()) leave(kept);`,
    by: ``,
    breaks: ['SNAP-I20', 'SNAP-I9', 'SNAP-I13', 'SNAP-I15'],
  },
  {
    name: 'the record of a thaw is waited for past the expiry (partialNetwork, webhooks)',
    file: `${HOOK}/record-status.ts`,
    text: `  if (hook.status?.release !== undefined || isCutSeen(hook)) return ANSWER_MS;`,
    by: `  if (hook.status?.release !== undefined || isCutSeen(hook)) return 3 * FREEZE_ANSWER_MS;`,
    breaks: ['SNAP-I5', 'SNAP-I15'],
  },
  {
    name: 'a pod is waited for that is deleted and that none replaces (namespaces)',
    file: `${HOOK}/gather.ts`,
    text: `  if (pod?.metadata?.uid !== podUID) {`,
    by: `  if (pod !== undefined && pod.metadata?.uid !== podUID) {`,
    breaks: ['SNAP-I20'],
  },
];
