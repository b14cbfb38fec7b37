import { describe, expect, it } from 'vitest';
import { customType, listOf, number, text } from '../../../test/custom-type.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { builtinType } from '../table/builtin-type.ts';
import type { TypeNode } from '../type-node.ts';
import { compareObjects } from './compare-objects.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import { fieldsOf } from './typed-field-set.ts';
import { pathText } from './path-element.ts';

const item = customType({ name: text, port: number, tags: listOf(text, 'set') });
const custom = customType({
  spec: customType({
    size: number,
    args: listOf(text, 'atomic'),
    tags: listOf(text, 'set'),
    items: listOf(item, 'map', ['name']),
    labels: { kind: 'map', values: text, atomic: false },
    selector: { kind: 'map', values: text, atomic: true },
    anything: { kind: 'any' },
    open: { ...customType({}), preserveUnknown: true },
  }),
});

const texts = (fields: FieldSet): string[] => pathsOf(fields).map(pathText);

function compareSpecs(before: JsonObject, after: JsonObject): Record<string, string[]> {
  const { added, modified, removed } = compareObjects({ spec: before }, { spec: after }, custom);
  const reported = { added: texts(added), modified: texts(modified), removed: texts(removed) };
  return Object.fromEntries(Object.entries(reported).filter(([, list]) => list.length > 0));
}

