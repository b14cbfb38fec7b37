/** Volumes, claims, and the kinds of the group storage.k8s.io. */
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { persistentVolume } from './persistent-volume.ts';
import { csiDriver, storageClass, volumeAttachment } from './storage-class.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, text, textField, wide } from '../columns.ts';
import { textAt } from '../../../../../../src/kube/fields.ts';
import { shortAccessModes, claimRules } from './check-claim.ts';

/** The kind PersistentVolumeClaim. */
const persistentVolumeClaim: KindSpec = {
  ...inNamespace('v1', 'PersistentVolumeClaim', 'pvc'),
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
  defaults: [['spec.volumeMode', 'Filesystem']],
  newStatus: { phase: 'Pending' },
  rules: claimRules,
};

function phase(object: JsonObject): string {
  const deleted = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  return deleted ? 'Terminating' : textAt(object, 'status', 'phase');
}

function isBound(object: JsonObject): boolean {
  return textAt(object, 'spec', 'volumeName') !== '';
}

export const storageKinds: readonly KindSpec[] = [
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttachment,
  csiDriver,
];
