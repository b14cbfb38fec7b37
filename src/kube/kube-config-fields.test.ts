import { describe, expect, it } from 'vitest';

import { filesOf } from '../../test/fixtures/kube/files-of.ts';
import { posixError } from '../platform/posix-error.ts';
import { type KubeAccess, loadKubeAccess } from './kube-config.ts';

interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly others?: Readonly<Record<string, string | Error>>;
  readonly path?: string;
}

/** Reads a kubeconfig with these fields in place of the usual ones, and the credentials of its user. */
async function load({
  env = {},
  others = {},
  path = '/home/config',
  ...fields
}: Parts): Promise<KubeAccess['transport'] & { readonly used: object }> {
  const { cluster = 'server: "https://k"', user = 'token: abc' } = fields;
  const { context = 'cluster: one, user: me' } = fields;
  const text = `current-context: dev
contexts: [{ name: dev, context: { ${context} } }]
clusters:
  - { name: one, cluster: { ${cluster} } }
users:
  - { name: me, user: { ${user} } }
`;
  const { transport } = await loadKubeAccess({
    files: filesOf({ [path]: text, ...others }),
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    env,
    authPlugin: () => () => Promise.reject(new Error('no plugin was expected')),
    kubeconfig: path,
  });
  return { ...transport, used: (await transport.credentials?.()) ?? {} };
}

describe('the fields of a kubeconfig', () => {
  it('accepts a server over http', async () => {
    const { server } = await load({ cluster: 'server: "http://127.0.0.1:8001"' });
    expect(server).toBe('http://127.0.0.1:8001');
  });

  it('leaves the certificate unverified only if the cluster says so', async () => {
    const cluster = (value: string): string =>
      `server: "https://k", insecure-skip-tls-verify: ${value}`;
    expect((await load({ cluster: cluster('true') })).insecure).toBe(true);
    expect((await load({ cluster: cluster('false') })).insecure).toBe(false);
    expect((await load({ cluster: cluster('yes') })).insecure).toBe(false);
  });

  it.each([
    { path: '/home/config', ca: '/etc/ca.pem', found: '/etc/ca.pem' },
    { path: '/home/config', ca: 'pki/ca.pem', found: '/home/pki/ca.pem' },
    { path: '/home/config', ca: './ca.pem', found: '/home/ca.pem' },
    { path: '/home/config', ca: '../ca.pem', found: '/home/../ca.pem' },
    { path: '/config', ca: 'ca.pem', found: '/ca.pem' },
    { path: 'config', ca: 'ca.pem', found: 'ca.pem' },
  ])('resolves $ca in the directory of $path', async ({ path, ca, found }) => {
    const cluster = `server: "https://k", certificate-authority: ${ca}`;
    expect((await load({ path, cluster, others: { [found]: 'CA' } })).ca).toBe('CA');
  });

  it.each(['null', '""'])('counts a text field that is %s as absent', async (value) => {
    const { used } = await load({ user: `tokenFile: ${value}, token: abc` });
    expect(used).toMatchObject({ authorization: 'Bearer abc' });
  });
});

const FIELD_NEXT = 'Next: Correct the field, or let the tool that wrote the file write it again.';
const SERVER_FIELD =
  '/home/config:4:37: error LHK006: The field "server" of "one" in the kubeconfig: ' +
  `an address such as https://host:6443 is required. ${FIELD_NEXT}`;

describe('the message about a field of a kubeconfig', () => {
  it.each<[string, Parts, string]>([
    [
      'a context without a cluster',
      { context: 'user: me' },
      '/home/config:2:34: error LHK006: The field "cluster" of "dev" in the kubeconfig: ' +
        `the name of a cluster is required. ${FIELD_NEXT}`,
    ],
    ['an empty server', { cluster: 'server: ""' }, SERVER_FIELD],
    ['a server that is no address', { cluster: 'server: "https://"' }, SERVER_FIELD],
    ['a server over another protocol', { cluster: 'server: "ssh://k/http:"' }, SERVER_FIELD],
    [
      'a proxy over another protocol',
      { cluster: 'server: "https://k", proxy-url: "socks5://p/http:"' },
      '/home/config:4:61: error LHK008: A proxy is reached over http or https; ' +
        'the one for https://k is "socks5://p/http:". Next: Name an HTTP proxy, or none.',
    ],
    [
      'a password that is not a string, which it does not show',
      { user: 'username: me, password: 4711' },
      '/home/config:6:49: error LHK006: The field "password" of "me" in the kubeconfig: ' +
        `a string is required, and this is of the type number. ${FIELD_NEXT}`,
    ],
    [
      'a password that is a list, which it does not show',
      { user: 'username: me, password: [a, b]' },
      '/home/config:6:49: error LHK006: The field "password" of "me" in the kubeconfig: ' +
        `a string is required, and this is of the type list. ${FIELD_NEXT}`,
    ],
    [
      'a certificate that cannot be read',
      {
        cluster: 'server: "https://k", certificate-authority: ca.pem',
        others: { '/home/ca.pem': posixError('EACCES', 'permission denied') },
      },
      '/home/config:4:73: error LHK007: The kubeconfig names "/home/ca.pem" as ' +
        'certificate-authority of "one", and it cannot be read: permission denied. ' +
        'Next: Make the file readable, or correct its path.',
    ],
  ])('names place, requirement and next step: %s', async (_, parts, expected) => {
    await expect(load(parts)).rejects.toThrow(expect.objectContaining({ message: expected }));
  });

  it('keeps the error of the file system as its cause', async () => {
    const denied = posixError('EACCES', 'permission denied');
    const loading = load({ user: 'tokenFile: token', others: { '/home/token': denied } });
    await expect(loading).rejects.toHaveProperty('cause', denied);
  });
});
