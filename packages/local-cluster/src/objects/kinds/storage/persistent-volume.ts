/** Volumes. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, text, textField, wide } from '../columns.ts';
import { fill, fillObject, objectAt, textAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { shortAccessModes } from './access-modes.ts';
import { checkVolume } from './check-volume.ts';

export const persistentVolume: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  status: true,
  columns: [
    NAME,
    textField('Capacity', 'spec', 'capacity', 'storage'),
    text('Access Modes', (object) => shortAccessModes(object, 'spec', 'accessModes')),
    textField('Reclaim Policy', 'spec', 'persistentVolumeReclaimPolicy'),
    text('Status', phase),
    text('Claim', claim),
    textField('StorageClass', 'spec', 'storageClassName'),
    text(
      'VolumeAttributesClass',
      (object) => textAt(object, 'spec', 'volumeAttributesClassName') || '<unset>',
    ),
    textField('Reason', 'status', 'reason'),
    AGE,
    wide(textField('VolumeMode', 'spec', 'volumeMode')),
  ],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    fill(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    fill(spec, 'volumeMode', 'Filesystem');
    const hostPath = objectAt(spec, 'hostPath');
    if (hostPath !== undefined) hostPath['type'] ??= '';
  },
  onCreate(draft, { now }) {
    draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: now };
  },
  onStatusUpdate(draft, old, { now }) {
    const status = fillObject(draft, 'status');
    if (textAt(status, 'phase') !== textAt(old, 'status', 'phase')) {
      status['lastPhaseTransitionTime'] = now;
    }
  },
  check: checkVolume,
};

function phase(object: JsonObject): string {
  const deleted = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  return deleted ? 'Terminating' : textAt(object, 'status', 'phase');
}

function claim(object: JsonObject): string {
  const reference = objectAt(object, 'spec', 'claimRef');
  if (reference === undefined) return '';
  return `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}`;
}
