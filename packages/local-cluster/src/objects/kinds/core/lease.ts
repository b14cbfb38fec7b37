/** Leases: who leads, and until when. */
import { invalid } from '../../field-errors.ts';
import { nonNegative } from '../checks.ts';
import { AGE, NAME, textField } from '../columns.ts';
import { fieldsAt, numberAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';

export const lease: KindSpec = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  plainFinalizers: true,
  // CoordinatedLeaderElection
  gated: [['spec.strategy', 'spec.preferredHolder']],
  columns: [NAME, textField('Holder', 'spec', 'holderIdentity'), AGE],
  check(object) {
    const spec = fieldsAt(object, 'spec');
    const seconds = numberAt(spec, 'leaseDurationSeconds');
    return [
      ...(seconds !== undefined && seconds <= 0
        ? [invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
        : []),
      ...nonNegative(spec, 'spec', ['leaseTransitions']),
    ];
  },
};
