/** A custom kind from its definition to its deletion: defaults, pruning, validation, status, scale, columns. */
import type { JsonObject } from '../../../src/kube/object.ts';
import { objectsAt } from '../../../src/kube/fields.ts';
import type { Recorder } from '../recorder.ts';
import type { Answer, Scenario } from '../scenario.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = 'application/merge-patch+json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['colour'],
      properties: {
        colour: { type: 'string', enum: ['red', 'green'] },
        size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        replicas: { type: 'integer' },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
        tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
        port: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        note: { type: 'string', nullable: true },
      },
    },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, phase: { type: 'string' } },
    },
  },
};

function definition(group: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [
            { name: 'Colour', type: 'string', jsonPath: '.spec.colour' },
            { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
          ],
        },
      ],
      ...more,
    },
  };
}

/** One custom kind in the API group of this run. */
class Widgets {
  readonly api: Recorder;
  readonly group: string;
  readonly collection: string;

  constructor(api: Recorder, domain: string = 'example') {
    this.api = api;
    this.group = `${api.namespace}.${domain}.com`;
    this.collection = `/apis/${this.group}/v1/namespaces/${api.namespace}/widgets`;
  }

  object(name: string, spec: JsonObject, more: JsonObject = {}): JsonObject {
    const apiVersion = `${this.group}/v1`;
    return { apiVersion, kind: 'Widget', metadata: { name }, spec, ...more };
  }

  post(step: string, spec: JsonObject, more: JsonObject = {}): Promise<Answer> {
    const body = this.object('dry', spec, more);
    const query = { dryRun: 'All' };
    return this.api.call(step, { method: 'POST', path: this.collection, query, body });
  }
}

async function life(api: Recorder): Promise<void> {
  const widgets = new Widgets(api);
  const { collection, group } = widgets;
  const path = `${DEFINITIONS}/widgets.${group}`;
  await api.setUp({ method: 'POST', path: DEFINITIONS, body: definition(group) });
  await api.eventually('established', { path }, ({ body }) =>
    objectsAt(body, 'status', 'conditions').some(
      ({ type, status }) => type === 'Established' && status === 'True',
    ),
  );
  await api.eventually('served', { path: collection }, ({ status }) => status === 200);
  await validation(widgets);
  await objects(widgets);
  await api.call('definition goes', { method: 'DELETE', path });
  await api.eventually('definition is gone', { path }, ({ status }) => status === 404);
  await api.eventually('kind is gone', { path: collection }, ({ status }) => status === 404);
}

async function validation(widgets: Widgets): Promise<void> {
  const colour = 'red';
  await widgets.post('defaults', { colour });
  await widgets.post('unknown fields are pruned', { colour, wheels: 4 }, { extra: { a: 1 } });
  await widgets.post('free fields are kept', { colour, free: { any: { thing: [1] } } });
  await widgets.post('no colour', {});
  await widgets.post('unknown colour', { colour: 'blue' });
  await widgets.post('too big', { colour, size: 10 });
  await widgets.post('wrong type', { colour, size: 'big' });
  await widgets.post('a fraction', { colour, size: 1.5 });
  await widgets.post('bad name', { colour, name: 'A1' });
  await widgets.post('long name', { colour, name: 'abcdefg' });
  await widgets.post('many tags', { colour, tags: ['a', 'b', 'c'] });
  await widgets.post('numbers for tags', { colour, tags: [1] });
  await widgets.post('a port by name', { colour, port: 'http' });
  await widgets.post('a port that is neither', { colour, port: [] });
  await widgets.post('null', { colour, note: null, size: null });
  await widgets.post('several faults', { size: 0, tags: 'x' });
}

/** Numbers that are not integers, or too large for their format, and finalizers without a domain. */
async function numbers(api: Recorder): Promise<void> {
  const widgets = new Widgets(api, 'numbers');
  const path = `${DEFINITIONS}/widgets.${widgets.group}`;
  const [version] = objectsAt(definition(widgets.group), 'spec', 'versions');
  const spec = {
    ...schema.properties.spec.properties,
    small: { type: 'integer', format: 'int32' },
  };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: spec } },
  };
  const body = definition(widgets.group, {
    versions: [{ ...version, schema: { openAPIV3Schema } }],
  });
  await api.setUp({ method: 'POST', path: DEFINITIONS, body });
  await api.eventually('served', { path: widgets.collection }, ({ status }) => status === 200);
  const colour = 'red';
  await widgets.post('a fraction of a port', { colour, port: 1.5 });
  await widgets.post('beyond 32 bits', { colour, small: 3_000_000_000 });
  await widgets.post('a fraction of 32 bits', { colour, small: 0.5 });
  await widgets.post('beyond 64 bits', { colour, replicas: 1e30 });
  await widgets.post('more replicas than there are', { colour, replicas: 3_000_000_000 });
  await widgets.post('fewer replicas than none', { colour, replicas: -1 });
  await widgets.post('replicas by name', { colour, replicas: 'many' });
  await widgets.post('a finalizer without a domain', { colour }, finalizedBy(['hold']));
  await widgets.post('a finalizer that is no name', { colour }, finalizedBy(['not a name']));
  await api.call('definition goes', { method: 'DELETE', path });
}

