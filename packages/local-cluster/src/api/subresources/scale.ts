/** Reads, replaces, patches and applies the scale subresource of scalable kinds. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { numberAt, textAt, at, fieldsAt, isObject } from '../../../../../src/kube/fields.ts';
import {
  SCALE_VERSION,
  type ScaledObject,
  withOwnersAfterScale,
  withScaleOwners,
} from '../../objects/ownership/scale-owners.ts';
import { recordUpdate } from '../../objects/ownership/update.ts';
import type {
  ScalePaths,
  PrinterColumn,
  ResourceDefinition,
} from '../../objects/resource-definition.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { bareType, unsupportedMediaType } from '../media-type.ts';
import { type WriteOptions, writeOptions } from '../options.ts';
import { authorship, managerOf } from '../ownership.ts';
import { acceptedShape, objectAnswer } from '../present.ts';
import { decodeAs, readJson, refusedBody, getObject } from '../read-object.ts';
import { apiVersionOf } from '../registry.ts';
import { badRequest, invalid, methodNotAllowed } from '../status.ts';
import { APPLY_TYPE, appliedObject, readApplied } from '../verbs/apply.ts';
import { type AdmittedAs, changeExisting, type ObjectChange } from '../verbs/change-object.ts';
import { applyPatch } from '../verbs/patch.ts';
import { patchTypeOf } from '../verbs/patch-text.ts';
import { AGE, integerField, NAME } from '../../objects/kinds/columns.ts';
import { formatSelector } from '../../objects/selector-object.ts';
import { builtinType } from '../../objects/table/builtin-type.ts';
import { withMeta } from '../object-meta.ts';

export async function serveScale(scope: RequestScope, paths: ScalePaths): Promise<ServerAnswer> {
  const definition = scaleDefinition(scope);
  // Before the write: a request whose response the client cannot read must change nothing.
  acceptedShape(scope);
  const object = await scaledObject(scope, paths);
  return objectAnswer({ ...scope, definition }, scaleOf(object, paths));
}

async function scaledObject(scope: RequestScope, paths: ScalePaths): Promise<JsonObject> {
  const { method, headers } = scope.request;
  switch (method) {
    case 'GET':
      return getObject(scope);
    case 'PUT':
      return replaceScale(scope, paths);
    case 'PATCH':
      return bareType(headers['content-type']) === APPLY_TYPE
        ? applyScale(scope, paths)
        : patchScale(scope, paths);
    default:
      throw methodNotAllowed();
  }
}

async function replaceScale(scope: RequestScope, paths: ScalePaths): Promise<JsonObject> {
  const options = writeOptions(scope.request.query, 'UpdateOptions');
  const { body } = await readJson(scope, scope.request.headers['content-type'] ?? '');
  const scale = readScale(scope, body);
  return changeScale({ scope, paths, options, optionsKind: 'UpdateOptions' }, (live) =>
    updated(scope, options, { live, next: scale }),
  );
}

async function patchScale(scope: RequestScope, paths: ScalePaths): Promise<JsonObject> {
  const patchType = patchTypeOf(scope.request.headers['content-type']);
  if (patchType === undefined) throw unsupportedMediaType();
  const options = writeOptions(scope.request.query, 'PatchOptions');
  const { body: patch } = await readJson(scope, 'application/json');
  const definition = scaleDefinition(scope);
  return changeScale({ scope, paths, options, optionsKind: 'PatchOptions' }, (live) => {
    const patched = applyPatch(definition, { patchType, patch, document: live });
    return updated(scope, options, { live, next: readScale(scope, patched) });
  });
}

async function applyScale(scope: RequestScope, paths: ScalePaths): Promise<JsonObject> {
  const options = writeOptions(scope.request.query, 'PatchOptions', 'apply');
  const applied = await readApplied(scope, options);
  const { fieldManager: manager, force } = options;
  return changeScale({ scope, paths, options, optionsKind: 'PatchOptions' }, (live) => {
    const how = { ...scaleAuthorship(scope), kind: 'Scale', live, applied, manager, force };
    const scale = appliedObject(how);
    readScale(scope, scale);
    return scale;
  });
}

interface ScaleChange extends Pick<ObjectChange, 'scope' | 'options' | 'optionsKind'> {
  readonly paths: ScalePaths;
}

/**
 * Reads the scaled object, applies a change to its Scale, and stores the result. `write` returns the new Scale for the
 * live one. Both Scales have managedFields.
 */
