import { describe, expect, it } from 'vitest';

import { sameTemplate, templateHash, withoutHash } from './template.ts';

const spec = { containers: [{ name: 'c', image: 'i' }] };

describe('a pod template', () => {
  it('equals one with any hash label, and with empty maps', () => {
    const plain = { metadata: { labels: { app: 'web' } }, spec };
    const labels = { app: 'web', 'pod-template-hash': 'abc' };
    expect(sameTemplate(plain, { metadata: { labels, annotations: {} }, spec })).toBe(true);
    expect(withoutHash({ metadata: { labels }, spec })).toEqual(plain);
  });

  it('differs with another label, annotation or image', () => {
    const metadata = { labels: { app: 'web' } };
    const before = { metadata, spec };
    expect(sameTemplate(before, { metadata: { labels: { app: 'api' } }, spec })).toBe(false);
    expect(sameTemplate(before, { metadata: { ...metadata, annotations: { a: '' } }, spec })).toBe(
      false,
    );
    const image = { containers: [{ name: 'c', image: 'j' }] };
    expect(sameTemplate(before, { metadata, spec: image })).toBe(false);
  });

  it('has a hash that ignores the order of fields, and changes with the collision count', () => {
    const turned = { spec: { containers: [{ image: 'i', name: 'c' }] } };
    expect(templateHash({ spec }, undefined)).toBe(templateHash(turned, undefined));
    const hashes = [undefined, 0, 1, 2].map((count) => templateHash({ spec }, count));
    expect(new Set(hashes).size).toBe(4);
    for (const hash of hashes) expect(hash).toMatch(/^[4-9bcdf]{1,10}$/);
  });
});
