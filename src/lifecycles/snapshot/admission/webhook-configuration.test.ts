import { describe, expect, it } from 'vitest';

import { webhookConfiguration } from './webhook-configuration.ts';

describe('the configuration of the webhook', () => {
  const options = { name: 'lifehook', authority: 'PEM' };

  it('never holds up a thaw: no deletions, no statuses, and no answer is a yes', () => {
    const service = { namespace: 'lifehook', name: 'controller', port: 443 };
    const [webhook] = webhookConfiguration({ ...options, client: { service } }).webhooks ?? [];
    expect(webhook).toMatchObject({
      failurePolicy: 'Ignore',
      timeoutSeconds: 2,
      sideEffects: 'None',
      clientConfig: { service: { ...service, path: '/validate' }, caBundle: btoa('PEM') },
      rules: [
        {
          operations: ['CREATE', 'UPDATE'],
          resources: ['executionhooks', 'executionhooktemplates', 'applicationsnapshots'],
        },
      ],
    });
  });

  it('can be of a program outside, and of some namespaces', () => {
    const namespaceSelector = { matchLabels: { team: 'a' } };
    const client = { url: 'https://10.0.0.1:9443' };
    const configuration = webhookConfiguration({ ...options, client, namespaceSelector });
    expect(configuration.webhooks?.[0]).toMatchObject({
      clientConfig: { url: 'https://10.0.0.1:9443/validate' },
      namespaceSelector,
    });
  });
});
