/** A custom resource with a field of every kind: its definition, and the writes to it. */
import { builtinType } from '../../src/objects/table/builtin-type.ts';
import type { StructNode, TypeNode } from '../../src/objects/type-node.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';
import { customType, listOf, number, text } from '../custom-type.ts';
import { apply, create, force, json, merge, type Story } from './apply-steps.ts';

export const EXAMPLE_API_VERSION = 'a1.lifehook.test/v1';

const string: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const strings = (listType: string): JsonObject => ({
  type: 'array',
  items: string,
  'x-kubernetes-list-type': listType,
});

const specSchema: JsonObject = {
  type: 'object',
  properties: {
    size: { type: 'integer', nullable: true },
    args: strings('atomic'),
    tags: strings('set'),
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: string, port: integer, note: string },
      },
    },
    labels: { type: 'object', additionalProperties: string },
    selector: {
      type: 'object',
      additionalProperties: string,
      'x-kubernetes-map-type': 'atomic',
    },
    part: { type: 'object', properties: { a: string, b: string } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

export const EXAMPLE_DEFINITION: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'examples.a1.lifehook.test' },
  spec: {
    group: 'a1.lifehook.test',
    scope: 'Namespaced',
    names: { plural: 'examples', kind: 'Example' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: specSchema } } },
      },
    ],
  },
};

/** The type of the example, equal to its schema above. */
export function exampleType(): StructNode {
  const metadata = builtinType('', 'v1', 'ConfigMap')?.field('metadata');
  const item = customType({ name: text, port: number, note: text });
  const map: TypeNode = { kind: 'map', values: text, atomic: false };
  return customType({
    apiVersion: text,
    kind: text,
    metadata: metadata ?? { kind: 'any' },
    spec: customType({
      size: number,
      args: listOf(text, 'atomic'),
      tags: listOf(text, 'set'),
      items: listOf(item, 'map', ['name']),
      labels: map,
      selector: { ...map, atomic: true },
      part: customType({ a: text, b: text }),
      open: { ...customType({}), preserveUnknown: true },
    }),
  });
}

const spec = (fields: JsonObject): JsonObject => ({ spec: fields });
const items = (...list: JsonObject[]): JsonObject => spec({ items: list });

export const exampleStories: readonly Story[] = [
  [
    'an object that is created, patched and applied',
    create('a', spec({ size: 1, tags: ['x'], labels: { k: '1', l: '1' }, open: { p: [1] } })),
    merge('b', spec({ size: 2, labels: { l: null, m: '1' }, open: { r: 'x' } })),
    apply('c', spec({ size: 2, tags: ['y'], open: { s: 1 } })),
    apply('c', {}),
  ],
  [
    'list items merged by their key',
    apply('a', items({ name: 'p', port: 1 }, { name: 'q', port: 1 })),
    apply('b', items({ name: 'p', note: 'n' }, { name: 'r' })),
    apply('a', items({ name: 'q', port: 2 })),
    json('c', { op: 'replace', path: '/spec/items/0/note', value: 'm' }),
    apply('b', items({ name: 'p', note: 'n' })),
    apply('b', {}),
  ],
  [
    'atomic lists, sets and atomic maps',
    apply('a', spec({ args: ['x'], tags: ['x'], selector: { a: '1' } })),
    apply('b', spec({ args: ['y'], tags: ['y'], selector: { b: '1' } })),
    force('b', spec({ args: ['y'], tags: ['y'], selector: { b: '1' } })),
    apply('a', {}),
  ],
  [
    'fields of one object by two managers',
    apply('a', spec({ part: { a: '1' } })),
    apply('b', spec({ part: { b: '1' } })),
    apply('a', {}),
    merge('c', spec({ part: null })),
  ],
  ['null', apply('a', spec({ size: null })), apply('a', spec({ size: 1 }))],
  [
    'unknown fields that the schema preserves',
    apply('a', spec({ open: { x: 1, z: ['a'] } })),
    apply('b', spec({ open: { w: 1 } })),
    apply('b', spec({ open: { z: ['b'] } })),
    merge('c', spec({ open: { x: 'text' } })),
  ],
];
