/** The scale of whatever can be scaled: a small object of its own, read from and written into the big one. */
import type { JsonObject } from '../../../kube/object.ts';
import { AGE, integerField, NAME } from '../../objects/kinds/columns.ts';
import { at, fieldsAt, isObject, numberAt, textAt } from '../../objects/kinds/fields.ts';
import type {
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
} from '../../objects/resource-definition.ts';
import { formatSelector } from '../../objects/selector-object.ts';
import { builtinType } from '../../objects/table/builtin-type.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { unsupportedMediaType } from '../media-type.ts';
import { withMeta } from '../object-meta.ts';
import { writeOptions } from '../options.ts';
import { objectAnswer } from '../present.ts';
import { decodeAs, readJson, refusedBody } from '../read-object.ts';
import { badRequest, invalid, methodNotAllowed } from '../status.ts';
import { type AdmittedAs, changeExisting } from '../verbs/change-object.ts';
import { getObject } from '../verbs/get.ts';
import { applyPatch, patchTypeOf } from '../verbs/patch.ts';

const COLUMNS: readonly PrinterColumn[] = [
  NAME,
  integerField('Desired', 'spec', 'replicas'),
  integerField('Available', 'status', 'replicas'),
  AGE,
];

export async function serveScale(scope: RequestScope, paths: ScalePaths): Promise<ServerAnswer> {
  switch (scope.request.method) {
    case 'GET':
      return answer(scope, paths, getObject(scope));
    case 'PUT':
      return answer(scope, paths, await replaceScale(scope, paths));
    case 'PATCH':
      return answer(scope, paths, await patchScale(scope, paths));
    default:
      throw methodNotAllowed();
  }
}

function answer(scope: RequestScope, paths: ScalePaths, object: JsonObject): ServerAnswer {
  const definition = scaleDefinition(scope);
  return objectAnswer({ ...scope, definition }, scaleOf(object, paths));
}

async function replaceScale(scope: RequestScope, paths: ScalePaths): Promise<JsonObject> {
  const options = writeOptions(scope.request.query, 'UpdateOptions');
  const { body } = await readJson(scope, scope.request.headers['content-type'] ?? '');
  const scale = readScale(scope, body);
  return changeExisting({
    scope,
    name: scope.info.name,
    options,
    optionsKind: 'UpdateOptions',
    revise: (old) => Promise.resolve(withReplicas(old, scale, paths)),
    part: 'main',
    admittedAs: admittedAs(scope, paths),
  });
}

async function patchScale(scope: RequestScope, paths: ScalePaths): Promise<JsonObject> {
  const patchType = patchTypeOf(scope.request.headers['content-type']);
  if (patchType === undefined) {
    throw unsupportedMediaType();
  }
  const options = writeOptions(scope.request.query, 'PatchOptions');
  const { body: patch } = await readJson(scope, 'application/json');
  return changeExisting({
    scope,
    name: scope.info.name,
    options,
    optionsKind: 'PatchOptions',
    revise: async (old) => {
      const document = scaleOf(old, paths);
      const patched = applyPatch(scaleDefinition(scope), { patchType, patch, document });
      return withReplicas(old, readScale(scope, patched), paths);
    },
    part: 'main',
    admittedAs: admittedAs(scope, paths),
  });
}

/** Admission sees the scale alone, which has no labels. */
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

export function scaleOf(object: JsonObject, paths: ScalePaths): JsonObject {
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

/** A built-in kind has a selector object there, a custom one the text itself. */
function selectorOf(object: JsonObject, path: string | null): string {
  if (path === null) return '';
  const found = at(object, ...steps(path));
  if (isObject(found)) return formatSelector(object, ...steps(path));
  return typeof found === 'string' ? found : '';
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

function withReplicas(old: JsonObject, scale: JsonObject, paths: ScalePaths): JsonObject {
  const { uid, resourceVersion } = fieldsAt(scale, 'metadata');
  const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
  return withMeta(setAt(old, steps(paths.specReplicas), replicas), { uid, resourceVersion });
}

function setAt(object: JsonObject, [first = '', ...rest]: string[], value: number): JsonObject {
  if (rest.length === 0) return { ...object, [first]: value };
  return { ...object, [first]: setAt(fieldsAt(object, first), rest, value) };
}

/** ".spec.replicas" */
function steps(path: string): string[] {
  return path.split('.').slice(1);
}

function scaleDefinition({ definition }: RequestScope): ResourceDefinition {
  const type = builtinType('autoscaling', 'v1', 'Scale');
  if (type === undefined) throw new Error('the table of types has no Scale');
  const own = { group: 'autoscaling', version: 'v1', kind: 'Scale', columns: COLUMNS, type };
  return { ...definition, ...own };
}
