/**
 * The permissions that the author of a SnapshotRestore needs, because the controller uses them on the author's behalf.
 * Pure.
 */
import type { Created } from '../../../controller/admission/author.ts';
import { textAt } from '../../../kube/fields.ts';
import type { Json } from '../../../kube/object.ts';
import { STAGES } from './check-spec.ts';
import type { SnapshotRestoreSpec } from './kinds.ts';

/**
 * What the controller creates for a restore, so that its author needs the permission to create it. The spec is
 * unchecked user input.
 */
export function needsOfRestore(spec: Partial<SnapshotRestoreSpec>): readonly Created[] {
  const hooks = STAGES.flatMap((stage): readonly unknown[] => {
    const written: unknown = spec[stage];
    return Array.isArray(written) ? written : [];
  });
  return [...new Set<Created>(['persistentvolumeclaims', ...hooks.flatMap(needsOf)])];
}

function needsOf(hook: unknown): readonly Created[] {
  const { scale, exec, pod } = (hook ?? {}) as Readonly<Record<string, Json | undefined>>;
  return [
    ...(pod === undefined ? [] : (['pods'] as const)),
    ...(exec === undefined ? [] : (['pods/exec'] as const)),
    ...(scale === undefined ? [] : [SCALED[textAt(scale, 'kind')] ?? 'deployments/scale']),
  ];
}

const SCALED: Readonly<Record<string, Created>> = {
  Deployment: 'deployments/scale',
  StatefulSet: 'statefulsets/scale',
};
