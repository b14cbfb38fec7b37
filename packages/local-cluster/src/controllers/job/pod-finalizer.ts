/** The mark on a job's pod that its end is not in the status yet, and its removal. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { pods } from '../../../../../src/kube/resources.ts';
import { identityOf } from '../workload/parts.ts';
import { TRACKING } from './tally.ts';

/** One that is gone, or another pod of its name by now, needs nothing. */
export async function releasePod(client: KubeClient, pod: Pod): Promise<void> {
  const { namespace, name, uid } = identityOf(pod);
  const body = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING] } };
  try {
    await client.patch(pods, { namespace, name }, { type: 'strategic', body });
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}
