import type { JsonObject } from '../../../../src/kube/object.ts';
import {
  apply,
  create,
  data,
  force,
  json,
  labels,
  merge,
  replace,
  strategic,
  type Story,
} from './apply-steps.ts';

export const configMapStories: readonly Story[] = [
  ['the same apply twice', apply('a', data({ x: '1' })), apply('a', data({ x: '1' }))],
  [
    'a key that its manager stops applying',
    apply('a', data({ x: '1', y: '2' })),
    apply('a', data({ x: '1' })),
  ],
  ['all data that its manager stops applying', apply('a', data({ x: '1' })), apply('a', {})],
  [
    'a shared value',
    apply('a', data({ x: '1' })),
    apply('b', data({ x: '1' })),
    apply('a', {}),
    apply('b', {}),
  ],
  ['a conflict', apply('a', data({ x: '1', y: '1' })), apply('b', data({ x: '2', y: '1' }))],
  ['two conflicts', apply('a', data({ x: '1', y: '1' })), apply('b', data({ x: '2', y: '2' }))],
  [
    'conflicts with two managers',
    apply('a', data({ x: '1' })),
    apply('b', data({ y: '1' })),
    apply('c', data({ x: '2', y: '2' })),
  ],
  [
    'a conflict forced',
    apply('a', data({ x: '1', y: '1' })),
    force('b', data({ x: '2' })),
    apply('a', data({ y: '1' })),
  ],
  [
    'all data taken over by another manager',
    apply('a', data({ x: '1' })),
    force('b', data({ x: '2' })),
    apply('b', {}),
  ],
  [
    'apply after create',
    create('a', data({ x: '1' })),
    apply('b', data({ x: '1', y: '2' })),
    apply('b', data({ x: '1' })),
    apply('b', {}),
  ],
  [
    'a conflict with a creator',
    create('a', data({ x: '1' })),
    apply('b', data({ x: '2' })),
    force('b', data({ x: '2' })),
  ],
  [
    'a patch takes a key from an applier',
    apply('a', data({ x: '1', y: '1' })),
    merge('b', data({ x: '2' })),
    apply('a', data({ x: '1', y: '1' })),
    force('a', data({ x: '1', y: '1' })),
  ],
  [
    'a patch removes a key',
    apply('a', data({ x: '1', y: '1' })),
    merge('b', data({ x: null })),
    apply('a', data({ x: '1', y: '1' })),
  ],
  ['a patch removes everything', apply('a', data({ x: '1' })), merge('b', { data: null })],
  ['a patch that changes nothing', create('a', data({ x: '1' })), merge('b', data({ x: '1' }))],
  [
    'labels of several managers',
    apply('a', labels({ p: '1' })),
    apply('b', labels({ q: '1' })),
    merge('c', labels({ q: '2', r: '1' })),
    apply('b', {}),
  ],
  [
    'finalizers as a set',
    apply('a', { metadata: { finalizers: ['a.test/x'] } }),
    apply('b', { metadata: { finalizers: ['a.test/y'] } }),
    apply('a', { metadata: { finalizers: ['a.test/z'] } }),
    json('c', { op: 'remove', path: '/metadata/finalizers' }),
    apply('b', {}),
  ],
  [
    'binary data and immutable',
    apply('a', { binaryData: { b: 'AAEC' }, immutable: false }),
    apply('a', { immutable: true }),
  ],
  [
    'managed fields written by a client',
    apply('a', data({ x: '1' })),
    replace('b', (live) => ({
      ...live,
      metadata: { ...(live['metadata'] as JsonObject), managedFields: [{}] },
    })),
    apply('c', data({ y: '1' })),
  ],
  [
    'managed fields reset by a patch',
    apply('a', data({ x: '1' })),
    json(
      'b',
      { op: 'replace', path: '/metadata/managedFields', value: [{}] },
      { op: 'add', path: '/data/y', value: '1' },
    ),
    merge('c', data({ z: '1' })),
  ],
  [
    'managed fields omitted by a client',
    apply('a', data({ x: '1' })),
    replace('b', (live) => ({
      ...live,
      data: { x: '1', y: '2' },
      metadata: { ...(live['metadata'] as JsonObject), managedFields: null },
    })),
  ],
  [
    'invalid managed fields',
    apply('a', data({ x: '1' })),
    merge('b', {
      metadata: { managedFields: [{ manager: 'm', operation: 'Other', apiVersion: 'v1' }] },
      data: { y: '1' },
    }),
  ],
  [
    'managed fields in an apply',
    apply('a', { metadata: { managedFields: [] } }),
    apply('a', { metadata: { managedFields: [{ manager: 'm' }] } }),
  ],
  [
    'an unknown field, and a value of the wrong kind',
    apply('a', { daat: { x: '1' } }),
    apply('a', data({ x: 1 })),
    apply('a', { data: ['x'] }),
  ],
  [
    'eleven updaters',
    create('m0', data({ k: '0' })),
    ...Array.from({ length: 12 }, (_, at) => merge(`m${at + 1}`, data({ [`k${at}`]: '1' }))),
  ],
  [
    'kubectl follows its own client-side apply',
    create('kubectl-client-side-apply', {
      metadata: {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration':
            '{"apiVersion":"v1","data":{"x":"1","y":"1"},"kind":"ConfigMap","metadata":{"annotations":{}}}\n',
        },
      },
      data: { x: '1', y: '1' },
    }),
    apply('other', data({ x: '2' })),
    apply('kubectl', data({ x: '2' })),
    apply('kubectl', data({ x: '2', y: '1' })),
  ],
  [
    'patches that fail',
    create('a', data({ x: '1' })),
    json('a', { op: 'test', path: '/data/x', value: '2' }),
    json('a', { op: 'remove', path: '/data/y' }),
    json('a', { op: 'add', path: '/a/b/c', value: 1 }),
    { do: 'patch', by: 'a', type: 'json', body: { op: 'add' } },
    { do: 'patch', by: 'a', type: 'json', body: ['x'] },
    merge('a', [1, { a: null }]),
    strategic('a', [1]),
    strategic('a', { metadata: { $patch: 'x' } }),
    strategic('a', { metadata: { $retainKeys: ['x'], labels: {} } }),
    strategic('a', { metadata: { '$setElementOrder/finalizers': 3 } }),
  ],
];
