import { describe, expect, it } from 'vitest';

import { templateDigest } from './template-digest.ts';

const spec = { containers: [{ name: 'web', image: 'web:1' }] };

describe('templateDigest', () => {
  it('is the same for each order of the fields', () => {
    const one = { metadata: { labels: { a: '1', b: '2' } }, spec };
    const other = {
      spec: { containers: [{ image: 'web:1', name: 'web' }] },
      metadata: { labels: { b: '2', a: '1' } },
    };
    expect(templateDigest(one)).toBe(templateDigest(other));
  });

  it('ignores the pod-template-hash of a ReplicaSet', () => {
    const ours = { metadata: { labels: { app: 'web' } }, spec };
    const theirs = { metadata: { labels: { app: 'web', 'pod-template-hash': 'abc' } }, spec };
    expect(templateDigest(ours)).toBe(templateDigest(theirs));
  });

  it('ignores null, empty lists and empty maps in the metadata', () => {
    const bare = { spec: { ...spec } };
    // A server writes null where nothing is.
    const creationTimestamp = null as unknown as string;
    const padded = { metadata: { creationTimestamp, labels: {} }, spec: { ...spec, volumes: [] } };
    expect(templateDigest(bare)).toBe(templateDigest(padded));
    expect(templateDigest(undefined)).toBe(templateDigest({}));
  });

  it.each([
    ['another image', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }],
    ['an annotation', { metadata: { annotations: { restartedAt: 'now' } }, spec }],
    ['an added empty object', { spec: { ...spec, affinity: {} } }],
    [
      'another order of containers',
      { spec: { containers: [{ name: 'b', image: 'b' }, ...spec.containers] } },
    ],
  ])('differs with %s', (_, template) => {
    expect(templateDigest(template)).not.toBe(templateDigest({ spec }));
  });
});
