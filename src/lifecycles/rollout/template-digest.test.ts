import { describe, expect, it } from 'vitest';

import { canonicalDigest, templateDigest } from './template-digest.ts';

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
    const foreign = { metadata: { labels: { app: 'web', 'pod-template-hash': 'abc' } }, spec };
    expect(templateDigest(ours)).toBe(templateDigest(foreign));
  });

  it('ignores null, empty lists and empty maps in the metadata', () => {
    const bare = { spec: { ...spec } };
    // A server writes null for an empty creationTimestamp.
    const creationTimestamp = null as unknown as string;
    const padded = { metadata: { creationTimestamp, labels: {} }, spec: { ...spec, volumes: [] } };
    expect(templateDigest(bare)).toBe(templateDigest(padded));
    expect(templateDigest(undefined)).toBe(templateDigest({}));
  });

  it('ignores null in a list and in a field, and distinguishes values in different places', () => {
    const withArgs = (args: unknown): string =>
      templateDigest({ spec: { containers: [{ name: 'web', args: args as string[] }] } });
    expect(withArgs(null)).toBe(withArgs([]));
    expect(withArgs(undefined)).toBe(withArgs([]));
    expect(withArgs(['a', 'b'])).not.toBe(withArgs(['b', 'a']));
    expect(withArgs([null, 'a'])).not.toBe(withArgs(['a']));
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

describe('canonicalDigest', () => {
  it('is the same for each order of the fields, and for a field that says nothing', () => {
    const one = canonicalDigest({ b: 1, a: { d: [1, 2], c: 'x' } });
    expect(canonicalDigest({ a: { c: 'x', d: [1, 2], e: [] }, b: 1, f: null })).toBe(one);
    expect(canonicalDigest({ a: { c: 'x', d: [2, 1] }, b: 1 })).not.toBe(one);
  });

  it('distinguishes nothing from an empty object, and one value from another', () => {
    const digests = [undefined, {}, 0, 1, '', '1', true].map(canonicalDigest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(canonicalDigest(null)).toBe(canonicalDigest(undefined));
  });
});