const finalizedBy = (finalizers: string[]): JsonObject => ({
  metadata: { name: 'dry', finalizers },
});

async function objects(widgets: Widgets): Promise<void> {
  const { api, collection } = widgets;
  const body = widgets.object('a', { colour: 'red', replicas: 1 }, { status: { phase: 'New' } });
  await api.call('create', { method: 'POST', path: collection, body });
  const path = `${collection}/a`;
  const patch = { method: 'PATCH', path, contentType: MERGE } as const;
  await api.call('merge patch', { ...patch, body: { spec: { size: 5, colour: 'green' } } });
  await api.call('patch to a fault', { ...patch, body: { spec: { size: 50 } } });
  await api.call('patch of an unknown field', { ...patch, body: { spec: { wheels: 4 } } });
  const strategic = 'application/strategic-merge-patch+json';
  await api.call('strategic patch', { ...patch, contentType: strategic, body: { spec: {} } });
  const status = { ...patch, path: `${path}/status` };
  await api.call('status', { ...status, body: { status: { replicas: 1 }, spec: { size: 9 } } });
  await api.call('status, wrong type', { ...status, body: { status: { replicas: 'one' } } });
  await api.call('scale', { path: `${path}/scale` });
  const scale = { ...patch, path: `${path}/scale` };
  await api.call('scaled', { ...scale, body: { spec: { replicas: 4 } } });
  await api.call('table', { path, accept: TABLE });
  const query = { fieldManager: 'applier' };
  const apply = {
    method: 'PATCH',
    path,
    query,
    contentType: 'application/apply-patch+yaml',
  } as const;
  await api.call('apply conflicts', { ...apply, body: widgets.object('a', { colour: 'red' }) });
  await api.call('apply', {
    ...apply,
    body: widgets.object('a', { colour: 'green', tags: ['x'] }),
  });
  await api.call('list', { path: collection });
  const held = widgets.object('held', { colour: 'red' });
  const metadata = { name: 'held', finalizers: ['example.com/hold'] };
  await api.setUp({ method: 'POST', path: collection, body: { ...held, metadata } });
  await api.call('held', { method: 'DELETE', path: `${collection}/held` });
  const free = { metadata: { finalizers: null } };
  await api.call('let go', { ...patch, path: `${collection}/held`, body: free });
  await api.call('gone', { path: `${collection}/held` });
}

/** Definitions that the server refuses. */
async function refused(api: Recorder): Promise<void> {
  const group = `${api.namespace}.example.org`;
  const good = definition(group);
  const [version] = objectsAt(good, 'spec', 'versions');
  const post = async (step: string, more: JsonObject, over: JsonObject = {}): Promise<void> => {
    const body = { ...definition(group, more), ...over };
    const query = { dryRun: 'All' };
    await api.call(step, { method: 'POST', path: DEFINITIONS, query, body });
  };
  const versions = (change: JsonObject): JsonObject => ({ versions: [{ ...version, ...change }] });
  await post('a name of another', {}, { metadata: { name: 'other.example.org' } });
  await post('no versions', { versions: [] });
  await post('no stored version', versions({ storage: false }));
  await post('no schema', versions({ schema: null }));
  await post('a schema that is not structural', versions(withSchema({ properties: { a: {} } })));
  await post('a default that does not fit', versions(withSchema(fitting({ default: 'x' }))));
  await post('an unknown type', versions(withSchema(fitting({ type: 'colour' }))));
  await post('an unknown scope', { scope: 'Everywhere' });
  await post('a bad plural', { names: { plural: 'Not Good', kind: 'Widget' } });
  await post(
    'a column without a path',
    versions({ additionalPrinterColumns: [{ name: 'a', type: 'string' }] }),
  );
  const column = { additionalPrinterColumns: [{ name: 'a', type: 'string' }] };
  await post('a column of one version without a path', {
    versions: [version ?? {}, { ...version, name: 'v2', storage: false, ...column }],
  });
  const paths = { scale: { specReplicasPath: 'spec.n', statusReplicasPath: '.status.n' } };
  await post('a scale without a path', versions({ subresources: paths }));
}

const fitting = (over: JsonObject): JsonObject => ({
  properties: { spec: { type: 'object', properties: { n: { type: 'integer', ...over } } } },
});

function withSchema(openAPIV3Schema: JsonObject): JsonObject {
  return { schema: { openAPIV3Schema: { type: 'object', ...openAPIV3Schema } } };
}

export const customKindScenarios: readonly Scenario[] = [
  { name: 'custom-kinds life', run: life },
  { name: 'custom-kinds numbers', run: numbers },
  { name: 'custom-kinds refused', run: refused },
];
