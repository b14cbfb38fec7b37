/** What a container mounts: volumes that are there, each at a place of its own. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid, notFound, required } from '../../field-errors.ts';
import { oneOfIfSet } from '../checks.ts';
import { isTrue, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';

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

/** The server names the list for a path that leads astray, and the item for two paths. */
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

/** A path that cannot lead out of where it starts. */
export function descendingPath(path: string, field: string): readonly FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...noBacksteps(path, field),
  ];
}

export function noBacksteps(path: string, field: string): readonly FieldError[] {
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
