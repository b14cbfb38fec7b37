import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { type Script, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { makeKubeClient } from './make-client.ts';
import { readReferencedSecrets, secretNames } from './referenced-secrets.ts';

const SPEC: Pod['spec'] = {
  initContainers: [{ name: 'init', image: 'i', envFrom: [{ secretRef: { name: 'of-init' } }] }],
  containers: [
    {
      name: 'main',
      image: 'i',
      env: [
        { name: 'A', value: 'plain' },
        { name: 'P', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
      ],
      envFrom: [{ secretRef: { name: 'all' } }, { configMapRef: { name: 'none' } }],
      volumeMounts: [
        { name: 'v', mountPath: '/v' },
        { name: 'p', mountPath: '/p' },
      ],
    },
    { name: 'other', image: 'i', envFrom: [{ secretRef: { name: 'of-other' } }] },
  ],
  volumes: [
    { name: 'v', secret: { secretName: 'tls' } },
    { name: 'p', projected: { sources: [{ secret: { name: 'part' } }] } },
    { name: 'unused', secret: { secretName: 'not-mounted' } },
  ],
};

describe('secretNames', () => {
  it('names the Secrets of the variables and mounted volumes of the container', () => {
    expect(secretNames(SPEC, 'main')).toEqual(['all', 'db', 'part', 'tls']);
    expect(secretNames(SPEC, 'other')).toEqual(['of-other']);
    expect(secretNames(SPEC, 'debug')).toContain('of-init');
    expect(secretNames(undefined, 'main')).toEqual([]);
  });
});

describe('readReferencedSecrets', () => {
  const key = { namespace: 'shop', pod: 'web-1', container: 'main' };
  const forbidden = { status: 403, body: { kind: 'Status', reason: 'Forbidden', message: 'no' } };

  async function read(script: Script): Promise<readonly string[]> {
    const connection = {
      transport: scriptedTransport(script),
      platform: nodePlatform,
      userAgent: 'test',
      random: () => 0,
    };
    const after = (ms: number, callback: () => void): (() => void) =>
      nodePlatform.timers.after(ms, callback);
    return readReferencedSecrets({ client: makeKubeClient(connection), after }, key);
  }

  it('reads the values, and continues without those that it may not read', async () => {
    const values = await read(({ path }) => {
      if (path.endsWith('/pods/web-1')) return { body: { spec: SPEC } };
      if (path.endsWith('/secrets/db')) return { body: { data: { password: 'w6RodW50ZXIyMg==' } } };
      return forbidden;
    });
    expect(values).toEqual(['ähunter22']);
  });

  it('has no values where the pod cannot be read', async () => {
    expect(await read(() => forbidden)).toEqual([]);
  });
});
