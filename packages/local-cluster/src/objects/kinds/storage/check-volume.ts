/** What is wrong with a persistent volume. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, notSupported, required } from '../../field-errors.ts';
import { immutable, oneOf } from '../checks.ts';
import { fieldsAt, objectAt, textAt } from '../../../../../../src/kube/fields.ts';
import { checkSize } from '../pod/check-resources.ts';
import { checkSource } from '../pod/check-volumes.ts';
import { sameMeaning } from '../same-meaning.ts';
import { checkAccessModes } from './access-modes.ts';

/** Structs of the spec that are no source of a volume. */
const OTHER_STRUCTS = ['capacity', 'claimRef', 'nodeAffinity'];

export function checkVolume(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  return [
    ...checkAccessModes(spec),
    ...checkCapacity(spec),
    ...checkSources(spec),
    ...oneOf('spec.persistentVolumeReclaimPolicy', textAt(spec, 'persistentVolumeReclaimPolicy'), [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...oneOf('spec.volumeMode', textAt(spec, 'volumeMode'), ['Block', 'Filesystem']),
    ...(old === undefined ? [] : checkUpdate(spec, fieldsAt(old, 'spec'))),
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

function checkSources(spec: JsonObject): readonly FieldError[] {
  const sources = sourcesOf(spec);
  if (sources.length === 0) return [required('spec', 'must specify a volume type')];
  return sources.flatMap((source, index) =>
    index === 0
      ? checkSource(fieldsAt(spec, source), `spec.${source}`, source)
      : [forbidden(`spec.${source}`, 'may not specify more than 1 volume type')],
  );
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
