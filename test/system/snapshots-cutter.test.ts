/** Tests the cutter on real file systems: loop mounts in a temporary directory, which are removed at the end. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Cutter } from '../../packages/local-cluster/src/index.ts';
import type { CutResult } from '../../packages/local-cluster/src/testing.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'lifehook-cutter-'));
const mounts: string[] = [];

const run = (file: string, ...args: string[]): string =>
  execFileSync(file, args, {
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

function mount(kind: 'btrfs' | 'xfs' | 'ext4', megabytes: number): string {
  const image = join(folder, `${kind}.image`);
  const place = join(folder, kind);
  run('truncate', '-s', `${megabytes}M`, image);
  run(`mkfs.${kind}`, '-q', image);
  mkdirSync(place);
  run('mount', '-o', 'loop', image, place);
  mounts.push(place);
  return place;
}

function cutOf(result: CutResult): Extract<CutResult, { kind: 'cut' }>['cut'] {
  if (result.kind === 'failed') throw new Error(result.message);
  return result.cut;
}

let btrfs: string;
let xfs: string;
let ext4: string;

beforeAll(() => {
  btrfs = mount('btrfs', 128);
  xfs = mount('xfs', 320);
  ext4 = mount('ext4', 32);
});

afterAll(() => {
  for (const place of mounts.toReversed()) run('umount', place);
  rmSync(folder, { recursive: true });
});

const write = (path: string, text: string): void => {
  writeFileSync(path, text);
};
const read = (path: string): string => readFileSync(path, 'utf8');

describe('the cutter', () => {
  it('takes an atomic snapshot of a btrfs subvolume, and returns the same one for the same name', async () => {
    const cutter = new Cutter(nodePlatform);
    const volume = join(btrfs, 'alone');
    await cutter.makeRoot(volume);
    write(join(volume, 'a'), 'before');
    const first = cutOf(await cutter.cut([volume], 'snapshot-1'));
    expect(first).toMatchObject({ method: 'btrfs', atomic: true });
    write(join(volume, 'a'), 'after');
    expect(cutOf(await new Cutter(nodePlatform).cut([volume], 'snapshot-1'))).toEqual(first);
    expect(read(join(first.handles[0] ?? '', 'a'))).toBe('before');
    const restored = join(btrfs, 'restored');
    expect(await cutter.restore(first.handles[0] ?? '', restored)).toBeNull();
    expect(read(join(restored, 'a'))).toBe('before');
    expect(await cutter.remove(first.handles[0] ?? '')).toBeNull();
    expect(await cutter.isThere(first.handles[0] ?? '')).toBe(false);
  });

  it('snapshots volumes of one subvolume atomically: no write falls between them', async () => {
    const cutter = new Cutter(nodePlatform);
    const root = join(btrfs, 'together');
    await cutter.makeRoot(root);
    const paths = ['one', 'two'].map((name) => join(root, name));
    for (const path of paths) mkdirSync(path);
    // The writer puts each number into the first file and then into the second, so they never differ by more than one.
    const writer = spawn('sh', [
      '-c',
      'n=0; while :; do n=$((n+1)); echo $n > "$0/n"; echo $n > "$1/n"; done',
      ...paths,
    ]);
    try {
      const isWriting = (): boolean => existsSync(join(root, 'two', 'n'));
      await expect.poll(isWriting, { timeout: 60_000 }).toBe(true);
      for (let turn = 0; turn < 10; turn += 1) {
        const cut = cutOf(await cutter.cut(paths, `group-${turn}`));
        expect(cut).toMatchObject({ method: 'btrfs', atomic: true });
        const [one, two] = cut.handles.map((handle) => Number(read(join(handle, 'n')) || -1));
        if (one !== -1 && two !== -1) expect([0, 1]).toContain((one ?? 0) - (two ?? 0));
      }
    } finally {
      writer.kill('SIGKILL');
    }
  });

  it('reports a snapshot of volumes in two subvolumes as not atomic', async () => {
    const cutter = new Cutter(nodePlatform);
    const paths = ['left', 'right'].map((name) => join(btrfs, name));
    for (const path of paths) await cutter.makeRoot(path);
    const cut = cutOf(await cutter.cut(paths, 'apart'));
    expect(cut).toMatchObject({ method: 'btrfs', atomic: false });
    expect(cut.handles).toHaveLength(2);
  });

  it('shares blocks on a filesystem with reflinks, atomically where nothing changed meanwhile', async () => {
    const cutter = new Cutter(nodePlatform);
    const volume = join(xfs, 'volume');
    mkdirSync(volume);
    write(join(volume, 'a'), 'x'.repeat(10_000));
    const cut = cutOf(await cutter.cut([volume], 'snapshot-1'));
    expect(cut).toMatchObject({ method: 'reflink', atomic: true });
    expect(run('filefrag', '-v', join(cut.handles[0] ?? '', 'a'))).toContain('shared');
    write(join(volume, 'a'), 'after');
    expect(read(join(cut.handles[0] ?? '', 'a'))).toHaveLength(10_000);
  });

  it('copies on a filesystem with neither subvolumes nor reflinks', async () => {
    const cutter = new Cutter(nodePlatform);
    const volume = join(ext4, 'volume');
    mkdirSync(volume);
    write(join(volume, 'a'), 'before');
    const cut = cutOf(await cutter.cut([volume], 'snapshot-1'));
    expect(cut).toMatchObject({ method: 'copy', atomic: true });
    write(join(volume, 'a'), 'after');
    expect(read(join(cut.handles[0] ?? '', 'a'))).toBe('before');
  });

  it('repeats a copy that was interrupted', async () => {
    const volume = join(ext4, 'interrupted');
    const target = join(ext4, '.lifehook-snapshots', 'half');
    mkdirSync(volume);
    mkdirSync(target, { recursive: true });
    write(join(volume, 'a'), 'whole');
    write(join(target, 'a'), 'ha');
    write(`${target}.json`, JSON.stringify({ source: volume, startedAtMs: 1 }));
    const cut = cutOf(await new Cutter(nodePlatform).cut([volume], 'half'));
    expect(cut.handles).toEqual([target]);
    expect(read(join(target, 'a'))).toBe('whole');
  });

  it('refuses to remove a directory outside of its own', async () => {
    const cutter = new Cutter(nodePlatform);
    const volume = join(ext4, 'precious');
    mkdirSync(volume);
    expect(await cutter.remove(volume)).toContain('is not in a directory of the snapshotter');
    expect(await cutter.isThere(volume)).toBe(true);
  });
});
