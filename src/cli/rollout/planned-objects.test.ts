import { expect, it } from 'vitest';

import { plannedObjects } from './planned-objects.ts';

const deploymentIn = (...given: Parameters<typeof plannedObjects>) =>
  plannedObjects(...given).deployment;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { template: { spec: { volumes: [{ configMap: { defaultMode: 0644 } }] } } }
`;

it('reads the Deployment of a manifest as kubectl does, so that 0644 is 420', () => {
  expect(deploymentIn('web.yaml', DEPLOYMENT, { name: 'web' })).toMatchObject({
    spec: { template: { spec: { volumes: [{ configMap: { defaultMode: 420 } }] } } },
  });
});

it('reads a Deployment in a list, as kubectl get prints it', () => {
  const item = DEPLOYMENT.trimEnd().replaceAll('\n', '\n    ');
  const list = `apiVersion: v1\nkind: List\nitems:\n  - ${item}\n`;
  expect(deploymentIn('web.yaml', list, { name: 'web' })?.metadata).toEqual({ name: 'web' });
});

it('takes a Deployment of the namespace that the user named, or of any if none was named', () => {
  const inShop = DEPLOYMENT.replace('{ name: web }', '{ name: web, namespace: shop }');
  expect(deploymentIn('web.yaml', inShop, { name: 'web' })?.metadata?.namespace).toBe('shop');
  expect(deploymentIn('web.yaml', inShop, { name: 'web', namespace: 'shop' })).toBeDefined();
  expect(deploymentIn('web.yaml', DEPLOYMENT, { name: 'web', namespace: 'shop' })).toBeDefined();
  expect(() => deploymentIn('web.yaml', inShop, { name: 'web', namespace: 'other' })).toThrow(
    'The manifest web.yaml has no Deployment "web" in namespace "other".',
  );
});

it('refuses a manifest without the Deployment', () => {
  expect(() => deploymentIn('web.yaml', DEPLOYMENT, { name: 'shop' })).toThrow('LHR409');
});

it('refuses a manifest with Deployments of the name in several namespaces, if none was named', () => {
  const inShop = DEPLOYMENT.replace('{ name: web }', '{ name: web, namespace: shop }');
  const both = `${inShop}---\n${inShop.replace('shop', 'test')}---\n${DEPLOYMENT}`;
  expect(() => deploymentIn('web.yaml', both, { name: 'web' })).toThrow(
    'LHR410: The manifest web.yaml has several Deployments "web": in the namespaces shop, test, (none). Next: Name one with --namespace.',
  );
  const twice = `${inShop}---\n${DEPLOYMENT}`;
  expect(() => deploymentIn('web.yaml', twice, { name: 'web', namespace: 'shop' })).toThrow(
    'LHR410: The manifest web.yaml has several Deployments "web" in namespace "shop". Next: Leave only one of them in the manifest.',
  );
});

it('reads the lifecycles of the Deployment, and no others', () => {
  const lifecycle = `apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: hooks }
spec: { deploymentName: web }
`;
  const text = [
    DEPLOYMENT.replace('{ name: web }', '{ name: web, namespace: shop }'),
    lifecycle,
    lifecycle.replace('hooks', 'other').replace('deploymentName: web', 'deploymentName: shop'),
    lifecycle.replace('{ name: hooks }', '{ name: hooks, namespace: test }'),
    lifecycle.replace('lifehook.dev', 'example.com'),
    'apiVersion: lifehook.dev/v1alpha1\nkind: DeploymentLifecycle\n',
  ].join('---\n');
  const { lifecycles } = plannedObjects('web.yaml', text, { name: 'web' });
  expect(lifecycles.map(({ metadata }) => metadata)).toEqual([{ name: 'hooks' }]);
});
