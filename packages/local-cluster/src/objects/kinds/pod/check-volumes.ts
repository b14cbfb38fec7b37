/** Checks the volumes of a pod: unique names, exactly one source each, and the fields of each source. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import {
  duplicate,
  forbidden,
  invalidEach,
  required,
  invalid,
  notFound,
} from '../../field-errors.ts';
import { dnsLabel } from '../../metadata-names.ts';
import { notSupportedUnless, requiredTexts, oneOfIfSet } from '../checks.ts';
import {
  fieldsAt,
  objectAt,
  objectsAt,
  textAt,
  isTrue,
} from '../../../../../../src/kube/fields.ts';

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
/** The required fields of each source; other sources are stored unchecked. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  secret: ['secretName'],
  configMap: ['name'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
};

const PROJECTED: Readonly<Record<string, readonly string[]>> = {
  secret: ['name'],
  configMap: ['name'],
};

export function checkVolumes(spec: JsonObject, field: string): readonly FieldError[] {
  const volumes = objectsAt(spec, 'volumes');
  const names = volumes.map((volume) => textAt(volume, 'name'));
  return volumes.flatMap((volume, index) => {
    const where = `${field}.volumes[${index}]`;
    const name = names[index] ?? '';
    return [
      ...checkVolume(volume, where),
      ...(name !== '' && names.indexOf(name) < index ? [duplicate(`${where}.name`, name)] : []),
    ];
  });
}

export function volumesByName(spec: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(objectsAt(spec, 'volumes').map((volume) => [textAt(volume, 'name'), volume]));
}

function checkVolume(volume: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(volume, 'name');
  const sources = Object.keys(volume).filter((key) => objectAt(volume, key) !== undefined);
  return [
    ...(sources.length === 0 ? [required(field, 'must specify a volume type')] : []),
    ...sources.flatMap((source, index) =>
      index === 0
        ? checkSource(fieldsAt(volume, source), `${field}.${source}`, source)
        : [forbidden(`${field}.${source}`, 'may not specify more than 1 volume type')],
    ),
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, dnsLabel(name))),
  ];
}

/** For volumes of pods and for persistent volumes. */
export function checkSource(
  source: JsonObject,
  field: string,
  kind: string,
): readonly FieldError[] {
  return [
    ...requiredTexts(source, field, NEEDED[kind] ?? []),
    ...(kind === 'hostPath'
      ? [
          ...noBacksteps(textAt(source, 'path'), `${field}.path`),
          ...notSupportedUnless(`${field}.type`, textAt(source, 'type'), HOST_PATH_TYPES),
        ]
      : []),
    ...objectsAt(source, 'items').flatMap((item, index) =>
      checkItem(item, `${field}.items[${index}]`, kind),
    ),
    ...objectsAt(source, 'sources').flatMap((part, index) => checkProjection(part, field, index)),
  ];
}

function checkItem(item: JsonObject, field: string, kind: string): readonly FieldError[] {
  return [
    ...requiredTexts(item, field, kind === 'downwardAPI' ? ['path'] : ['key', 'path']),
    ...descendingPath(textAt(item, 'path'), `${field}.path`),
  ];
}

function checkProjection(part: JsonObject, volume: string, index: number): readonly FieldError[] {
  const field = `${volume}.sources[${index}]`;
  return Object.keys(part).flatMap((kind) => {
    const source = objectAt(part, kind);
    if (source === undefined) return [];
    return [
      ...requiredTexts(source, `${field}.${kind}`, PROJECTED[kind] ?? []),
      // For a token, the server's error names the volume.
      ...(kind === 'serviceAccountToken' ? requiredTexts(source, volume, ['path']) : []),
      ...objectsAt(source, 'items').flatMap((item, position) =>
        checkItem(item, `${field}.${kind}.items[${position}]`, kind),
      ),
    ];
  });
}

/** Checks the mounts of a container: volumes that exist, each at a unique path. */
const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

export function checkMounts(
  container: JsonObject,
  field: string,
  volumes: ReadonlyMap<string, JsonObject>,
): readonly FieldError[] {
  const mounts = objectsAt(container, 'volumeMounts');
  const paths = mounts.map((mount) => textAt(mount, 'mountPath'));
  const privileged = isTrue(container, 'securityContext', 'privileged');
  return mounts.flatMap((mount, index) => {
    const where = `${field}.volumeMounts[${index}]`;
    const path = paths[index] ?? '';
    return [
      ...checkVolumeName(textAt(mount, 'name'), `${where}.name`, volumes),
      ...(path === '' ? [required(`${where}.mountPath`)] : []),
      ...(paths.indexOf(path) < index
        ? [invalid(`${where}.mountPath`, path, 'must be unique')]
        : []),
      ...checkSubPath(mount, field, where),
      ...checkPropagation(mount, `${field}.volumeMounts.mountPropagation`, privileged),
    ];
  });
}

function checkVolumeName(
  name: string,
  field: string,
  volumes: ReadonlyMap<string, JsonObject>,
): readonly FieldError[] {
  if (name === '') return [required(field), notFound(field, name)];
  return volumes.has(name) ? [] : [notFound(field, name)];
}

/** As on the server, errors about a path name the list, and the error about two paths names the item. */
function checkSubPath(mount: JsonObject, container: string, field: string): readonly FieldError[] {
  const both = textAt(mount, 'subPath') !== '' && textAt(mount, 'subPathExpr') !== '';
  return [
    ...['subPath', 'subPathExpr'].flatMap((name) =>
      descendingPath(textAt(mount, name), `${container}.volumeMounts.${name}`),
    ),
    ...(both
      ? [
          invalid(
            `${field}.subPathExpr`,
            textAt(mount, 'subPathExpr'),
            'subPathExpr and subPath are mutually exclusive',
          ),
        ]
      : []),
  ];
}

/** A relative path that cannot leave its root. */
function descendingPath(path: string, field: string): readonly FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...noBacksteps(path, field),
  ];
}

function noBacksteps(path: string, field: string): readonly FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

function checkPropagation(
  mount: JsonObject,
  field: string,
  privileged: boolean,
): readonly FieldError[] {
  const propagation = textAt(mount, 'mountPropagation');
  return [
    ...oneOfIfSet(field, propagation, PROPAGATIONS),
    ...(propagation === 'Bidirectional' && !privileged
      ? [
          forbidden(
            field,
            'Bidirectional mount propagation is available only to privileged containers',
          ),
        ]
      : []),
  ];
}
