/** Claims on volumes. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, text, textField, wide } from '../columns.ts';
import { textAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { shortAccessModes } from './access-modes.ts';
import { checkClaim } from './check-claim.ts';
import { fillClaim } from './fill-claim.ts';

export const persistentVolumeClaim: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  status: true,
  // CSIVolumeHealth
  gated: [['status.healthStatus']],
  columns: [
    NAME,
    text('Status', phase),
    textField('Volume', 'spec', 'volumeName'),
    text('Capacity', (object) =>
      isBound(object) ? textAt(object, 'status', 'capacity', 'storage') : '',
    ),
    text('Access Modes', (object) =>
      isBound(object) ? shortAccessModes(object, 'status', 'accessModes') : '',
    ),
    textField('StorageClass', 'spec', 'storageClassName'),
    text(
      'VolumeAttributesClass',
      (object) => textAt(object, 'spec', 'volumeAttributesClassName') || '<unset>',
    ),
    AGE,
    wide(textField('VolumeMode', 'spec', 'volumeMode')),
  ],
  fill: fillClaim,
  onCreate(draft) {
    draft['status'] = { phase: 'Pending' };
  },
  check: checkClaim,
};

function phase(object: JsonObject): string {
  const deleted = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  return deleted ? 'Terminating' : textAt(object, 'status', 'phase');
}

function isBound(object: JsonObject): boolean {
  return textAt(object, 'spec', 'volumeName') !== '';
}
