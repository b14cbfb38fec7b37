/**
 * The stamp of a gate without a webhook (`gate: PausedAtRest`), which the controller adds after the write. Pure. It is
 * safe only if the Deployment was paused when its template changed. A write that also clears `paused` bypasses this
 * gate; the status documents this limit.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { templateDigest } from '../template-digest.ts';
import { GATED } from '../names.ts';
import { type GatedFields, type PatchOperation, patchTo } from './gated-fields.ts';
import { type GateState, gateStateOf } from './gate-state.ts';
import { nextNumbers } from './stamp.ts';

/**
 * The JSON patch of the stamp, with a test of the resourceVersion; null: the template was stamped before.
 * `stampedDigest`: the digest of the template with the current number (`status.rollout.digest` of that number, else
 * `status.released.digest`).
 */
export function stampAtRest(
  deployment: Deployment,
  stampedDigest: string,
): readonly PatchOperation[] | null {
  if (templateDigest(deployment.spec?.template) === stampedDigest) return null;
  const was = gateStateOf(deployment);
  const { rollout, released } = nextNumbers(was);
  return [
    ...testOf(deployment),
    ...patchTo(deployment, {
      label: deployment.metadata?.labels?.[GATED],
      rollout: String(rollout),
      released: released === null ? undefined : String(released),
      proof: undefined,
      paused: true,
      ...holdOf(deployment, was),
    }),
  ];
}

/**
 * The replicas of a Deployment that is held at 0, with the count for its release; or its own replicas, if it is not
 * held. A wanted count on an ungated Deployment is ignored, because a user has set it.
 */
function holdOf(
  { spec: { replicas } = { selector: {}, template: {} } }: Deployment,
  { gated, wantedReplicas }: GateState,
): Pick<GatedFields, 'replicas' | 'wanted'> {
  const kept = gated ? wantedReplicas : null;
  if (kept === null && replicas !== 0) return { replicas, wanted: undefined };
  const wanted = replicas === 0 ? (kept ?? 0) : (replicas ?? 1);
  return { replicas: 0, wanted: String(wanted) };
}

function testOf({ metadata }: Deployment): PatchOperation[] {
  const value = metadata?.resourceVersion ?? '';
  return [{ op: 'test', path: '/metadata/resourceVersion', value }];
}
