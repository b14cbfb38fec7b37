import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import { gatherCluster } from './cluster.ts';
import { gatherLocal, ownProcessOf } from './local.ts';

describe('a process of ours', () => {
  it.each([
    [['/p/shim/lifehook-supervise', '/s/process/containers/c1'], 'pod', '/s'],
    [
      ['node', '/p/supervise.js', '/s/runc/containers/c1', '/s/runc/lives/c1', '3', ''],
      'pod',
      '/s',
    ],
    [['node', '--no-warnings', '/p/serve.cjs', '/s', '{}'], 'cluster', '/s'],
    [
      ['node', '/p/supervise.js', '/run/lifehook/containers/web', '3'],
      'container',
      '/run/lifehook/containers/web',
    ],
  ] as const)('is known by %j', (argv, role, folder) => {
    expect(ownProcessOf(argv)).toEqual({ role, folder });
  });

  it.each([
    [[]],
    [['vi', 'supervise.js']],
    [['node', '/p/lifehook.js', 'doctor']],
    [['/p/shim/lifehook-supervise', '/tmp/keep-x1/c1']],
    [['/p/shim/lifehook-supervise', '/process/containers/c1']],
  ])('is not %j', (argv) => {
    expect(ownProcessOf(argv)).toBeNull();
  });
});

describe('the directory of the state', () => {
  it.each([
    { to: 'a directory', refused: null },
    { to: 'nothing', refused: 'ENOENT' },
  ])('may be a link to $to', async ({ refused }) => {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-doctor-'));
    try {
      if (refused === null) await mkdir(join(folder, 'there'));
      const stateDir = join(folder, 'link');
      await symlink(join(folder, 'there'), stateDir);
      const { places } = await gatherLocal({ cluster: 'local', stateDir });
      expect(places).toContainEqual(expect.objectContaining({ path: stateDir, refused }));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    { what: 'a link to itself', code: 'ELOOP', path: '' },
    { what: 'a directory in place of up.json', code: 'EISDIR', path: 'up.json' },
  ])('is one finding if it is unreadable: $what', async ({ code, path }) => {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-doctor-'));
    vi.stubEnv('HOME', folder);
    vi.stubEnv('KUBECONFIG', undefined);
    try {
      const stateDir = join(folder, 'state');
      if (path === '') await symlink(stateDir, stateDir);
      else await mkdir(join(stateDir, path), { recursive: true });
      const choice = { cluster: 'local', stateDir } as const;
      const { places } = await gatherLocal(choice);
      expect(places).toContainEqual(expect.objectContaining({ path: stateDir, refused: code }));
      expect(await gatherCluster(choice)).toEqual({ kind: 'none', localKubeconfig: null });
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });

  it('is left out when the user has no home directory', async () => {
    vi.stubEnv('HOME', '');
    vi.stubEnv('XDG_STATE_HOME', undefined);
    try {
      const { places } = await gatherLocal({ cluster: 'local' });
      expect(places.map(({ role }) => role)).not.toContain('state of the local cluster');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
