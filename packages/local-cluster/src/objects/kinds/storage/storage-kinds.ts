/** Defines PersistentVolumeClaim and the kinds of the group storage.k8s.io. */
import { type FieldError, IMMUTABLE, invalid, invalidEach, required } from '../../field-error.ts';
import { dnsSubdomain } from '../../metadata-names.ts';
import { sameMeaning, needed, oneOf } from '../field-checks.ts';
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';
import { persistentVolume, phase } from './persistent-volume.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, text, textField, wide, yesNo } from '../columns.ts';
import { fieldsAt, isTrue, objectAt, textAt, textsAt } from '../../../../../../src/kube/fields.ts';
import { shortAccessModes, claimRules } from './check-claim.ts';

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

const STORAGE = 'storage.k8s.io/v1';

/** The kind StorageClass. Other kinds of its group follow. */
const storageClass: KindSpec = {
  ...inCluster(STORAGE, 'StorageClass', 'sc'),
  columns: [
    { ...NAME, value: nameAndDefault },
    textField('Provisioner', 'provisioner'),
    textField('ReclaimPolicy', 'reclaimPolicy'),
    textField('VolumeBindingMode', 'volumeBindingMode'),
    text('AllowVolumeExpansion', (object) => isTrue(object, 'allowVolumeExpansion')),
    AGE,
  ],
  defaults: [
    ['reclaimPolicy', 'Delete'],
    ['volumeBindingMode', 'Immediate'],
  ],
  rules: [
    (object) => (textAt(object, 'provisioner') === '' ? [required('provisioner')] : []),
    ['reclaimPolicy', oneOf('Delete', 'Retain')],
    ['volumeBindingMode', oneOf('Immediate', 'WaitForFirstConsumer')],
    (object, old) => (old === undefined ? [] : checkClassUpdate(object, old)),
  ],
};

const volumeAttachment: KindSpec = {
  ...inCluster(STORAGE, 'VolumeAttachment'),
  status: true,
  statusKeeps: 'metadata',
  columns: [
    NAME,
    { ...textField('Attacher', 'spec', 'attacher'), format: 'name' },
    textField('PV', 'spec', 'source', 'persistentVolumeName'),
    textField('Node', 'spec', 'nodeName'),
    yesNo('Attached', (object) => isTrue(object, 'status', 'attached')),
    AGE,
  ],
  rules: [
    ['spec.attacher', needed()],
    (object) => checkAttached(fieldsAt(object, 'spec', 'source')),
    (object) => {
      const node = textAt(object, 'spec', 'nodeName');
      return invalidEach('spec.nodeName', node, dnsSubdomain(node));
    },
    (object, old) =>
      old === undefined || sameMeaning(object['spec'], old['spec'])
        ? []
        : [invalid('spec', null, IMMUTABLE)],
  ],
};

const csiDriver: KindSpec = {
  ...inCluster(STORAGE, 'CSIDriver'),
  columns: [
    NAME,
    yesNo('AttachRequired', (object) => isTrue(object, 'spec', 'attachRequired')),
    yesNo('PodInfoOnMount', (object) => isTrue(object, 'spec', 'podInfoOnMount')),
    yesNo('StorageCapacity', (object) => isTrue(object, 'spec', 'storageCapacity')),
    text('TokenRequests', () => '<unset>'),
    yesNo('RequiresRepublish', (object) => isTrue(object, 'spec', 'requiresRepublish')),
    text('Modes', (object) => textsAt(object, 'spec', 'volumeLifecycleModes').join(',')),
    AGE,
  ],
  defaults: [
    ['spec.attachRequired', true],
    ['spec.podInfoOnMount', false],
    ['spec.storageCapacity', false],
    ['spec.requiresRepublish', false],
    ['spec.seLinuxMount', false],
    ['spec.fsGroupPolicy', 'ReadWriteOnceWithFSType'],
    ['spec.volumeLifecycleModes', ['Persistent']],
  ],
};

function checkAttached(source: JsonObject): readonly FieldError[] {
  const inline = objectAt(source, 'inlineVolumeSpec') !== undefined;
  const named = textAt(source, 'persistentVolumeName') !== '';
  return inline === named
    ? [
        required(
          'spec.source',
          'must specify exactly one of inlineVolumeSpec and persistentVolumeName',
        ),
      ]
    : [];
}

function checkClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((name) =>
    sameMeaning(object[name], old[name]) ? [] : [invalid(name, null, IMMUTABLE)],
  );
}

function nameAndDefault(object: JsonObject): string {
  const name = textAt(object, 'metadata', 'name');
  const isDefault = textAt(object, 'metadata', 'annotations', DEFAULT_CLASS) === 'true';
  return isDefault ? `${name} (default)` : name;
}

const persistentVolumeClaim: KindSpec = {
  ...inNamespace('v1', 'PersistentVolumeClaim', 'pvc'),
  status: true,
  // Fields of the feature gate CSIVolumeHealth, which is off.
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
