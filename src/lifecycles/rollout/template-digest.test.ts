import { describe, expect, it } from 'vitest';

import { templateDigest } from './template-digest.ts';

const spec = { containers: [{ name: 'web', image: 'web:1' }] };

describe('templateDigest', () => {
  it('is that of the template, however its fields are sorted', () => {
    const one = { metadata: { labels: { a: '1', b: '2' } }, spec };
    const other = {
      spec: { containers: [{ image: 'web:1', name: 'web' }] },
      metadata: { labels: { b: '2', a: '1' } },
    };
    expect(templateDigest(one)).toBe(templateDigest(other));
  });

  it("does not count what a ReplicaSet's copy has more", () => {
    const ours = { metadata: { labels: { app: 'web' } }, spec };
    const theirs = { metadata: { labels: { app: 'web', 'pod-template-hash': 'abc' } }, spec };
    expect(templateDigest(ours)).toBe(templateDigest(theirs));
  });

  it('does not count what says nothing: null, empty lists, maps of metadata without an entry', () => {
    const bare = { spec: { ...spec } };
    // A server writes null where nothing is.
    const creationTimestamp = null as unknown as string;
    const padded = { metadata: { creationTimestamp, labels: {} }, spec: { ...spec, volumes: [] } };
    expect(templateDigest(bare)).toBe(templateDigest(padded));
    expect(templateDigest(undefined)).toBe(templateDigest({}));
  });

  it.each([
    ['another image', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }],
    ['a note', { metadata: { annotations: { restartedAt: 'now' } }, spec }],
    ['an empty object, where there was none', { spec: { ...spec, affinity: {} } }],
    [
      'another order of containers',
      { spec: { containers: [{ name: 'b', image: 'b' }, ...spec.containers] } },
    ],
  ])('differs with %s', (_, template) => {
    expect(templateDigest(template)).not.toBe(templateDigest({ spec }));
  });
});
