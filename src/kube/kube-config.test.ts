import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { LifehookError } from '../model/problem.ts';
import { nodeFiles } from '../platform/files.ts';
import type { AuthPlugin } from '../platform/node-auth-plugin.ts';
import { CREDENTIALS_AGE_MS } from './kube-credentials.ts';
import { type KubeAccess, type KubeAccessOptions, loadKubeAccess } from './kube-config.ts';

let folder: string;
let nowMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  nowMs = 0;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const noPlugin: AuthPlugin = () => () => Promise.reject(new Error('no plugin was expected'));

const load = (options: Partial<KubeAccessOptions>): Promise<KubeAccess> =>
  loadKubeAccess({
    files: nodeFiles,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    env: {},
    authPlugin: noPlugin,
    ...options,
  });

const credentialsOf = async (access: Promise<KubeAccess>): Promise<object> =>
  (await (await access).transport.credentials?.()) ?? {};

async function problemOf(failing: Promise<unknown>): Promise<string> {
  const error: unknown = await failing.then(
    () => 'no error',
    (caught: unknown) => caught,
  );
  return error instanceof LifehookError ? error.message.replaceAll(folder, '') : String(error);
}

/** A kubeconfig with these lines as the fields of its user and its cluster. */
function config(user = 'token: abc', cluster = 'server: "https://k:6443"'): string {
  return `apiVersion: v1
kind: Config
current-context: dev
contexts:
  - name: dev
    context: { cluster: one, user: me, namespace: shop }
  - name: lost
    context: { cluster: gone, user: me }
clusters:
  - name: one
    cluster: { ${cluster} }
users:
  - name: me
    user: { ${user} }
`;
}

