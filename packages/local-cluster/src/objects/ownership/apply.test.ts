import { describe, expect, it } from 'vitest';
import {
  applied,
  attempt,
  exampleKind,
  exampleType,
  LATER,
  NOW,
  owners,
  played,
} from '../../../test/apply-example.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { recordUpdate } from './update.ts';

describe('applyServerSide', () => {
  it('creates an object that its manager owns', () => {
    expect(applied({ by: 'a', spec: { size: 1, tags: ['x'] } })).toEqual({
      ...exampleKind,
      metadata: {
        name: 'x',
        managedFields: [
          {
            manager: 'a',
            operation: 'Apply',
            apiVersion: 'example.dev/v1',
            time: NOW,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:size': {}, 'f:tags': { 'v:"x"': {} } } },
          },
        ],
      },
      spec: { size: 1, tags: ['x'] },
    });
  });

  it.each<[string, (readonly [string, JsonObject])[], JsonObject]>([
    [
      'removes a field that its manager no longer applies',
      [
        ['a', { size: 1, args: ['x'] }],
        ['a', { size: 1 }],
      ],
      { size: 1 },
    ],
    [
      'removes items and fields of items that are no longer applied',
      [
        ['a', { items: [{ name: 'p', port: 1 }, { name: 'q' }] }],
        ['a', { items: [{ name: 'p' }] }],
      ],
      { items: [{ name: 'p' }] },
    ],
    [
      'removes members of sets that are no longer applied',
      [
        ['a', { tags: ['x', 'y'] }],
        ['b', { tags: ['z'] }],
        ['a', { tags: ['y'] }],
      ],
      { tags: ['y', 'z'] },
    ],
    [
      'keeps a field that another manager owns too',
      [
        ['a', { size: 1 }],
        ['b', { size: 1 }],
        ['a', {}],
      ],
      { size: 1 },
    ],
    [
      'keeps an item of which another manager owns a field',
      [
        ['a', { items: [{ name: 'p', port: 1 }] }],
        ['b', { items: [{ name: 'p', note: 'n' }] }],
        ['a', {}],
      ],
      { items: [{ name: 'p', note: 'n' }] },
    ],
    [
      'merges maps and items, and replaces atomic lists',
      [
        ['a', { labels: { a: '1' }, items: [{ name: 'p' }], args: ['x'] }],
        ['b', { labels: { b: '1' }, items: [{ name: 'p', port: 1 }, { name: 'q' }], args: ['y'] }],
      ],
      { labels: { a: '1', b: '1' }, items: [{ name: 'p', port: 1 }, { name: 'q' }], args: ['y'] },
    ],
    [
      'uses the applied order, with other items in between',
      [
        ['a', { tags: ['a', 'x', 'b', 'y'] }],
        ['b', { tags: ['b', 'a', 'c'] }],
      ],
      { tags: ['x', 'b', 'y', 'a', 'c'] },
    ],
    [
      'keeps an empty object that is applied',
      [
        ['a', { labels: { a: '1' } }],
        ['a', { labels: {} }],
      ],
      { labels: {} },
    ],
    [
      'applies null to a field that may be null',
      [
        ['a', { size: 1 }],
        ['a', { size: null }],
      ],
      { size: null },
    ],
    [
      'merges unknown fields that the schema preserves',
      [
        ['a', { open: { a: { b: 1 } } }],
        ['b', { open: { a: { c: [1] } } }],
        ['a', {}],
      ],
      { open: { a: { c: [1] } } },
    ],
  ])('%s', (_title, steps, spec) => {
    expect(played(...steps)['spec']).toEqual(spec);
  });

  it('shares a field that two managers apply with the same value', () => {
    const live = played(['a', { size: 1 }], ['b', { size: 1 }]);
    expect(owners(live)).toEqual({ 'a Apply': { 'f:size': {} }, 'b Apply': { 'f:size': {} } });
  });

  it('conflicts when another manager owns a field with another value, and changes nothing', () => {
    const live = applied({
      by: 'a',
      spec: { size: 1, args: ['x'], tags: ['x'], labels: { l: '1' } },
    });
    const before = structuredClone(live);
    const spec = { size: 2, args: ['x', 'y'], tags: ['y'], labels: { l: '2', m: '1' } };
    const result = attempt({ live, by: 'b', spec });
    const conflict = {
      manager: 'a',
      operation: 'Apply',
      apiVersion: 'example.dev/v1',
      subresource: '',
      time: NOW,
    };
    expect(result).toEqual({
      kind: 'conflicts',
      conflicts: ['.spec.args', '.spec.size', '.spec.labels.l'].map((field) => ({
        ...conflict,
        field,
      })),
    });
    expect(live).toEqual(before);
  });

  it('takes ownership of changed fields only when forced', () => {
    const live = played(['a', { size: 1, tags: ['x'] }], ['b', { size: 2, tags: ['x'] }]);
    expect(owners(live)).toEqual({
      'a Apply': { 'f:tags': { 'v:"x"': {} } },
      'b Apply': { 'f:size': {}, 'f:tags': { 'v:"x"': {} } },
    });
  });

  it('conflicts with the manager of an update, and keeps fields that were never applied', () => {
    const first = applied({ by: 'a', spec: { size: 1 } });
    const next = { ...first, spec: { size: 3, args: ['x'] } };
    const common = {
      type: exampleType,
      apiVersion: exampleKind.apiVersion,
      subresource: '',
    } as const;
    const live = recordUpdate({ ...common, live: first, next, manager: 'u', now: LATER });
    expect(attempt({ live, by: 'a', spec: { size: 1 } })).toMatchObject({
      kind: 'conflicts',
      conflicts: [{ manager: 'u', operation: 'Update', time: LATER, field: '.spec.size' }],
    });
    expect(applied({ live, by: 'a', spec: {} })['spec']).toEqual({ size: 3, args: ['x'] });
  });

  it('keeps unowned fields of a shared item, and conflicts over owned fields that are absent', () => {
    const common = {
      type: exampleType,
      apiVersion: exampleKind.apiVersion,
      subresource: '',
    } as const;
    const shared = played(
      ['a', { size: 1, items: [{ name: 'p', port: 1 }] }],
      ['b', { items: [{ name: 'p' }] }],
    );
    const next = { ...shared, spec: { items: [{ name: 'p', port: 1, note: 'n' }] } };
    const live = recordUpdate({
      ...common,
      live: shared,
      next,
      manager: 'u',
      now: NOW,
      ignore: [['spec']],
    });
    expect(applied({ live, by: 'a', spec: {} })['spec']).toEqual({
      items: [{ name: 'p', note: 'n' }],
    });
    expect(attempt({ live, by: 'b', spec: { size: 2 } })).toMatchObject({
      conflicts: [{ manager: 'a', field: '.spec.size' }],
    });
  });

  it('replaces several items with the same key by one', () => {
    const doubled = { items: [{ name: 'p', port: 1 }, { name: 'q' }, { name: 'p', port: 2 }] };
    const live = { ...exampleKind, metadata: { name: 'x' }, spec: doubled };
    const object = applied({
      live,
      by: 'a',
      spec: { items: [{ name: 'p', note: 'n' }] },
      force: true,
    });
    expect(object['spec']).toEqual({ items: [{ name: 'p', note: 'n' }, { name: 'q' }] });
  });

  it('lists Apply entries before Update entries, in any order of time', () => {
    const common = {
      type: exampleType,
      apiVersion: exampleKind.apiVersion,
      subresource: '',
    } as const;
    const next = { ...exampleKind, metadata: { name: 'x' }, spec: { size: 1 } };
    const live = recordUpdate({ ...common, live: undefined, next, manager: 'a', now: NOW });
    const object = applied({ live, by: 'b', spec: { args: ['x'] }, now: LATER });
    expect(Object.keys(owners(object))).toEqual(['b Apply', 'a Update']);
  });

  it('returns the live object itself when nothing changes', () => {
    const live = played(['a', { size: 1, tags: ['x'] }], ['b', { args: [] }]);
    const result = attempt({ live, by: 'a', spec: { tags: ['x'], size: 1 }, now: LATER });
    expect(result.kind === 'applied' && result.object).toBe(live);
  });

  it('sets a new time on an entry only when the object changed', () => {
    const live = played(['a', { size: 1 }], ['b', { size: 1 }]);
    const object = applied({ live, by: 'b', spec: { size: 1, tags: [] }, now: LATER });
    const again = applied({ live: object, by: 'c', spec: { size: 1 }, now: LATER });
    const times = ((again['metadata'] as JsonObject)['managedFields'] as JsonObject[]).map(
      ({ manager, time }) => [manager, time],
    );
    expect(times).toEqual([
      ['c', undefined],
      ['a', NOW],
      ['b', LATER],
    ]);
  });
});
