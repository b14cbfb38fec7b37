import { expect, test } from 'vitest';

import { orderObjects } from './find-kinds.ts';

test('orderObjects puts namespaces and CustomResourceDefinitions first, and keeps the order of the rest', () => {
  const kinds = [
    'Service',
    'CustomResourceDefinition',
    'Pod',
    'Namespace',
    'Deployment',
    'Namespace',
  ];
  const objects = kinds.map((kind, index) => ({ kind, metadata: { name: String(index) } }));
  expect(
    orderObjects(objects)
      .map(({ metadata }) => metadata.name)
      .join(''),
  ).toBe('351024');
});
