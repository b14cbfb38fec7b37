import { describe, expect, it } from 'vitest';

import { filesOf } from '../../test/fixtures/kube/files-of.ts';
import { LifehookError } from '../model/problem.ts';
import { posixError } from '../platform/posix-error.ts';
import {
  contextNames,
  type KubeAccess,
  type KubeAccessOptions,
  loadKubeAccess,
} from './kube-config.ts';

const clock = { nowMs: () => 0, monotonicMs: () => 0 };

function load(options: Partial<KubeAccessOptions>): Promise<KubeAccess> {
  const authPlugin = () => () => Promise.reject(new Error('no plugin was expected'));
  return loadKubeAccess({ files: filesOf({}), clock, env: {}, authPlugin, ...options });
}

const DEV = `
current-context: dev
contexts: [{ name: dev, context: { cluster: one } }, { name: ops, context: { cluster: one } }]
clusters: [{ name: one, cluster: { server: "https://k:6443" } }]
`;
const OPS = 'contexts: [{ name: ops }, { name: far }]';

const inPod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
const podFiles = { '/var/run/secrets/kubernetes.io/serviceaccount/token': 'abc' };

describe('the kubeconfig that loadKubeAccess chooses', () => {
  it('reports its context and its file, and the namespace "default" if the context sets none', async () => {
    const access = await load({ files: filesOf({ '/c': DEV }), kubeconfig: '/c' });
    expect(access.context).toEqual({ name: 'dev', file: '/c' });
    expect(access.namespace).toBe('default');
  });

  it('connects without credentials if the context has no user', async () => {
    const access = await load({ files: filesOf({ '/c': DEV }), kubeconfig: '/c' });
    expect(access.transport.credentials).toBeUndefined();
  });

  it('is none in a pod: the cluster of the pod is used', async () => {
    const access = await load({ files: filesOf(podFiles), env: inPod });
    expect(access.transport.server).toBe('https://10.0.0.1:443');
    expect(access.context).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['one without entries', 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: null\n'],
    ['one whose current context is empty', 'current-context: ""'],
    ['one whose current context is null', 'current-context:'],
  ])('is none in a pod if the file is %s', async (_, text) => {
    const files = filesOf({ ...podFiles, '/home/a/.kube/config': text });
    const access = await load({ files, env: { ...inPod, HOME: '/home/a' } });
    expect(access.source).toBe('the service account of this pod');
    const outside = load({ files, env: { HOME: '/home/a' } });
    await expect(outside).rejects.toThrow(/^error LHK004: /);
  });

  it.each(['contexts: [{ name: a }]', 'current-context: a'])(
    'is used in a pod if it has an entry or a current context: %s',
    async (text) => {
      const files = filesOf({ ...podFiles, '/a': text });
      const loading = load({ files, env: { ...inPod, KUBECONFIG: '/a' } });
      await expect(loading).rejects.toThrow(/error LHK004: /);
    },
  );

  it('is used in a pod if the user names it', async () => {
    const files = filesOf({ ...podFiles, '/b': '' });
    const ofUser = load({ files, env: inPod, kubeconfig: '/b' });
    await expect(ofUser).rejects.toThrow(/^error LHK004: /);
  });

  it('is required for a context, also in a pod', async () => {
    const loading = load({ files: filesOf(podFiles), env: inPod, context: 'dev' });
    await expect(loading).rejects.toThrow(/^error LHK002: /);
  });

  it('is not looked for in the working directory if there is no home directory', async () => {
    const files = filesOf({});
    await expect(load({ files })).rejects.toThrow(LifehookError);
    expect(files.reads).toEqual([]);
  });

  it('sets no current context if that field is empty, so the next file decides', async () => {
    const files = filesOf({ '/a': 'current-context: ""', '/b': DEV });
    const access = await load({ files, env: { KUBECONFIG: '/a:/b' } });
    expect(access.context).toEqual({ name: 'dev', file: '/b' });
  });
});

describe('the message about a kubeconfig', () => {
  it.each<[string, Partial<KubeAccessOptions>, string]>([
    [
      'there is none at all',
      {},
      'error LHK002: A kubeconfig is required: none was found, and this process does not run in a pod of a cluster. ' +
        'Next: Run `lifehook up` for a local cluster, or name a file with --kubeconfig or $KUBECONFIG.',
    ],
    [
      'no file of $KUBECONFIG exists',
      { env: { KUBECONFIG: '/a:/b' } },
      'error LHK001: The kubeconfig /a, /b does not exist. ' +
        'Next: Correct the path, or leave it out for the default one.',
    ],
    [
      'it is not readable',
      { kubeconfig: '/c', files: filesOf({ '/c': posixError('EACCES', 'permission denied') }) },
      'error LHK001: The kubeconfig /c cannot be read: permission denied. ' +
        'Next: Correct the path, or leave it out for the default one.',
    ],
  ])('names it and the next step: %s', async (_, options, expected) => {
    await expect(load(options)).rejects.toThrow(expect.objectContaining({ message: expected }));
  });

  it('keeps the error of the file system as its cause', async () => {
    const denied = posixError('EACCES', 'permission denied');
    const loading = load({ kubeconfig: '/c', files: filesOf({ '/c': denied }) });
    await expect(loading).rejects.toHaveProperty('cause', denied);
  });
});

describe('contextNames', () => {
  it('lists each context of all files once', async () => {
    const files = filesOf({ '/a': DEV, '/b': OPS });
    const names = await contextNames({ files, env: { KUBECONFIG: '/a:/b' } });
    expect(names).toEqual(['dev', 'ops', 'far']);
  });

  it('leaves out entries without a name', async () => {
    const files = filesOf({ '/a': 'contexts: [ops, null, { name: 7 }, { name: dev }]' });
    expect(await contextNames({ files, env: { KUBECONFIG: '/a' } })).toEqual(['dev']);
  });
});
