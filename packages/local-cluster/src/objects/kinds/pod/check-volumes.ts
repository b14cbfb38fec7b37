/** Checks the volumes of a pod: unique names, exactly one source for each, and the fields of the source. */
import { textAt } from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { invalid } from '../../field-error.ts';
import { dnsLabel } from '../../metadata-names.ts';
import { among, duplicateIf, form, ifSet, isRepeated, needed } from '../field-checks.ts';
import { type Check, fields, onePart } from '../field-rules.ts';

const noBacksteps: Check = (value, field) => {
  const path = textAt(value);
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
};

/** A relative path without "..", which cannot leave its root. */
export const descendingPath: Check = (value, field, place) => {
  const path = textAt(value);
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...noBacksteps(path, field, place),
  ];
};

const ITEM = fields(['{key,path}', needed()], ['path', descendingPath]);
const FILE = fields(['path', needed()], ['path', descendingPath]);
const DIRECTORY_TYPES = ['Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/** Like `needed`, but the error has the path of the volume, as on a real server. */
const ofVolume: Check = (path, field, place) =>
  needed()(path, field.replace(/\.sources\[.*\./, '.'), place);

const NAMED = fields(['name', needed()], ['items[]', ITEM]);

const PROJECTION = fields(
  ['{secret,configMap}', NAMED],
  ['downwardAPI', fields(['items[]', FILE])],
  ['serviceAccountToken', fields(['path', ofVolume])],
);

const SOURCES: Readonly<Record<string, Check>> = {
  hostPath: fields(
    ['path', needed()],
    ['path', noBacksteps],
    ['type', among('', 'BlockDevice', 'CharDevice', ...DIRECTORY_TYPES)],
  ),
  secret: fields(['secretName', needed()], ['items[]', ITEM]),
  configMap: NAMED,
  downwardAPI: fields(['items[]', FILE]),
  projected: fields(['sources[]', PROJECTION]),
  persistentVolumeClaim: fields(['claimName', needed()]),
  nfs: fields(['{server,path}', needed()]),
  csi: fields(['driver', needed()]),
};

/**
 * Requires exactly one source, in volumes of pods and in PersistentVolumes. Kinds of sources that are not in SOURCES
 * are stored unchecked.
 */
export function oneVolumeSource(names: (volume: JsonObject) => readonly string[]): Check {
  const none = 'must specify a volume type';
  return onePart(SOURCES, { none, more: 'may not specify more than 1 volume type', names });
}

const VOLUME = fields(
  ['', oneVolumeSource(Object.keys)],
  ['name', needed(), form(dnsLabel)],
  ['name', ifSet(duplicateIf(isRepeated('name')))],
);

export const VOLUMES: Check = fields(['volumes[]', VOLUME]);
