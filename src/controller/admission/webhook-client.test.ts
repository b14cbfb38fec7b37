import { describe, expect, it } from 'vitest';

import { configurationParts, ourRule, webhookAt } from './webhook-client.ts';

const service = { namespace: 'lifehook', name: 'webhook', port: 443 };
const options = { name: 'lifehook-gate', client: { service }, authority: 'PEM' };
const caBundle = 'UEVN';

describe('a webhook configuration', () => {
  it('has its name and the label of Lifehook', () => {
    expect(configurationParts(options)).toEqual({
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name: 'lifehook-gate', labels: { 'app.kubernetes.io/name': 'lifehook' } },
    });
  });

  it('is called in all namespaces, at a path of the service, also for other versions of a kind', () => {
    expect(webhookAt('/gate', options)).toEqual({
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { ...service, path: '/gate' }, caBundle },
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
    });
  });

  it('is called at a path of the URL, only in the selected namespaces', () => {
    const namespaceSelector = { matchLabels: { team: 'shop' } };
    const client = { url: 'https://10.0.0.1:9443' };
    expect(webhookAt('/gate', { ...options, client, namespaceSelector })).toMatchObject({
      clientConfig: { url: 'https://10.0.0.1:9443/gate', caBundle },
      namespaceSelector,
    });
  });

  it('has a rule for namespaced objects of our group', () => {
    expect(ourRule(['hookruns'], 'CREATE', 'UPDATE')).toEqual({
      apiGroups: ['lifehook.dev'],
      apiVersions: ['v1alpha1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['hookruns'],
      scope: 'Namespaced',
    });
  });
});
