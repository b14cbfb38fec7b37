/** Images of a local cluster: imports, exports, and refusals. */
import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openImageStore } from '../../packages/local-cluster/src/index.ts';
import {
  dockerSave,
  ociLayout,
  openImageStand,
  tarOf,
  type Entry,
  type ImageStand,
} from './image-stand.ts';

const base: readonly Entry[] = [
  { path: './', type: 'Directory' },
  { path: 'bin/', type: 'Directory' },
  { path: 'bin/sh', text: '#!shell\n' },
  { path: 'etc/', type: 'Directory' },
  { path: 'etc/passwd', text: 'root:x:0:0::/:/bin/sh\n', mode: 0o644 },
  { path: 'var/cache/', type: 'Directory' },
  { path: 'var/cache/one', text: '1' },
  { path: 'var/cache/two', text: '2' },
  { path: 'lib', type: 'SymbolicLink', link: 'usr/lib' },
  { path: 'usr/lib/', type: 'Directory' },
];

const upper: readonly Entry[] = [
  { path: 'bin/.wh.sh' },
  { path: 'bin/ash', text: 'ash' },
  { path: 'bin/bash', type: 'Link', link: 'bin/ash' },
  { path: 'lib/libc.so', text: 'through a link' },
  { path: 'var/cache/three', text: '3' },
  { path: 'var/cache/.wh..wh..opq' },
  { path: 'dev/null', type: 'CharacterDevice' },
];

const config = {
  Entrypoint: ['/bin/ash'],
  Cmd: ['-c', 'true'],
  Env: ['PATH=/bin', 'A=b=c'],
  WorkingDir: '/etc',
  User: '1000',
};

async function expectImported({ store }: ImageStand, reference: string): Promise<string> {
  const image = await store.resolve(reference);
  expect(image).toMatchObject({
    reference,
    config: {
      entrypoint: ['/bin/ash'],
      command: ['-c', 'true'],
      env: { PATH: '/bin', A: 'b=c' },
      workingDir: '/etc',
      user: '1000',
    },
  });
  const root = image?.rootPath ?? '';
  expect((await readdir(join(root, 'bin'))).toSorted()).toEqual(['ash', 'bash']);
  expect((await stat(join(root, 'bin/ash'))).ino).toBe((await stat(join(root, 'bin/bash'))).ino);
  expect(await readdir(join(root, 'var/cache'))).toEqual(['three']);
  expect(await readFile(join(root, 'usr/lib/libc.so'), 'utf8')).toBe('through a link');
  expect(await readlink(join(root, 'lib'))).toBe('usr/lib');
  expect(((await lstat(join(root, 'etc/passwd'))).mode & 0o777).toString(8)).toBe('644');
  expect(await readdir(join(root, 'dev'))).toEqual([]);
  return root;
}

const leftBehind = async ({ world }: ImageStand): Promise<string[]> => {
  const inFolder = (name: string): Promise<string[]> =>
    readdir(join(world.folder, name)).catch(() => []);
  return [
    ...(await inFolder('images')),
    ...(await inFolder('temp')),
    ...(await inFolder('references')),
  ];
};

