/** Reads a Kubernetes OpenAPI v2 document into the table of built-in types. No I/O. */

/** Per definition: its fields, each in the words of src/cluster/objects/table/field-words.ts. */
export type TypeTable = Record<string, DefinitionRow>;

interface DefinitionRow {
  /** group/version/Kind of what is an object of its own. */
  kind?: string;
  atomic?: true;
  required?: string[];
  fields: Record<string, string>;
}

/** What only documentation shows. */
type DocTable = Record<string, { text?: string; fields?: Record<string, string> }>;

interface Swagger {
  readonly definitions: Readonly<Record<string, Schema>>;
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly $ref?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly Gvk[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Where the local cluster's kinds come from; a beta stands in for what later became v1 unchanged. */
const SCOPE: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.v1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.v1': ['CustomResourceDefinition'],
  'apps.v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'authentication.v1': ['TokenRequest', 'TokenReview'],
  'authorization.v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'autoscaling.v1': ['HorizontalPodAutoscaler', 'Scale'],
  'batch.v1': ['Job'],
  'coordination.v1': ['Lease'],
  'core.v1': [
    'Binding',
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
    // Only a part of others later on.
    'EphemeralContainer',
  ],
  'events.v1': ['Event'],
  'meta.v1': [
    'APIGroup',
    'APIGroupList',
    'APIResourceList',
    'APIVersions',
    'DeleteOptions',
    'Status',
    'WatchEvent',
  ],
  'networking.v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'node.v1': ['RuntimeClass'],
  'rbac.v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.v1': ['PriorityClass'],
  'storage.v1': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
};

/** Definitions that are one value in JSON, whatever their schema says. */
const VALUES: Readonly<Record<string, string>> = {
  'api.resource.Quantity': 'quantity',
  'util.intstr.IntOrString': 'intOrString',
  'meta.v1.Time': 'time',
  'meta.v1.MicroTime': 'microTime',
  'meta.v1.FieldsV1': 'any',
  'meta.v1.Patch': 'any',
  'pkg.runtime.RawExtension': 'any',
  'apiextensions.v1.JSON': 'any',
  'apiextensions.v1.JSONSchemaPropsOrArray': 'any',
  'apiextensions.v1.JSONSchemaPropsOrBool': 'any',
  'apiextensions.v1.JSONSchemaPropsOrStringArray': 'any',
};

export function readSwagger(document: unknown): { table: TypeTable; docs: DocTable } {
  const definitions = new Map(
    Object.entries((document as Swagger).definitions).map(([name, schema]) => [
      shortName(name),
      schema,
    ]),
  );
  const table: TypeTable = {};
  const docs: DocTable = {};
  for (const name of reachable(definitions)) {
    const schema = definitions.get(name) as Schema;
    table[name] = rowOf(schema);
    docs[name] = docOf(schema);
  }
  return { table, docs };
}

/** "io.k8s.api.core.v1.PodSpec" -> "core.v1.PodSpec": the last three parts are enough to tell them apart. */
function shortName(name: string): string {
  return name.split('.').slice(-3).join('.');
}

/** The scope's kinds, their lists, and all that they are made of. */
function reachable(definitions: ReadonlyMap<string, Schema>): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const schema = definitions.get(name);
    if (schema === undefined) throw new Error(`The document has no definition ${name}.`);
    if (found.has(name)) return;
    found.add(name);
    for (const property of Object.values(schema.properties ?? {})) {
      const inner = typeWords(property).replace(/^(\[\]|\{\})+/, '');
      if (inner.includes('.')) visit(inner);
    }
  };
  for (const [groupVersion, kinds] of Object.entries(SCOPE)) {
    for (const kind of kinds) {
      visit(`${groupVersion}.${kind}`);
      const list = `${groupVersion}.${kind}List`;
      if (definitions.has(list)) visit(list);
    }
  }
  return [...found].toSorted();
}

function refName(ref: string): string {
  return shortName(ref.slice('#/definitions/'.length));
}

function rowOf(schema: Schema): DefinitionRow {
  const [gvk, another] = schema['x-kubernetes-group-version-kind'] ?? [];
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...(gvk === undefined ? {} : { kind: kindWords(gvk, another) }),
    ...(schema['x-kubernetes-map-type'] === 'atomic' ? { atomic: true as const } : {}),
    ...(schema.required === undefined ? {} : { required: [...schema.required] }),
    fields: Object.fromEntries(properties.map(([name, property]) => [name, words(property)])),
  };
}

/** What belongs to many groups (DeleteOptions, WatchEvent) is listed under the core one. */
function kindWords(gvk: Gvk, another: Gvk | undefined): string {
  const { group, version, kind } =
    another === undefined ? gvk : { ...gvk, group: '', version: 'v1' };
  return group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`;
}

function words(schema: Schema): string {
  const strategy = schema['x-kubernetes-patch-strategy'] ?? '';
  const mapKeys = schema['x-kubernetes-list-map-keys'];
  const listType = schema['x-kubernetes-list-type'];
  const options = [
    ...(listType === undefined || listType === 'atomic'
      ? []
      : [listType === 'map' ? `map=${(mapKeys ?? []).join(',')}` : listType]),
    ...(strategy.split(',').includes('merge')
      ? [`merge=${schema['x-kubernetes-patch-merge-key'] ?? ''}`]
      : []),
    ...(strategy.split(',').includes('retainKeys') ? ['retainKeys'] : []),
    ...(schema['x-kubernetes-map-type'] === 'atomic' ? ['atomic'] : []),
  ];
  return [typeWords(schema), ...options].join(' ');
}

function typeWords(schema: Schema): string {
  if (schema.items !== undefined) return `[]${typeWords(schema.items)}`;
  if (schema.additionalProperties !== undefined)
    return `{}${typeWords(schema.additionalProperties)}`;
  if (schema.$ref !== undefined) return VALUES[refName(schema.$ref)] ?? refName(schema.$ref);
  if (schema.type === 'integer') return schema.format ?? 'int32';
  if (schema.format === 'byte') return 'bytes';
  return schema.type ?? 'any';
}

function docOf(schema: Schema): DocTable[string] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, { description = '' }]) => [
    name,
    description,
  ]);
  return {
    ...(schema.description === undefined ? {} : { text: schema.description }),
    ...(fields.length === 0
      ? {}
      : { fields: Object.fromEntries(fields) as Record<string, string> }),
  };
}
