import { describe, expect, it } from 'vitest';

import { webhookConfiguration } from './webhook-configuration.ts';

describe('webhookConfiguration', () => {
  const options = { name: 'lifehook', authority: 'PEM' };

  it('matches no deletion and no status, and fails open, so that it never blocks a thaw', () => {
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

  it('refuses what it cannot judge the author of, and is asked about no update that could thaw', () => {
    const client = { url: 'https://10.0.0.1:9443' };
    const [, author] = webhookConfiguration({ ...options, client }).webhooks ?? [];
    expect(author).toMatchObject({
      name: 'author.snapshot.lifehook.dev',
      failurePolicy: 'Fail',
      timeoutSeconds: 5,
      sideEffects: 'None',
      rules: [
        { operations: ['CREATE'], resources: ['executionhooks', 'applicationsnapshots'] },
        { operations: ['CREATE', 'UPDATE'], resources: ['executionhooktemplates'] },
      ],
    });
  });

  it('takes the URL of a process outside the cluster and a namespace selector', () => {
    const namespaceSelector = { matchLabels: { team: 'a' } };
    const client = { url: 'https://10.0.0.1:9443' };
    const configuration = webhookConfiguration({ ...options, client, namespaceSelector });
    expect(configuration.webhooks?.[0]).toMatchObject({
      clientConfig: { url: 'https://10.0.0.1:9443/validate' },
      namespaceSelector,
    });
  });
});
