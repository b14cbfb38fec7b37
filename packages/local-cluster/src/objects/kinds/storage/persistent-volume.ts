/** The kind PersistentVolume and its checks. */
import { oneOf, immutable, sameMeaning } from '../field-checks.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, text, textField, wide } from '../columns.ts';
import { fillObject, objectAt, textAt, fieldsAt } from '../../../../../../src/kube/fields.ts';
import { inCluster, type KindSpec } from '../kind-spec.ts';
import { shortAccessModes, checkAccessModes } from './check-claim.ts';
import { type FieldError, forbidden, notSupported, required } from '../../field-error.ts';
import { checkObject, fields } from '../field-rules.ts';
import { checkSize } from '../pod/check-resources.ts';
import { oneVolumeSource } from '../pod/check-volumes.ts';

/** Structs of the spec that are not the source of the volume. */
const OTHER_STRUCTS = ['capacity', 'claimRef', 'nodeAffinity'];

const SOURCE = fields(['spec', oneVolumeSource(sourcesOf)]);

function checkVolume(spec: JsonObject): readonly FieldError[] {
  return [
    ...checkAccessModes(spec),
    ...checkCapacity(spec),
    ...checkObject(SOURCE, { spec }, { scope: {} }),
  ];
}

function checkCapacity(spec: JsonObject): readonly FieldError[] {
  const names = Object.keys(fieldsAt(spec, 'capacity'));
  if (names.length === 0) {
    return [required('spec.capacity'), notSupported('spec.capacity', null, ['storage'])];
  }
  if (names.length > 1 || names[0] !== 'storage') {
    return [notSupported('spec.capacity', { ...fieldsAt(spec, 'capacity') }, ['storage'])];
  }
  return checkSize(textAt(spec, 'capacity', 'storage'), 'spec.capacity[storage]');
}

function sourcesOf(spec: JsonObject): readonly string[] {
  return Object.keys(spec).filter(
    (name) => !OTHER_STRUCTS.includes(name) && objectAt(spec, name) !== undefined,
  );
}

function checkUpdate(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const names = [...new Set([...sourcesOf(spec), ...sourcesOf(before)])];
  return [
    ...immutable('volumeMode', spec['volumeMode'], before['volumeMode']),
    ...(names.some((name) => !sameMeaning(spec[name], before[name]))
      ? [
          forbidden(
            'spec.persistentvolumesource',
            'spec.persistentvolumesource is immutable after creation',
          ),
        ]
      : []),
  ];
}

export const persistentVolume: KindSpec = {
  ...inCluster('v1', 'PersistentVolume', 'pv'),
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
  defaults: [
    ['spec.persistentVolumeReclaimPolicy', 'Retain'],
    ['spec.volumeMode', 'Filesystem'],
    ['spec.hostPath?.type', ''],
  ],
  onCreate(draft, { now }) {
    draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: now };
  },
  onStatusUpdate(draft, old, { now }) {
    const status = fillObject(draft, 'status');
    if (textAt(status, 'phase') !== textAt(old, 'status', 'phase')) {
      status['lastPhaseTransitionTime'] = now;
    }
  },
  rules: [
    (object) => checkVolume(fieldsAt(object, 'spec')),
    ['spec.persistentVolumeReclaimPolicy', oneOf('Delete', 'Recycle', 'Retain')],
    ['spec.volumeMode', oneOf('Block', 'Filesystem')],
    (object, old) =>
      old === undefined ? [] : checkUpdate(fieldsAt(object, 'spec'), fieldsAt(old, 'spec')),
  ],
};

export function phase(object: JsonObject): string {
  const deleted = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  return deleted ? 'Terminating' : textAt(object, 'status', 'phase');
}

function claim(object: JsonObject): string {
  const reference = objectAt(object, 'spec', 'claimRef');
  if (reference === undefined) return '';
  return `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}`;
}
