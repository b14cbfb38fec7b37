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
          resources: [
            'executionhooks',
            'executionhooktemplates',
            'applicationsnapshots',
            'snapshotschedules',
            'snapshotrestores',
            'snapshotguards',
          ],
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
        {
          operations: ['CREATE'],
          resources: ['executionhooks', 'applicationsnapshots', 'snapshotrestores'],
        },
        {
          operations: ['CREATE', 'UPDATE'],
          resources: ['executionhooktemplates', 'snapshotschedules', 'snapshotguards'],
        },
      ],
    });
  });

  it('asks the guards about new snapshots in the namespaces that are enabled, and refuses without them (SNAP-W1)', () => {
    const client = { url: 'https://10.0.0.1:9443' };
    const namespaceSelector = { matchLabels: { team: 'a' } };
    const [, , guard] =
      webhookConfiguration({ ...options, client, namespaceSelector }).webhooks ?? [];
    expect(guard).toMatchObject({
      name: 'guard.lifehook.dev',
      failurePolicy: 'Fail',
      timeoutSeconds: 30,
      sideEffects: 'NoneOnDryRun',
      clientConfig: { url: 'https://10.0.0.1:9443/guard-snapshots' },
      namespaceSelector: { matchLabels: { team: 'a', 'lifehook.dev/snapshot-guard': 'enabled' } },
      rules: [
        {
          apiGroups: ['snapshot.storage.k8s.io'],
          operations: ['CREATE'],
          resources: ['volumesnapshots'],
        },
        {
          apiGroups: ['groupsnapshot.storage.k8s.io'],
          operations: ['CREATE'],
          resources: ['volumegroupsnapshots'],
        },
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
