/**
 * The stamp where no webhook can be (`gate: PausedAtRest`): the controller puts it on afterwards. Pure. Safe
 * as long as the Deployment was paused when its template changed; who clears `paused` in the same write
 * bypasses this gate, which is what the mode's limits in the status say.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { templateDigest } from '../template-digest.ts';
import { GATED } from '../names.ts';
import { type GatedFields, type PatchOperation, patchTo } from './gated-fields.ts';
import { type GateState, gateStateOf } from './gate-state.ts';
import { nextNumbers } from './stamp.ts';

/**
 * The JSON patch, with a test of the resourceVersion; null: the template is the one that was stamped.
 * `stampedDigest`: of the template that the present number stands for (`status.rollout.digest` of that
 * number, else `status.released.digest`).
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
      paused: true,
      ...holdOf(deployment, was),
    }),
  ];
}

/** A wanted count on a Deployment that was not gated holds nothing: a user has set it. */
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
