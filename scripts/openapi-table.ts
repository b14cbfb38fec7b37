/** Reads OpenAPI v3 documents of a Kubernetes server into the table of built-in types. No I/O. */

/** The fields of each definition, in the syntax of packages/local-cluster/src/objects/table/field-words.ts. */
export type TypeTable = Record<string, DefinitionRow>;

interface DefinitionRow {
  /** group/version/Kind; absent if the type is only a part of other objects. */
  kind?: string;
  atomic?: true;
  required?: string[];
  fields: Record<string, string>;
}

/** Fields for documentation only; `enums` are the values that a field may have. */
type DocTable = Record<
  string,
  { text?: string; fields?: Record<string, string>; enums?: Record<string, readonly string[]> }
>;

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly $ref?: string;
  /** Wraps a `$ref`, which permits no sibling keys. */
  readonly allOf?: readonly Schema[];
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

/** The kinds of the local cluster, keyed by the path of their document below /openapi/v3/. */
export const SCOPE: Readonly<Record<string, readonly string[]>> = {
  'api/v1': [
    'Binding',
    'ConfigMap',
    'DeleteOptions',
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
    'Status',
    'WatchEvent',
    'APIResourceList',
  ],
  'apis/admissionregistration.k8s.io/v1': [
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ],
  'apis/apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'apis/apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'apis/authentication.k8s.io/v1': ['SelfSubjectReview', 'TokenReview'],
  'apis/authorization.k8s.io/v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'apis/autoscaling/v1': ['HorizontalPodAutoscaler'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/batch/v1': ['CronJob', 'Job'],
  'apis/coordination.k8s.io/v1': ['Lease'],
  'apis/discovery.k8s.io/v1': ['EndpointSlice'],
  'apis/events.k8s.io/v1': ['Event'],
  'apis/networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'apis/node.k8s.io/v1': ['RuntimeClass'],
  'apis/policy/v1': ['PodDisruptionBudget'],
  'apis/rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'apis/scheduling.k8s.io/v1': ['PriorityClass'],
  'apis/storage.k8s.io/v1': [
    'CSIDriver',
    'CSINode',
    'StorageClass',
    'VolumeAttachment',
    'VolumeAttributesClass',
  ],
};

/** Kinds of subresources. */
const SUBRESOURCES = [
  'autoscaling/v1/Scale',
  'authentication.k8s.io/v1/TokenRequest',
  'policy/v1/Eviction',
];

/** Definitions whose JSON form is one value, whatever their schema says. */
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

/** The kinds that are read unless the caller names others: "apps/v1/Deployment", "v1/Pod". */
const OF_THE_LOCAL_CLUSTER: readonly string[] = [...servedKinds(), ...SUBRESOURCES];

/**
 * Reads the types and their descriptions from OpenAPI documents. If several documents have a definition, the first
 * document wins.
 */
export function readOpenApi(
  documents: readonly unknown[],
  kinds: readonly string[] = OF_THE_LOCAL_CLUSTER,
): { table: TypeTable; docs: DocTable } {
  const definitions = new Map(
    (documents as readonly OpenApiDocument[])
      .toReversed()
      .flatMap(({ components }) => Object.entries(components.schemas))
      .map(([name, schema]) => [shortName(name), schema]),
  );
  const table: TypeTable = {};
  const docs: DocTable = {};
  for (const name of reachable(definitions, kinds)) {
    const schema = definitions.get(name) as Schema;
    table[name] = rowOf(schema, definitions);
    docs[name] = docOf(schema);
  }
  return { table, docs };
}

/** "io.k8s.api.core.v1.PodSpec" -> "core.v1.PodSpec": the last three parts are unique. */
function shortName(name: string): string {
  return name.split('.').slice(-3).join('.');
}

/**
 * `kinds`: the kinds of stored objects in a document. `fields`: the fields of each definition in it, keyed by the bare
 * name of the Go type.
 */