function changeScale(
  { scope, paths, options, optionsKind }: ScaleChange,
  write: (live: JsonObject) => JsonObject,
): Promise<JsonObject> {
  return changeExisting({
    scope,
    name: scope.info.name,
    options,
    optionsKind,
    revise: async (live) => {
      const scaled: ScaledObject = {
        live,
        apiVersion: apiVersionOf(scope.definition),
        path: steps(paths.specReplicas),
      };
      const scale = write(withScaleOwners(scaleOf(live, paths), scaled));
      return withOwnersAfterScale(withReplicas(live, scale, paths), scale, scaled);
    },
    owned: true,
    part: 'main',
    admittedAs: admittedAs(scope, paths),
  });
}

interface ScaleUpdate {
  readonly live: JsonObject;
  readonly next: JsonObject;
}

function updated(scope: RequestScope, options: WriteOptions, update: ScaleUpdate): JsonObject {
  const manager = managerOf(scope, options);
  return recordUpdate({ ...scaleAuthorship(scope), ...update, manager });
}

function scaleAuthorship(
  scope: RequestScope,
): Pick<Parameters<typeof recordUpdate>[0], 'type' | 'apiVersion' | 'now' | 'subresource'> {
  const { now } = authorship(scope);
  const { type } = scaleDefinition(scope);
  return { type, apiVersion: SCALE_VERSION, now, subresource: 'scale' };
}

/**
 * Admission reviews only the Scale. A Scale has no labels, so object selectors do not match the labels of the scaled
 * object.
 */
function admittedAs(scope: RequestScope, paths: ScalePaths): AdmittedAs {
  const { group, version, kind, type } = scaleDefinition(scope);
  return {
    group,
    version,
    kind,
    type,
    read: (object) => scaleOf(object, paths),
    write: (object, scale) => withReplicas(object, scale, paths),
  };
}

function readScale(scope: RequestScope, body: JsonObject[string]): JsonObject {
  const decoded = decodeAs(scaleDefinition(scope), { body, fieldValidation: 'Ignore' });
  if (decoded.kind === 'failed') throw refusedBody(decoded);
  const { name } = scope.info;
  const own = textAt(decoded.object, 'metadata', 'name');
  if (own !== name) {
    throw badRequest(
      `the name of the object (${own}) does not match the name on the URL (${name})`,
    );
  }
  const replicas = numberAt(decoded.object, 'spec', 'replicas') ?? 0;
  if (replicas >= 0) return decoded.object;
  const detail = 'must be greater than or equal to 0';
  const error = { type: 'Invalid', field: 'spec.replicas', value: replicas, detail } as const;
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
}

/** Table columns of a Scale, which is computed from the scaled object. */
const COLUMNS: readonly PrinterColumn[] = [
  NAME,
  integerField('Desired', 'spec', 'replicas'),
  integerField('Available', 'status', 'replicas'),
  AGE,
];

function scaleOf(object: JsonObject, paths: ScalePaths): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = fieldsAt(object, 'metadata');
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  const selector = selectorOf(object, paths.labelSelector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: JSON.parse(JSON.stringify(metadata)) as JsonObject,
    spec: specOf(numberAt(object, ...steps(paths.specReplicas))),
    status: {
      replicas: numberAt(object, ...steps(paths.statusReplicas)) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

function specOf(replicas: number | undefined): JsonObject {
  return replicas === undefined || replicas === 0 ? {} : { replicas };
}

/** The selector as text. Built-in kinds have a selector object at the path, and custom kinds a string. */
function selectorOf(object: JsonObject, path: string | null): string {
  if (path === null) return '';
  const found = at(object, ...steps(path));
  if (isObject(found)) return formatSelector(object, ...steps(path));
  return typeof found === 'string' ? found : '';
}

/**
 * Writes the replicas of the Scale to the scaled object. The uid and resourceVersion of the Scale are copied too, so
 * that they are checked. A Scale without a resourceVersion replaces any revision, also of a custom object.
 */
function withReplicas(old: JsonObject, scale: JsonObject, paths: ScalePaths): JsonObject {
  const { uid, resourceVersion = '' } = fieldsAt(scale, 'metadata');
  const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
  const kept =
    resourceVersion === '' ? fieldsAt(old, 'metadata')['resourceVersion'] : resourceVersion;
  return withMeta(setAt(old, steps(paths.specReplicas), replicas), { uid, resourceVersion: kept });
}

function setAt(object: JsonObject, [first = '', ...rest]: string[], value: number): JsonObject {
  if (rest.length === 0) return { ...object, [first]: value };
  return { ...object, [first]: setAt(fieldsAt(object, first), rest, value) };
}

/** Splits a path such as ".spec.replicas" into its field names. */
function steps(path: string): string[] {
  return path.split('.').slice(1);
}

function scaleDefinition({ definition }: RequestScope): ResourceDefinition {
  const type = builtinType('autoscaling', 'v1', 'Scale');
  if (type === undefined) throw new Error('the table of types has no Scale');
  const own = { group: 'autoscaling', version: 'v1', kind: 'Scale', columns: COLUMNS, type };
  return { ...definition, ...own };
}
