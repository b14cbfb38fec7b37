import { expect, test } from 'vitest';

import { orderObjects } from './order-objects.ts';

test('namespaces and custom kinds come first, and the rest in its own order', () => {
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