describe('loadKubeAccess', () => {
  it('reads server, CA, client certificate, proxy and namespace of the current context', async () => {
    write('ca.pem', 'CA');
    const path = write(
      'config',
      config(
        `client-certificate-data: ${btoa('CERT')}, client-key-data: ${btoa('KEY')}`,
        'server: "https://k:6443/", certificate-authority: ca.pem, tls-server-name: api, proxy-url: "http://p:1"',
      ),
    );
    const access = await load({ kubeconfig: path });
    expect(access.transport).toMatchObject({
      server: 'https://k:6443/',
      ca: 'CA',
      insecure: false,
      tlsServerName: 'api',
      proxyUrl: 'http://p:1',
    });
    expect(access.namespace).toBe('shop');
    expect(access.source).toBe(`context "dev" of ${path}`);
    expect(await access.transport.credentials?.()).toMatchObject({ cert: 'CERT', key: 'KEY' });
  });

  it.each([
    ['token: abc', { authorization: 'Bearer abc' }],
    ['username: me, password: "ü"', { authorization: 'Basic bWU6w7w=' }],
    [
      'token: abc, as: jane, as-groups: [a, b], as-user-extra: { scope: [x] }',
      {
        headers: {
          'impersonate-user': 'jane',
          'impersonate-group': ['a', 'b'],
          'impersonate-extra-scope': ['x'],
        },
      },
    ],
  ])('sends the credentials of the user: %s', async (user, expected) => {
    const kubeconfig = write('config', config(user));
    expect(await credentialsOf(load({ kubeconfig }))).toMatchObject(expected);
  });

  it('reads a token file and a certificate file again once its copy expired', async () => {
    write('token', 'old\n');
    write('cert.pem', 'OLD');
    const kubeconfig = write('config', config('tokenFile: token, client-certificate: cert.pem'));
    const { credentials } = (await load({ kubeconfig })).transport;
    expect(await credentials?.()).toMatchObject({ authorization: 'Bearer old', cert: 'OLD' });
    write('token', 'new\n');
    write('cert.pem', 'NEW');
    expect(await credentials?.()).toMatchObject({ authorization: 'Bearer old' });
    nowMs += CREDENTIALS_AGE_MS;
    expect(await credentials?.()).toMatchObject({ authorization: 'Bearer new', cert: 'NEW' });
  });

  it('runs an exec plugin once for concurrent callers, with its path relative to the file', async () => {
    const kubeconfig = write(
      'config',
      config(
        'exec: { apiVersion: client.authentication.k8s.io/v1, command: ./login, env: [{name: A, value: B}] }',
      ),
    );
    const asked: unknown[] = [];
    const authPlugin: AuthPlugin = (user) => {
      asked.push(user);
      return async () => {
        asked.push('call');
        return { authorization: 'Bearer fresh' };
      };
    };
    const { credentials } = (await load({ kubeconfig, authPlugin })).transport;
    const both = await Promise.all([credentials?.(), credentials?.()]);
    expect(both).toMatchObject([
      { authorization: 'Bearer fresh' },
      { authorization: 'Bearer fresh' },
    ]);
    expect(asked).toMatchObject([
      {
        name: 'me',
        exec: {
          command: join(folder, 'login'),
          args: [],
          env: [{ name: 'KUBERNETES_EXEC_INFO' }, { name: 'A' }],
        },
      },
      'call',
    ]);
  });

  it('merges the files of $KUBECONFIG: the first file that sets a value wins', async () => {
    const first = write('first', 'users: [{ name: me, user: { token: first } }]\n');
    const second = write('second', config('token: second'));
    const third = write('third', config('token: third').replace('dev', 'lost'));
    const env = { KUBECONFIG: `${first}:${join(folder, 'missing')}:${second}:${third}` };
    expect(await credentialsOf(load({ env }))).toMatchObject({ authorization: 'Bearer first' });
    expect((await load({ env })).namespace).toBe('shop');
  });

  it('falls back to ~/.kube/config, and suggests a name for an unknown context', async () => {
    mkdirSync(join(folder, '.kube'));
    write('.kube/config', config());
    const env = { HOME: folder };
    expect((await load({ env })).source).toContain('context "dev"');
    expect(await problemOf(load({ env, context: 'last' }))).toBe(
      'error LHK004: The context "last" is not in /.kube/config. Next: Did you mean "lost"?',
    );
  });

  it('takes the proxy from the environment', async () => {
    const kubeconfig = write('config', config());
    const env = { HTTPS_PROXY: 'proxy:3128' };
    expect((await load({ kubeconfig, env })).transport.proxyUrl).toBe('http://proxy:3128');
  });

  it('names the variable of a proxy of another kind in the environment', async () => {
    const kubeconfig = write('config', config());
    const env = { https_proxy: 'socks5://user:secret@p:1080' };
    expect(await problemOf(load({ kubeconfig, env }))).toBe(
      'error LHK008: A proxy is reached over http or https; $https_proxy is "socks5://***@p:1080". Next: Set it to an HTTP proxy, or add k to NO_PROXY.',
    );
  });

  it.each([
    [
      'the given file',
      { kubeconfig: '/no/such/file' },
      /LHK001: The kubeconfig \/no\/such\/file does not exist/,
    ],
    [
      'no file was given or found',
      {},
      /LHK002: A kubeconfig is required: none was found.*lifehook up/,
    ],
  ])('reports a missing kubeconfig: %s', async (_, options, expected) => {
    expect(await problemOf(load(options))).toMatch(expected);
  });

  it.each([
    ['text that is not YAML', 'a: [1\nb', /^\/config:\d:\d: error LHK003/],
    [
      'a file that is nested too deeply',
      `a:\n  ${'['.repeat(1_000_000)}`,
      /^\/config:2:\d+: error LHK003.*more than 200 levels deep at line 2/,
    ],
    [
      'an alias without an anchor',
      'a: 1\nb: *c\n',
      /^\/config:2:4: error LHK003.*the alias c has no anchor before it/,
    ],
    [
      'aliases of aliases that would expand to a very long list',
      `a: &a [1, 1]\nb: &b [${'*a, '.repeat(50)}]\nc: [${'*b, '.repeat(50)}]\n`,
      /^\/config:1:1: error LHK003.*Excessive alias count/,
    ],
    ['a file that is a list', '- a', /^\/config:1:1: error LHK003.*no mapping/],
    ['no current context', 'contexts: [{ name: a }]', /LHK004.*There is "a"/],
    [
      'a missing context',
      'current-context: zzz',
      /^\/config:1:18: error LHK004: The context "zzz"/,
    ],
    [
      'a missing cluster',
      config().replace('dev\nc', 'lost\nc'),
      /^\/config:8:25: error LHK005: The cluster "gone".*Did you mean "one"/,
    ],
    [
      'no server',
      config('token: x', 'insecure-skip-tls-verify: true'),
      /^\/config:11:14: error LHK006.*"server" of "one"/,
    ],
    [
      'a token that is not a string',
      config('token: 7'),
      /^\/config:14:20: error LHK006.*of the type number/,
    ],
    [
      'data that is not base64',
      config('client-key-data: "%"'),
      /^\/config:14:30: error LHK006.*base64/,
    ],
    ['a missing key file', config('client-key: key.pem'), /^\/config:14:25: error LHK007.*key.pem/],
    [
      'a proxy of another kind',
      config('', 'server: "https://k", proxy-url: "socks5://p"'),
      /^\/config:11:48: error LHK008/,
    ],
    ['a plugin without a command', config('exec: {}'), /^\/config:14:19: error LHK006/],
    [
      'a plugin that fails',
      config('exec: { command: x, installHint: "Get it." }'),
      /^\/config:14:19: error LHK009.*\(no plugin was expected\)\. Next: Get it/,
    ],
  ])('reports file, line and column of the problem: %s', async (_, text, expected) => {
    const kubeconfig = write('config', text);
    expect(await problemOf(credentialsOf(load({ kubeconfig })))).toMatch(expected);
  });
});