export function namesIn(document: unknown): {
  readonly kinds: readonly string[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
} {
  const schemas = Object.entries((document as OpenApiDocument).components.schemas);
  const stored = schemas.filter(([, { properties = {} }]) =>
    Object.values(properties).some((one) => (referenceOf(one) ?? '').endsWith('.v1.ObjectMeta')),
  );
  return {
    kinds: stored.flatMap(([, schema]) => {
      const gvks = schema['x-kubernetes-group-version-kind'] ?? [];
      return gvks.length === 1 ? gvks.map(kindWords) : [];
    }),
    fields: new Map(
      schemas.map(([name, { properties = {} }]) => [shortName(name), Object.keys(properties)]),
    ),
  };
}

/** The kinds, their lists, and all types that they contain. */
function reachable(definitions: ReadonlyMap<string, Schema>, kinds: readonly string[]): string[] {
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
  const byKind = new Map(
    [...definitions].flatMap(([name, schema]) => {
      const kind = rowOf(schema, definitions).kind;
      return kind === undefined ? [] : [[kind, name]];
    }),
  );
  for (const kind of kinds) {
    visit(byKind.get(kind) ?? kind);
    const list = byKind.get(`${kind}List`);
    if (list !== undefined) visit(list);
  }
  return [...found].toSorted();
}

/** The served kinds, such as "apps/v1/Deployment" or "v1/Pod". */
function servedKinds(): string[] {
  return Object.entries(SCOPE).flatMap(([path, kinds]) =>
    kinds.map((kind) => `${path.replace(/^apis?\//, '')}/${kind}`),
  );
}

function refName(ref: string): string {
  return shortName(ref.slice('#/components/schemas/'.length));
}

type Definitions = ReadonlyMap<string, Schema>;

function rowOf(schema: Schema, definitions: Definitions): DefinitionRow {
  const [gvk] = schema['x-kubernetes-group-version-kind'] ?? [];
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...(gvk === undefined ? {} : { kind: kindWords(gvk) }),
    ...(schema['x-kubernetes-map-type'] === 'atomic' ? { atomic: true as const } : {}),
    ...(schema.required === undefined ? {} : { required: [...schema.required] }),
    fields: Object.fromEntries(
      properties.map(([name, property]) => [name, words(property, definitions)]),
    ),
  };
}

function kindWords({ group, version, kind }: Gvk): string {
  return group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`;
}

function words(schema: Schema, definitions: Definitions): string {
  const strategy = schema['x-kubernetes-patch-strategy'] ?? '';
  const listType = schema['x-kubernetes-list-type'];
  const options = [
    ...(listType === undefined || listType === 'atomic'
      ? []
      : [listType === 'map' ? `map=${mapKeys(schema, definitions)}` : listType]),
    ...(strategy.split(',').includes('merge')
      ? [`merge=${schema['x-kubernetes-patch-merge-key'] ?? ''}`]
      : []),
    ...(strategy.split(',').includes('retainKeys') ? ['retainKeys'] : []),
    ...(schema['x-kubernetes-map-type'] === 'atomic' ? ['atomic'] : []),
  ];
  return [typeWords(schema), ...options].join(' ');
}

/** The keys of a list map, each with its default if it has one: "containerPort:0,protocol:TCP". */
function mapKeys({ items, ...list }: Schema, definitions: Definitions): string {
  const reference = items === undefined ? undefined : referenceOf(items);
  const item = reference === undefined ? undefined : definitions.get(refName(reference));
  const keys = (list['x-kubernetes-list-map-keys'] ?? []).map((key) => {
    const given = item?.properties?.[key]?.default;
    return typeof given === 'string' || typeof given === 'number' ? `${key}:${given}` : key;
  });
  return keys.join(',');
}

function referenceOf({ $ref, allOf }: Schema): string | undefined {
  return $ref ?? allOf?.[0]?.$ref;
}

function typeWords(schema: Schema): string {
  if (schema.items !== undefined) return `[]${typeWords(schema.items)}`;
  if (schema.additionalProperties !== undefined)
    return `{}${typeWords(schema.additionalProperties)}`;
  const reference = referenceOf(schema);
  if (reference !== undefined) return VALUES[refName(reference)] ?? refName(reference);
  if (schema.type === 'integer') return schema.format ?? 'int32';
  if (schema.format === 'byte') return 'bytes';
  return schema.type ?? 'any';
}

function docOf(schema: Schema): DocTable[string] {
  const properties = Object.entries(schema.properties ?? {});
  const fields = properties.map(([name, { description = '' }]) => [name, description]);
  const enums = properties.flatMap(([name, { enum: values }]) =>
    values === undefined ? [] : [[name, values]],
  );
  return {
    ...(schema.description === undefined ? {} : { text: schema.description }),
    ...(fields.length === 0
      ? {}
      : { fields: Object.fromEntries(fields) as Record<string, string> }),
    ...(enums.length === 0
      ? {}
      : { enums: Object.fromEntries(enums) as Record<string, readonly string[]> }),
  };
}