describe('compareObjects', () => {
  it.each<[string, JsonObject, JsonObject, Record<string, string[]>]>([
    ['nothing', { size: 1, args: ['a'] }, { args: ['a'], size: 1 }, {}],
    ['a scalar', { size: 1 }, { size: 2 }, { modified: ['.spec.size'] }],
    ['a removed scalar', { size: 1 }, {}, { removed: ['.spec.size'] }],
    ['an atomic list', { args: ['a', 'b'] }, { args: ['b', 'a'] }, { modified: ['.spec.args'] }],
    [
      'an atomic map',
      { selector: { a: '1' } },
      { selector: { b: '1' } },
      { modified: ['.spec.selector'] },
    ],
    [
      'a set, regardless of its order',
      { tags: ['a', 'b'] },
      { tags: ['c', 'b'] },
      { added: ['.spec.tags[="c"]'], removed: ['.spec.tags[="a"]'] },
    ],
    [
      'a map',
      { labels: { a: '1', b: '1' } },
      { labels: { b: '2', c: '1' } },
      { added: ['.spec.labels.c'], modified: ['.spec.labels.b'], removed: ['.spec.labels.a'] },
    ],
    ['an added map', {}, { labels: { a: '1' } }, { added: ['.spec.labels', '.spec.labels.a'] }],
    ['an added empty map', {}, { labels: {} }, { added: ['.spec.labels'] }],
    [
      'no difference when items change places',
      { items: [{ name: 'a' }, { name: 'b' }] },
      { items: [{ name: 'b' }, { name: 'a' }] },
      {},
    ],
    [
      'an added item',
      { items: [] },
      { items: [{ name: 'a', port: 1 }] },
      {
        added: [
          '.spec.items[name="a"]',
          '.spec.items[name="a"].name',
          '.spec.items[name="a"].port',
        ],
      },
    ],
    [
      'a changed item',
      { items: [{ name: 'a', port: 1 }] },
      { items: [{ name: 'a', port: 2 }] },
      { modified: ['.spec.items[name="a"].port'] },
    ],
    [
      'an item that is duplicated',
      { items: [{ name: 'a', port: 1 }] },
      {
        items: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
      {
        added: ['.spec.items[name="a"]'],
        removed: [
          '.spec.items[name="a"]',
          '.spec.items[name="a"].name',
          '.spec.items[name="a"].port',
        ],
      },
    ],
    [
      'two items that are merged into one',
      { items: [{ name: 'a' }, { name: 'a' }] },
      { items: [{ name: 'a' }] },
      {
        added: ['.spec.items[name="a"]', '.spec.items[name="a"].name'],
        removed: ['.spec.items[name="a"]'],
      },
    ],
    [
      'a change in the number of duplicates',
      { tags: ['a', 'a'] },
      { tags: ['a', 'a', 'a'] },
      { modified: ['.spec.tags[="a"]'] },
    ],
    [
      'a value of any JSON type',
      { anything: { a: 1 } },
      { anything: { a: 2 } },
      { modified: ['.spec.anything'] },
    ],
    [
      'unknown fields that the schema preserves',
      { open: { a: { b: 1, c: [1] } } },
      { open: { a: { b: 2, c: [2] } } },
      { modified: ['.spec.open.a.b', '.spec.open.a.c'] },
    ],
    [
      'a text replaced by an object',
      { open: { a: 'x' } },
      { open: { a: { b: 1 } } },
      { added: ['.spec.open.a.b'], modified: ['.spec.open.a'] },
    ],
    ['null for absent in a custom resource', {}, { size: null }, { added: ['.spec.size'] }],
  ])('reports %s', (...[, before, after, expected]) => {
    expect(compareSpecs(before, after)).toEqual(expected);
  });

  it('ignores fields that a built-in type always has, and null fields', () => {
    const type = builtinType('apps', 'v1', 'Deployment') as TypeNode;
    const containers = [{ name: 'a' }];
    const added = compareObjects(
      {},
      {
        metadata: { name: 'x', creationTimestamp: null },
        spec: { strategy: { rollingUpdate: { maxSurge: 1 } }, template: { spec: { containers } } },
        status: {},
      },
      type,
    );
    expect(texts(added.added)).toEqual([
      '.metadata.name',
      '.spec.strategy.rollingUpdate',
      '.spec.strategy.rollingUpdate.maxSurge',
      '.spec.template.spec.containers[name="a"]',
      '.spec.template.spec.containers[name="a"].name',
      '.spec.template.spec.containers[name="a"].resources',
    ]);
    expect(texts(added.modified)).toEqual([]);
    const same = compareObjects({ spec: {}, status: {} }, { metadata: {} }, type);
    expect([same.added, same.modified, same.removed].flatMap(texts)).toEqual([]);
  });
});

describe('fieldsOf', () => {
  it('lists scalar fields, map keys, items, and empty fields', () => {
    const spec = {
      size: 1,
      args: ['a'],
      tags: ['x', 'y', 'y'],
      items: [{ name: 'a', tags: ['z'] }, { name: 'b' }, { name: 'b' }],
      labels: { a: '1' },
      selector: {},
      open: { a: {}, b: { c: [1] } },
      anything: null,
    };
    expect(texts(fieldsOf({ spec }, custom))).toEqual([
      '.spec.anything',
      '.spec.args',
      '.spec.selector',
      '.spec.size',
      '.spec.items[name="a"]',
      '.spec.items[name="b"]',
      '.spec.items[name="a"].name',
      '.spec.items[name="a"].tags[="z"]',
      '.spec.labels.a',
      '.spec.open.a',
      '.spec.open.b',
      '.spec.open.b.c',
      '.spec.tags[="x"]',
      '.spec.tags[="y"]',
    ]);
  });

  it('lists each field of an object of an unknown type', () => {
    expect(texts(fieldsOf({ a: { b: [1], c: 'x' } }, { kind: 'any' }))).toEqual([
      '.a',
      '.a.b',
      '.a.c',
    ]);
  });

  it('identifies an item by the default of an omitted key', () => {
    const ports = listOf(customType({ port: number, protocol: text }), 'map', ['port', 'protocol']);
    const type = customType({ ports: { ...ports, keyDefaults: { protocol: 'TCP' } } });
    expect(texts(fieldsOf({ ports: [{ port: 80 }] }, type))).toEqual([
      '.ports[port=80,protocol="TCP"]',
      '.ports[port=80,protocol="TCP"].port',
    ]);
  });
});
