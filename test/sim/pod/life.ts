/** One life of the node: a process that starts from the state in the API. */
import type { PodStatus } from 'kubernetes-types/core/v1.js';

import type { Life } from './account.ts';
import { knownCountsIn } from './judge-status.ts';

export function newLife(pid: number, status: PodStatus): Life {
  const counts = { knownCounts: knownCountsIn(status), status };
  return {
    pid,
    alive: true,
    reported: [],
    over: false,
    deadlineAtMs: null,
    ledgerFailed: false,
    ...counts,
  };
}
