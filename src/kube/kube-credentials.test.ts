import { describe, expect, it, vi } from 'vitest';

import { deferred } from '../../test/fixtures/deferred.ts';
import { filesOf } from '../../test/fixtures/kube/files-of.ts';
import type { AuthPlugin } from '../platform/node-auth-plugin.ts';
import type { Clock, Files } from '../platform/platform.ts';
import { inClusterAccess, loadKubeAccess } from './kube-config.ts';
import { CREDENTIALS_AGE_MS } from './kube-credentials.ts';

const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** A clock that only the test advances. */
function handClock(): Clock & { passed: number } {
  const clock = { passed: 0, nowMs: () => clock.passed, monotonicMs: () => clock.passed };
  return clock;
}

async function inPod(files: Files, clock: Clock) {
  const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const access = await inClusterAccess({ files, clock, env });
  return access?.transport.credentials;
}

async function accessWithPlugin(authPlugin: AuthPlugin, clock: Clock) {
  const kubeconfig = '/config';
  const content = JSON.stringify({
    'current-context': 'dev',
    contexts: [{ name: 'dev', context: { cluster: 'one', user: 'me' } }],
    clusters: [{ name: 'one', cluster: { server: 'https://k:6443' } }],
    users: [{ name: 'me', user: { exec: { command: 'login' } } }],
  });
  const files = filesOf({ [kubeconfig]: content });
  return loadKubeAccess({ files, clock, env: {}, authPlugin, kubeconfig });
}

async function withPlugin(authPlugin: AuthPlugin, clock: Clock) {
  return (await accessWithPlugin(authPlugin, clock)).transport.credentials;
}

describe('credentials', () => {
  it('are asked for again at the next request after a failure, and then kept', async () => {
    let calls = 0;
    const plugin = async () => {
      calls += 1;
      if (calls === 1) throw new Error('the login has run out');
      return { authorization: 'Bearer fresh' };
    };
    const credentials = await withPlugin(() => plugin, handClock());
    await expect(credentials?.()).rejects.toThrow('the login has run out');
    expect(await credentials?.()).toMatchObject({ authorization: 'Bearer fresh' });
    expect(await credentials?.()).toMatchObject({ authorization: 'Bearer fresh' });
    expect(calls).toBe(2);
  });

  it('are awaited by all requests from one login, however long it takes, and are then kept', async () => {
    const clock = handClock();
    let logins = 0;
    const login = deferred<void>();
    const plugin = async () => {
      logins += 1;
      const authorization = `Bearer ${logins}`;
      if (logins === 1) await login.promise;
      return { authorization };
    };
    const credentials = await withPlugin(() => plugin, clock);
    const first = credentials?.();
    await vi.waitFor(() => {
      expect(logins).toBe(1);
    });
    clock.passed = CREDENTIALS_AGE_MS;
    const second = credentials?.();
    login.resolve();
    const one = { authorization: 'Bearer 1' };
    expect(await Promise.all([first, second])).toMatchObject([one, one]);
    clock.passed += CREDENTIALS_AGE_MS - 1;
    expect(await credentials?.()).toMatchObject(one);
    clock.passed += 1;
    expect(await credentials?.()).toMatchObject({ authorization: 'Bearer 2' });
  });

  it('of a pod are read again once their copy expired: the kubelet renews the token', async () => {
    const content: Record<string, string> = { [TOKEN]: 'old\n' };
    const clock = handClock();
    const credentials = await inPod(filesOf(content), clock);
    expect(await credentials?.()).toEqual({ authorization: 'Bearer old' });
    content[TOKEN] = 'new\n';
    clock.passed = CREDENTIALS_AGE_MS;
    expect(await credentials?.()).toEqual({ authorization: 'Bearer new' });
  });

  it('of a pod are read again at the next request when the file was missing', async () => {
    const content: Record<string, string | Error> = { [TOKEN]: 'old\n' };
    const credentials = await inPod(filesOf(content), handClock());
    content[TOKEN] = new Error('it is being replaced');
    await expect(credentials?.()).rejects.toThrow('it is being replaced');
    content[TOKEN] = 'new\n';
    expect(await credentials?.()).toEqual({ authorization: 'Bearer new' });
  });
});

it('credentials of a plugin are renewed once after the server has refused them, and not before they expire here', async () => {
  const asked: (string | undefined)[] = [];
  const clock = handClock();
  const authPlugin: AuthPlugin = () => async (how) => {
    asked.push(how);
    return {};
  };
  const { transport } = await accessWithPlugin(authPlugin, clock);
  const askAt = async (ms: number): Promise<void> => {
    clock.passed = ms;
    await transport.credentials?.();
  };
  await askAt(0);
  transport.onRefused?.();
  await askAt(CREDENTIALS_AGE_MS - 1);
  expect(asked).toEqual([undefined]);
  await askAt(CREDENTIALS_AGE_MS);
  await askAt(2 * CREDENTIALS_AGE_MS);
  expect(asked).toEqual([undefined, 'anew', undefined]);
});

describe('an exec plugin', () => {
  const audience = { audience: 'shop' };
  const cluster = {
    server: 'https://k:6443',
    'certificate-authority-data': btoa('CA'),
    'tls-server-name': 'api.internal',
    'proxy-url': 'http://proxy:3128',
    extensions: [
      { name: 'other', extension: {} },
      { name: 'client.authentication.k8s.io/exec', extension: audience },
    ],
  };

  /** The value of KUBERNETES_EXEC_INFO. */
  async function infoOf(exec: object): Promise<unknown> {
    const content = JSON.stringify({
      'current-context': 'dev',
      contexts: [{ name: 'dev', context: { cluster: 'one', user: 'me' } }],
      clusters: [{ name: 'one', cluster }],
      users: [{ name: 'me', user: { exec: { command: 'login', apiVersion: 'v', ...exec } } }],
    });
    const given: { exec?: unknown } = {};
    const authPlugin: AuthPlugin = (user) => {
      Object.assign(given, user);
      return async () => ({});
    };
    const options = { files: filesOf({ '/config': content }), clock: handClock(), env: {} };
    const access = await loadKubeAccess({ ...options, authPlugin, kubeconfig: '/config' });
    await access.transport.credentials?.();
    const { env } = given.exec as { env: { name: string; value: string }[] };
    return JSON.parse(env.find(({ name }) => name === 'KUBERNETES_EXEC_INFO')?.value ?? '');
  }

  const head = { apiVersion: 'v', kind: 'ExecCredential' };

  it('learns the cluster if it asks for that', async () => {
    expect(await infoOf({ provideClusterInfo: true })).toEqual({
      ...head,
      spec: {
        interactive: false,
        cluster: {
          server: 'https://k:6443',
          'certificate-authority-data': btoa('CA'),
          'tls-server-name': 'api.internal',
          'proxy-url': 'http://proxy:3128',
          config: audience,
        },
      },
    });
  });

  it('learns nothing of the cluster otherwise', async () => {
    expect(await infoOf({})).toEqual({ ...head, spec: { interactive: false } });
  });
});
