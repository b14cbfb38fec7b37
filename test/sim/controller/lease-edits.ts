/** A user who deletes the Lease, or removes the holder's identity from it. */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import { leases } from '../../../src/kube/resources.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { type Judge, LEASE } from './judge.ts';
import type { SimApi } from './sim-api.ts';

export const LEASE_EDITS = ['lease deleted', 'lease emptied'] as const;

export interface LeaseEdits {
  readonly world: World;
  readonly api: SimApi;
  readonly judge: Judge;
  readonly random: Random;
  readonly withinMs: number;
}

/**
 * Schedules one to three edits in some seeds. The edits use their own random numbers, so that the other faults of a
 * seed stay the same.
 */
export function scheduleLeaseEdits(edits: LeaseEdits): void {
  const { world, random, withinMs } = edits;
  if (!random.chance(0.3) && !world.faults.isFocusGiven) return;
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const dice = random.fork(String(left));
    const edit = dice.pick(LEASE_EDITS);
    world.after(dice.between(0, withinMs), () => {
      if (world.faults.strikes(edit, dice)) editLease(edits, edit);
    });
  }
}

function editLease({ api, judge }: LeaseEdits, edit: (typeof LEASE_EDITS)[number]): void {
  const lease = api.find(leases, LEASE);
  if (lease === undefined) return;
  judge.editLease(() => {
    if (edit === 'lease deleted') {
      api.delete(leases, LEASE, {});
      return;
    }
    const edited: Lease = {
      metadata: lease.metadata,
      spec: { ...(lease.spec as LeaseSpec), holderIdentity: '' },
    };
    api.replace(leases, edited, 'object');
  });
}