describe('an image', () => {
  it('is imported from docker save with its layers merged', async () => {
    await using stand = await openImageStand();
    const from = await stand.write('saved.tar', dockerSave([base, upper], { config }));
    const stored = await stand.store.importImage({ from, reference: null });
    expect(stored).toMatchObject({
      reference: 'web:v1',
      id: expect.stringMatching(/^sha256:/) as string,
    });
    await expectImported(stand, 'docker.io/library/web:v1');
  });

  it.each([true, false])(
    'is imported from an OCI layout for the platform of this machine (gzip: %s)',
    async (gzip) => {
      await using stand = await openImageStand();
      await ociLayout(join(stand.folder, 'layout'), [base, upper], { config, gzip });
      await stand.store.importImage({ from: join(stand.folder, 'layout'), reference: 'mine' });
      await expectImported(stand, 'mine:latest');
      execFileSync('tar', [
        '-C',
        join(stand.folder, 'layout'),
        '-czf',
        join(stand.folder, 'layout.tgz'),
        '.',
      ]);
      const stored = await stand.store.importImage({
        from: join(stand.folder, 'layout.tgz'),
        reference: null,
      });
      expect(stored.reference).toBe('web:v2');
      expect(await readdir(join(stand.world.folder, 'images'))).toHaveLength(1);
    },
  );

  it('is imported from a tar file of a root filesystem, or from a directory, copied or linked', async () => {
    await using stand = await openImageStand();
    const from = await stand.write('root.tar.gz', gzipSync(tarOf(base)));
    await stand.store.importImage({ from, reference: 'root' });
    const unpacked = await stand.store.resolve('root');
    expect(await readdir(unpacked?.rootPath ?? '')).toContain('bin');
    await stand.write('app/run', 'one');
    await symlink('run', join(stand.folder, 'app/link'));
    const app = join(stand.folder, 'app');
    await stand.store.importImage({ from: app, reference: 'copied' });
    await stand.store.importImage({ from: app, reference: 'linked', link: true });
    await writeFile(join(app, 'run'), 'two');
    const text = async (name: string): Promise<string> =>
      readFile(join((await stand.store.resolve(name))?.rootPath ?? '', 'link'), 'utf8');
    expect([await text('copied'), await text('linked')]).toEqual(['one', 'two']);
    expect(await stand.store.remove('linked')).toBe(true);
    expect(await readFile(join(app, 'run'), 'utf8')).toBe('two');
  });

  it('CLUS-I3: is removed with its last name, and a name can be reassigned', async () => {
    await using stand = await openImageStand();
    const from = await stand.write('saved.tar', dockerSave([base]));
    await stand.store.importImage({ from, reference: null });
    await stand.store.tag('web:v1', 'ghcr.io/team/web:v9');
    expect((await stand.store.list()).map(({ reference }) => reference)).toEqual([
      'ghcr.io/team/web:v9',
      'web:v1',
    ]);
    expect(await stand.store.remove('web:v1')).toBe(true);
    expect(await stand.store.remove('web:v1')).toBe(false);
    expect(await stand.store.resolve('ghcr.io/team/web:v9')).toBeDefined();
    const other = await stand.write('other.tar', dockerSave([upper.slice(1, 2)]));
    await stand.store.importImage({ from: other, reference: 'ghcr.io/team/web:v9' });
    expect(await readdir(join(stand.world.folder, 'images'))).toHaveLength(1);
    expect(await stand.store.remove('ghcr.io/team/web:v9')).toBe(true);
    expect(await leftBehind(stand)).toEqual([]);
  });

  it('CLUS-I4: is kept while containers use it, and removed after they have exited', async () => {
    await using stand = await openImageStand();
    const { store, users } = stand;
    const from = await stand.write('saved.tar', dockerSave([base]));
    const { id } = await store.importImage({ from, reference: 'web:v1' });
    users.set(id, ['container app of pod default/web']);
    await store.tag('web:v1', 'web:v2');
    expect(await store.remove('web:v2')).toBe(true);
    await expect(store.remove('web:v1')).rejects.toThrow(
      'The image web:v1 is in use by container app of pod default/web.',
    );
    expect(await store.resolve('web:v1')).toMatchObject({ id });
    const other = await stand.write('other.tar', dockerSave([upper.slice(1, 2)]));
    await store.importImage({ from: other, reference: 'web:v1' });
    const contents = (): Promise<string[]> => readdir(join(stand.world.folder, 'images'));
    expect(await contents()).toHaveLength(2);
    users.clear();
    expect(await store.remove('web:v1')).toBe(true);
    expect(await contents()).toEqual([]);
  });

  it('CLUS-I1: is stored once when several processes import it at once', async () => {
    await using stand = await openImageStand();
    const from = await stand.write('saved.tar', dockerSave([base, upper], { config }));
    const stores = await Promise.all([1, 2, 3, 4].map(() => openImageStore(stand.world)));
    const all = await Promise.all(
      stores.map((store, index) => store.importImage({ from, reference: `name-${index}` })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    await expectImported(stand, 'name-3');
    expect(await readdir(join(stand.world.folder, 'temp'))).toEqual([]);
  });
});

describe('an invalid image', () => {
  const refusals: readonly (readonly [string, readonly (readonly Entry[])[], RegExp])[] = [
    [
      'with a path outside of its root',
      [[{ path: '../evil', text: 'x' }]],
      /leads out of its root/,
    ],
    [
      'with a hard link to a file outside of it',
      [[{ path: 'a', type: 'Link', link: '../../etc/passwd' }]],
      /leads out|does not have/,
    ],
    [
      'with a hard link to a missing file',
      [[{ path: 'a', type: 'Link', link: 'b' }]],
      /the image does not have/,
    ],
    ['with a whiteout of its own root', [[{ path: 'a/.wh...' }]], /deletes "\.\."/],
    [
      'with a file in the place of a directory',
      [
        [
          { path: 'a', text: 'x' },
          { path: 'a/b', text: 'x' },
        ],
      ],
      /not one \(ENOTDIR\)/,
    ],
  ];
  it.each(refusals)('%s: is refused and leaves nothing', async (_, layers, message) => {
    await using stand = await openImageStand();
    const from = await stand.write('saved.tar', dockerSave(layers));
    await expect(stand.store.importImage({ from, reference: null })).rejects.toThrow(message);
    expect(await leftBehind(stand)).toEqual([]);
    expect((await readdir(stand.folder)).toSorted()).toEqual(['images', 'saved.tar']);
  });

  it('CLUS-I2: cannot write outside of its root through its own links', async () => {
    await using stand = await openImageStand();
    const outside = join(stand.folder, 'outside');
    await mkdir(outside);
    const layers: Entry[][] = [
      [
        { path: 'abs', type: 'SymbolicLink', link: outside },
        { path: 'up', type: 'SymbolicLink', link: `${'../'.repeat(20)}${outside.slice(1)}` },
        { path: 'abs/one', text: '1' },
        { path: 'up/two', text: '2' },
        { path: 'file', type: 'SymbolicLink', link: join(outside, 'three') },
        { path: 'file', text: '3' },
      ],
      [{ path: 'abs/.wh..wh..opq' }, { path: 'up/four', text: '4' }],
    ];
    await writeFile(join(outside, 'kept'), '');
    const from = await stand.write('saved.tar', dockerSave(layers));
    await stand.store.importImage({ from, reference: null });
    expect(await readdir(outside)).toEqual(['kept']);
    const root = (await stand.store.resolve('web:v1'))?.rootPath ?? '';
    expect(await readdir(join(root, outside))).toEqual(['four']);
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('3');
  });

  it('CLUS-I2: is refused when a blob or a layer has another digest', async () => {
    await using stand = await openImageStand();
    const [layer = ''] = await ociLayout(join(stand.folder, 'layout'), [base]);
    const bytes = await readFile(layer);
    bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
    await writeFile(layer, bytes);
    const from = join(stand.folder, 'layout');
    await expect(stand.store.importImage({ from, reference: 'x' })).rejects.toThrow(
      /has the digest/,
    );
    const swapped = dockerSave([base]).toString('latin1').replace('#!shell', '#!SHELL');
    const tar = await stand.write('swapped.tar', Buffer.from(swapped, 'latin1'));
    await expect(stand.store.importImage({ from: tar, reference: 'x' })).rejects.toThrow(
      /layer 1 has the digest/,
    );
    expect(await leftBehind(stand)).toEqual([]);
  });

  it.each([
    ['zstd', Buffer.from('28b52ffd00', 'hex'), /zstd.*Node cannot read/],
    ['damaged gzip', gzipSync(tarOf(base)).subarray(0, 60), /damaged/],
    ['no archive', Buffer.alloc(2048, 'text '), /no tar archive/],
  ])('is refused with the reason: %s', async (_, bytes, message) => {
    await using stand = await openImageStand();
    const from = await stand.write('bad.tar', bytes);
    await expect(stand.store.importImage({ from, reference: 'x' })).rejects.toThrow(message);
    expect(await leftBehind(stand)).toEqual([]);
  });

  it('CLUS-I1: of a killed import is removed', async () => {
    await using stand = await openImageStand();
    const left = join(
      stand.world.folder,
      'temp',
      `999999@${encodeURIComponent('boot/1')}@1/image/root`,
    );
    await mkdir(left, { recursive: true });
    await chmod(left, 0o500);
    await openImageStore(stand.world);
    expect(await leftBehind(stand)).toEqual([]);
  });
});
