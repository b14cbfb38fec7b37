import { expect, it } from 'vitest';

import { builtinDefinitions } from '../../objects/kinds/definitions.ts';
import { storageKey } from './change-object.ts';

const at = { namespace: 'n', name: 'a' };

it.each([
  ['ConfigMap', '/registry/configmaps/n/a'],
  ['Deployment', '/registry/deployments/n/a'],
  ['Service', '/registry/services/specs/n/a'],
  ['Endpoints', '/registry/services/endpoints/n/a'],
  ['Ingress', '/registry/ingress/n/a'],
  ['Node', '/registry/minions/a'],
  ['Namespace', '/registry/namespaces/a'],
  ['CustomResourceDefinition', '/registry/apiextensions.k8s.io/customresourcedefinitions/a'],
])('a %s is stored at %s', (kind, key) => {
  const definition = builtinDefinitions().find((each) => each.kind === kind);
  expect(definition && storageKey(definition, at)).toBe(key);
});

it('a custom object is stored under its group', () => {
  const names = { plural: 'dogs', group: 'example.com', storageName: 'dogs.example.com' };
  const key = storageKey({ ...names, custom: true, namespaced: true }, at);
  expect(key).toBe('/registry/example.com/dogs/n/a');
});
