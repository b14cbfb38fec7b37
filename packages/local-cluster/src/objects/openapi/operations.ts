/**
 * Builds the paths of an OpenAPI document.
 *
 * kubectl reads the kind of a resource from the paths (explain). It also reads whether the server supports `dryRun` and
 * `fieldValidation` (apply, create, diff), so every write operation lists both parameters.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition, Verb } from '../resource-definition.ts';

export function resourcePaths(definition: ResourceDefinition): Record<string, JsonObject> {
  const { plural, namespaced, verbs, subresources } = definition;
  const base = basePath(definition);
  const collection = namespaced ? `${base}/namespaces/{namespace}/${plural}` : `${base}/${plural}`;
  const item = `${collection}/{name}`;
  const paths = new Map<string, JsonObject>();
  const add = (path: string, methods: readonly Method[]): void => {
    const served = methods.filter(({ verb }) => verbs.includes(verb));
    if (served.length > 0) paths.set(path, pathItem(path, served, definition));
  };
  add(collection, [LIST, CREATE, DELETE_ALL]);
  add(item, [GET, UPDATE, PATCH, DELETE]);
  if (namespaced) add(`${base}/${plural}`, [LIST]);
  if (subresources.status) add(`${item}/status`, [GET, UPDATE, PATCH]);
  if (subresources.scale !== null) {
    paths.set(`${item}/scale`, pathItem(item, [GET, UPDATE, PATCH], SCALE));
  }
  return Object.fromEntries(paths);
}

/** Path of a group and version, such as "/api/v1" or "/apis/apps/v1". */
export function basePath({
  group,
  version,
}: Pick<ResourceDefinition, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

interface Method {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  readonly verb: Verb;
  /** The value of x-kubernetes-action. */
  readonly action: string;
  readonly parameters: readonly JsonObject[];
}

const parameter = (name: string, type: string, description: string): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
});

const DRY_RUN = parameter(
  'dryRun',
  'string',
  'All: run the whole request, but do not store its result.',
);
const MANAGER = parameter('fieldManager', 'string', 'Name of the client that makes this change.');
const VALIDATION = parameter(
  'fieldValidation',
  'string',
  'Treatment of unknown and duplicate fields: Ignore, Warn or Strict.',
);
const FORCE = parameter(
  'force',
  'boolean',
  'Take the fields over from other field managers (apply patch).',
);
const LISTING = [
  parameter('labelSelector', 'string', 'Return only objects with these labels.'),
  parameter('fieldSelector', 'string', 'Return only objects with these values of fields.'),
  parameter('limit', 'integer', 'Maximum number of objects in one response.'),
  parameter('continue', 'string', 'The continue token of the previous response.'),
  parameter('resourceVersion', 'string', 'Oldest resource version that the response may have.'),
  parameter('watch', 'boolean', 'Stream the changes instead of returning a list.'),
];
const DELETING = [
  DRY_RUN,
  parameter('gracePeriodSeconds', 'integer', 'Seconds that the object has to terminate.'),
  parameter(
    'propagationPolicy',
    'string',
    'Treatment of the dependents: Orphan, Background or Foreground.',
  ),
];
const CHANGING = [DRY_RUN, MANAGER, VALIDATION];

const GET: Method = { method: 'get', verb: 'get', action: 'get', parameters: [] };
const LIST: Method = { method: 'get', verb: 'list', action: 'list', parameters: LISTING };
const CREATE: Method = { method: 'post', verb: 'create', action: 'post', parameters: CHANGING };
const UPDATE: Method = { method: 'put', verb: 'update', action: 'put', parameters: CHANGING };
const PATCH: Method = {
  method: 'patch',
  verb: 'patch',
  action: 'patch',
  parameters: [...CHANGING, FORCE],
};
const DELETE: Method = {
  method: 'delete',
  verb: 'delete',
  action: 'delete',
  parameters: DELETING,
};
const DELETE_ALL: Method = {
  method: 'delete',
  verb: 'deletecollection',
  action: 'deletecollection',
  parameters: [...DELETING, ...LISTING],
};

type Gvk = Pick<ResourceDefinition, 'group' | 'version' | 'kind'>;

const SCALE: Gvk = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function pathItem(path: string, methods: readonly Method[], gvk: Gvk): JsonObject {
  const { group, version, kind } = gvk;
  const operations = methods.map(({ method, action, parameters }): [string, Json] => [
    method,
    {
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group, version, kind },
      parameters: [...parameters],
      responses: { '200': { description: 'OK' }, '401': { description: 'Unauthorized' } },
    },
  ]);
  const inPath = ['namespace', 'name']
    .filter((name) => path.includes(`{${name}}`))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return {
    ...Object.fromEntries(operations),
    ...(inPath.length === 0 ? {} : { parameters: inPath }),
  };
}
