import { expect, test } from 'vitest';

import { only, POD, render, stand } from '../../../../test/fixtures/pipeline/render-stand.ts';

test('manifests of kustomize are rendered by kubectl', { tags: 'kubectl' }, async () => {
  const s = stand();
  s.write('base/kustomization.yaml', 'namePrefix: x-\nresources: [a.yaml]\n');
  s.write('base/a.yaml', POD);
  const kustomize = { paths: ['base'], buildArgs: [] };
  const { objects } = only(await render(s, { kustomize }));
  expect(objects.map(({ metadata }) => metadata?.name)).toEqual(['x-web']);
});
