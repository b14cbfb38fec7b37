import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { builtinType } from '../table/builtin-type.ts';
import type { TypeNode } from '../type-node.ts';
import { MAX_UPDATERS, recordUpdate, type UpdateRecord } from './update.ts';

const configMap = builtinType('', 'v1', 'ConfigMap') as TypeNode;
const NOW = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T00:00:05Z';

function record(
  options: Partial<UpdateRecord> & { next: JsonObject; manager: string },
): JsonObject {
  return recordUpdate({
    live: undefined,
    type: configMap,
    apiVersion: 'v1',
    now: NOW,
    subresource: '',
    ...options,
  });
}

const withData = (object: JsonObject, data: JsonObject): JsonObject => ({ ...object, data });

const bare = (data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', labels: { l: '1' } },
  data,
});

function entries(object: JsonObject): JsonObject[] {
  return ((object['metadata'] as JsonObject)['managedFields'] ?? []) as JsonObject[];
}

function withEntries(object: JsonObject, managedFields: Json): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), managedFields } };
}

const owned = (object: JsonObject): Json[][] =>
  entries(object).map(({ manager = null, time = null, fieldsV1 = null }) => [
    manager,
    time,
    fieldsV1,
  ]);

describe('recordUpdate', () => {
  const created = record({ next: bare({ a: '1', b: '1' }), manager: 'one' });

  it('drops entries of the same object in another API group, not in another version', () => {
    const under = (apiVersion: string): Json[] => {
      const next = withData(created, { a: '2', b: '1' });
      const after = record({ live: created, next, manager: 'two', apiVersion, now: LATER });
      return entries(after).map(({ manager = null }) => manager);
    };
    expect(under('v2')).toEqual(['one', 'two']);
    expect(under('other.example.com/v1')).toEqual(['two']);
  });

  it('makes the creator own all fields that it sets, except those of the server', () => {
    expect(entries(created)).toEqual([
      {
        manager: 'one',
        operation: 'Update',
        apiVersion: 'v1',
        time: NOW,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:data': { '.': {}, 'f:a': {}, 'f:b': {} },
          'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
        },
      },
    ]);
  });

  it('gives ownership of a field to the manager that changes or adds it', () => {
    const next = withData(created, { a: '2', b: '1', c: '1' });
    const changed = record({ live: created, next, manager: 'two', now: LATER });
    expect(owned(changed)).toEqual([
      [
        'one',
        NOW,
        { 'f:data': { '.': {}, 'f:b': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
      ],
      ['two', LATER, { 'f:data': { 'f:a': {}, 'f:c': {} } }],
    ]);
    const back = record({
      live: changed,
      next: withData(changed, { a: '2', b: '1', c: '2' }),
      manager: 'one',
      now: LATER,
    });
    expect(owned(back)).toEqual([
      [
        'one',
        LATER,
        {
          'f:data': { '.': {}, 'f:b': {}, 'f:c': {} },
          'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
        },
      ],
      ['two', LATER, { 'f:data': { 'f:a': {} } }],
    ]);
  });

  it('removes a deleted field from all owners, and entries without fields', () => {
    const two = record({
      live: created,
      next: withData(created, { a: '1', b: '2' }),
      manager: 'two',
    });
    const { data: _, ...without } = two;
    const deleted = record({ live: two, next: without, manager: 'three', now: LATER });
    expect(owned(deleted)).toEqual([
      ['one', NOW, { 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } }],
    ]);
  });

  it('changes nothing when the object is unchanged', () => {
    expect(record({ live: created, next: created, manager: 'two', now: LATER })).toEqual(created);
  });

  it('ignores fields that the endpoint does not write', () => {
    const next = withData(created, { a: '2', b: '1' });
    expect(record({ live: created, next, manager: 'two', ignore: [['data']] })).toEqual(next);
  });

  it('names an empty manager "unknown", and records the subresource', () => {
    const next = withData(created, { a: '1', b: '2' });
    const object = record({ live: created, next, manager: '', subresource: 'status' });
    expect(entries(object)[1]).toMatchObject({ manager: 'unknown', subresource: 'status' });
  });

  it.each<[string, Json]>([
    ['an empty list', []],
    ['a list with one empty entry', [{}]],
  ])('drops all ownership for %s, until the next apply', (_title, managedFields) => {
    const next = withEntries(withData(created, { a: '2' }), managedFields);
    const reset = record({ live: created, next, manager: 'two' });
    expect(reset['metadata']).toEqual({ name: 'x', labels: { l: '1' } });
    const later = record({ live: reset, next: withData(reset, { a: '3' }), manager: 'two' });
    expect(entries(later)).toEqual([]);
  });

  it.each<[string, Json]>([
    ['are absent', null],
    [
      'have an unknown operation',
      [{ manager: 'm', operation: 'Other', apiVersion: 'v1', fieldsType: 'FieldsV1' }],
    ],
    ['have no version', [{ manager: 'm', operation: 'Update', fieldsType: 'FieldsV1' }]],
    [
      'have an unknown format',
      [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2' }],
    ],
    [
      'have unreadable fields',
      [
        {
          manager: 'm',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { a: {} },
        },
      ],
    ],
    ['are not a list', 'x'],
  ])('keeps the live entries when the entries of the request %s', (_title, managedFields) => {
    const next = withEntries(created, managedFields);
    expect(entries(record({ live: created, next, manager: 'two' }))).toEqual(entries(created));
  });

  it('accepts entries that a client writes, but not through a subresource', () => {
    const [entry = {}] = entries(created);
    const next = withEntries(created, [{ ...entry, manager: 'renamed' }]);
    expect(entries(record({ live: created, next, manager: 'two' }))).toMatchObject([
      { manager: 'renamed' },
    ]);
    const status = record({ live: created, next, manager: 'two', subresource: 'status' });
    expect(entries(status)).toEqual(entries(created));
  });

  it('keeps at most the maximum number of updaters, and merges the oldest', () => {
    let live = created;
    for (let at = 0; at < MAX_UPDATERS + 3; at++) {
      const data = { ...(live['data'] as JsonObject), [`k${at}`]: '1' };
      const now = `2026-01-01T00:01:${String(at).padStart(2, '0')}Z`;
      live = record({ live, next: withData(live, data), manager: `m${at}`, now });
    }
    expect(entries(live)).toHaveLength(MAX_UPDATERS);
    const [gathered] = entries(live);
    expect(gathered).toMatchObject({ manager: 'ancient-changes', time: '2026-01-01T00:01:03Z' });
    expect((gathered as { fieldsV1?: JsonObject }).fieldsV1?.['f:data']).toEqual({
      '.': {},
      'f:a': {},
      'f:b': {},
      'f:k0': {},
      'f:k1': {},
      'f:k2': {},
      'f:k3': {},
    });
  });

  it('does not modify its input', () => {
    const next = withData(created, { a: '2' });
    const before = structuredClone([created, next]);
    record({ live: created, next, manager: 'two' });
    expect([created, next]).toEqual(before);
  });
});
