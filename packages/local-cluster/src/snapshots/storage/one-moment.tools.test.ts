/**
 * Tests copies of real directories: changes during the copying decide whether the copy is of one moment.
 * @module-tag linux
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodePlatform } from '../../../../../src/platform/node-platform.ts';
import type { RunningProcess } from '../../../../../src/platform/platform.ts';
import { type Cut, Cutter, type CutterPlatform } from './cutter.ts';

let folder: string;
let volume: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-moment-'));
  volume = makeVolume('volume');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function makeVolume(name: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, 'deep'), { recursive: true });
  writeFileSync(join(path, 'deep', 'rows'), 'before');
  return path;
}

interface Copy {
  /** Number of this copy among all that succeeded, from 1. */
  readonly count: number;
  readonly target: string;
}

/** The real platform, but `afterCopy` runs right after each copy. */
function worldIn(afterCopy: (copy: Copy) => void): { platform: CutterPlatform; copies: Copy[] } {
  const copies: Copy[] = [];
  const { processes } = nodePlatform;
  const spawn: typeof processes.spawn = (spec) => {
    const running = processes.spawn(spec);
    if (spec.argv[0] !== 'cp') return running;
    const exited = running.exited.then((end) => {
      if (end.code === 0) {
        const copy = { count: copies.length + 1, target: spec.argv.at(-1) ?? '' };
        copies.push(copy);
        afterCopy(copy);
      }
      return end;
    });
    return Object.create(running, { exited: { value: exited } }) as RunningProcess;
  };
  return { platform: { ...nodePlatform, processes: { ...processes, spawn } }, copies };
}

async function cut(platform: CutterPlatform, ...paths: string[]): Promise<Cut> {
  const result = await new Cutter(platform).cut(paths, 'snapshot-1');
  if (result.kind === 'failed') throw new Error(result.message);
  return result.cut;
}

const rowsOf = (path: string | undefined): string =>
  readFileSync(join(path ?? '', 'deep', 'rows'), 'utf8');

const change = (text: string, path: string = volume): void => {
  writeFileSync(join(path, 'deep', 'rows'), text);
};

describe('a copy made file by file', () => {
  it('is atomic where nothing changed meanwhile, and says how that is known', async () => {
    const { platform, copies } = worldIn(() => {});
    const made = await cut(platform, volume);
    expect(made).toMatchObject({
      atomic: true,
      reason: expect.stringContaining('nothing changed while it was copied') as string,
    });
    expect(rowsOf(made.handles[0])).toBe('before');
    expect(copies).toHaveLength(1);
  });

  it('may hold links, pipes and names with spaces and line feeds', async () => {
    execFileSync('mkfifo', [join(volume, 'pipe')]);
    symlinkSync('nowhere', join(volume, 'link'));
    writeFileSync(join(volume, 'a name\nof two lines'), 'x');
    expect((await cut(worldIn(() => {}).platform, volume)).atomic).toBe(true);
  });

  it('is repeated where something changed, and is then of the later moment', async () => {
    const { platform, copies } = worldIn(({ count }) => {
      if (count === 1) change('after');
    });
    const made = await cut(platform, volume);
    expect(made.atomic).toBe(true);
    expect(rowsOf(made.handles[0])).toBe('after');
    expect(copies).toHaveLength(2);
  });

  it('is not atomic where something changes every time, and stays as it was made', async () => {
    const { platform, copies } = worldIn(({ count }) => {
      change(`after ${count}`);
    });
    const made = await cut(platform, volume);
    expect(made).toMatchObject({
      atomic: false,
      reason: 'something changed while it was copied',
    });
    expect(copies).toHaveLength(3);
    expect(await cut(platform, volume)).toEqual(made);
    expect(copies).toHaveLength(3);
  });

  it('is not atomic where a file was changed and changed back, with its time', async () => {
    const { atime, mtime } = statSync(join(volume, 'deep', 'rows'));
    const { platform } = worldIn(() => {
      change('other!');
      change('before');
      utimesSync(join(volume, 'deep', 'rows'), atime, mtime);
    });
    expect((await cut(platform, volume)).atomic).toBe(false);
  });

  it('is not atomic where a file was created or removed', async () => {
    const { platform } = worldIn(({ count }) => {
      writeFileSync(join(volume, `new-${count}`), '');
      rmSync(join(volume, `new-${count}`));
    });
    expect((await cut(platform, volume)).atomic).toBe(false);
  });

  it('is not atomic where its bytes are not those of its source, whatever the times say', async () => {
    const { platform } = worldIn(({ target }) => {
      change('beforE', target);
    });
    const { atomic, method } = await cut(platform, volume);
    // The bytes of a clone are not compared, because the kernel shares them.
    expect(atomic).toBe(method === 'reflink');
  });

  it('of several volumes is atomic only where none changed until the last was copied', async () => {
    const paths = [volume, makeVolume('second')];
    const quiet = worldIn(() => {});
    expect((await cut(quiet.platform, ...paths)).atomic).toBe(true);
    rmSync(join(folder, '.lifehook-snapshots'), { recursive: true });
    // The first volume changes after it was copied.
    const busy = worldIn(({ count }) => {
      if (count % 2 === 0) change(`after ${count}`);
    });
    expect((await cut(busy.platform, ...paths)).atomic).toBe(false);
    expect(busy.copies).toHaveLength(6);
  });
});
