import { describe, expect, it } from 'vitest';

import { filesOf } from '../../test/fixtures/kube/files-of.ts';
import type { Files } from '../platform/platform.ts';
import { inClusterAccess } from './kube-config.ts';

const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
const clock = { nowMs: () => 0, monotonicMs: () => 0 };

/** The directory that is mounted in a pod; this machine has none. */
const mounted = (content: Readonly<Record<string, string>>): Files =>
  filesOf(
    Object.fromEntries(
      Object.entries(content).map(([name, text]) => [
        `/var/run/secrets/kubernetes.io/serviceaccount/${name}`,
        text,
      ]),
    ),
  );

describe('inClusterAccess', () => {
  it('takes the address from the environment and the rest from the mounted files', async () => {
    const files = mounted({ token: 'abc\n', 'ca.crt': 'CA', namespace: 'shop\n' });
    const access = await inClusterAccess({ files, clock, env });
    expect(access?.transport).toMatchObject({ server: 'https://10.96.0.1:443', ca: 'CA' });
    expect(access?.namespace).toBe('shop');
    expect(await access?.transport.credentials?.()).toEqual({ authorization: 'Bearer abc' });
    const v6 = { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' };
    const other = await inClusterAccess({ files, clock, env: v6 });
    expect(other?.transport.server).toBe('https://[fd00::1]:443');
  });

  it('returns null without the environment variables or the mounted files of a pod', async () => {
    expect(await inClusterAccess({ files: mounted({ token: 'abc' }), clock, env: {} })).toBeNull();
    expect(await inClusterAccess({ files: mounted({}), clock, env })).toBeNull();
  });

  it.each([
    ['host', 'KUBERNETES_SERVICE_HOST'],
    ['port', 'KUBERNETES_SERVICE_PORT'],
  ])('returns null if the %s is empty or not set', async (_what, name) => {
    const files = mounted({ token: 'abc' });
    expect(await inClusterAccess({ files, clock, env: { ...env, [name]: '' } })).toBeNull();
    expect(await inClusterAccess({ files, clock, env: { ...env, [name]: undefined } })).toBeNull();
  });

  it('names its source, and takes the namespace default where none is mounted', async () => {
    expect(await inClusterAccess({ files: mounted({ token: 'abc' }), clock, env })).toMatchObject({
      namespace: 'default',
      source: 'the service account of this pod',
      context: null,
    });
  });
});
