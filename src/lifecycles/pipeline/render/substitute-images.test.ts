import { describe, expect, test } from 'vitest';

import { substituteImages } from './substitute-images.ts';

const references = new Map([
  ['web', 'localhost:5000/web:v1'],
  ['ghcr.io/acme/db', 'ghcr.io/acme/db:v2@sha256:00'],
]);

function imageOf(image: string): string {
  const { value } = substituteImages({ spec: { containers: [{ name: 'a', image }] } }, references);
  return value.spec.containers[0]?.image ?? '';
}

describe('built images in manifests', () => {
  test.each([
    ['web', 'localhost:5000/web:v1'],
    ['web:old', 'localhost:5000/web:v1'],
    ['web-db', 'web-db'],
    ['acme/web', 'acme/web'],
    ['localhost:5000/web', 'localhost:5000/web'],
    ['web@sha256:11', 'web@sha256:11'],
    ['ghcr.io/acme/db', 'ghcr.io/acme/db:v2@sha256:00'],
    ['ghcr.io/acme/db:v2@sha256:00', 'ghcr.io/acme/db:v2@sha256:00'],
  ])('%s becomes %s', (image, expected) => {
    expect(imageOf(image)).toBe(expected);
  });

  test('are set in every list of containers in any kind, and nowhere else', () => {
    const pod = {
      containers: [{ image: 'web' }],
      initContainers: [{ image: 'web:x' }],
      ephemeralContainers: [{ image: 'web' }],
    };
    const object = {
      kind: 'Strange',
      spec: { image: 'web', deep: [{ template: { spec: pod } }], containers: { image: 'web' } },
    };
    const before = structuredClone(object);
    const { value, used } = substituteImages(object, references);
    const meant = { image: 'localhost:5000/web:v1' };
    expect(value).toEqual({
      kind: 'Strange',
      spec: {
        image: 'web',
        deep: [
          {
            template: {
              spec: { containers: [meant], initContainers: [meant], ephemeralContainers: [meant] },
            },
          },
        ],
        containers: { image: 'web' },
      },
    });
    expect(object).toEqual(before);
    expect([...used]).toEqual(['web']);
  });

  test('are reported as pinned when a manifest names another digest', () => {
    const object = { containers: [{ image: 'web@sha256:11' }] };
    expect([...substituteImages(object, references).pinned]).toEqual(['web@sha256:11']);
  });

  test('are the same when they are substituted twice', () => {
    const own = new Map([['web', 'web:v1']]);
    const once = substituteImages({ containers: [{ image: 'web' }] }, own).value;
    const twice = substituteImages(once, own);
    expect(twice.value).toEqual(once);
    expect(twice.used.has('web')).toBe(true);
  });
});
