import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeContainerIo } from '../platform/node-container-io.ts';
import { type LogIo, StreamLogs } from './rotated-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-log-'));
});
afterEach(() => rm(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

/** A simulated disk that can be full. A write to a full disk still fills the last block, here of three bytes. */
function openDisk(): { readonly disk: { isFull: boolean }; readonly io: LogIo } {
  const disk = { isFull: false };
  const openLog: LogIo['openLog'] = (name) => {
    const output = nodeContainerIo.openLog(name);
    return {
      get size() {
        return output.size;
      },
      write: (bytes) => {
        output.write(disk.isFull ? bytes.slice(0, 3) : bytes);
        if (disk.isFull) throw new Error('ENOSPC');
      },
      truncate: (size) => {
        output.truncate(size);
      },
      close: () => {
        output.close();
      },
    };
  };
  return { disk, io: { ...nodeContainerIo, openLog } };
}

describe('the logs of a container of `lifehook oci`', () => {
  it('have each stream in a file of its own, byte for byte, and none for a silent stream', async () => {
    const log = new StreamLogs(nodeContainerIo, folder);
    for (const byte of Buffer.from('aé€😀\n')) log.add('stdout', String.fromCharCode(byte));
    log.add('stdout', '\u00ff\u0000');
    log.close();
    const bytes = Buffer.concat([Buffer.from('aé€😀\n'), Buffer.from([0xff, 0])]);
    expect(await readFile(path('stdout.log'))).toEqual(bytes);
    expect(await readdir(folder)).toEqual(['stdout.log']);
  });

  it('can be read only by the owner', async () => {
    const log = new StreamLogs(nodeContainerIo, folder);
    log.add('stderr', 'secret\n');
    log.close();
    expect((await stat(path('stderr.log'))).mode & 0o777).toBe(0o600);
  });

  it('keep the newest output of a stream in two files of bounded size', async () => {
    const log = new StreamLogs(nodeContainerIo, folder, 1000);
    for (let index = 0; index < 1000; index += 1) {
      log.add('stdout', `line ${String(index).padStart(4, '0')}\n`);
    }
    log.close();
    expect((await readdir(folder)).toSorted()).toEqual(['stdout.log', 'stdout.log.1']);
    const both =
      (await readFile(path('stdout.log.1'), 'utf8')) + (await readFile(path('stdout.log'), 'utf8'));
    expect(both.endsWith('line 0998\nline 0999\n')).toBe(true);
    expect(both.length).toBeGreaterThan(1000);
    expect(both.length).toBeLessThanOrEqual(2000);
  });

  it('report the bytes that a full disk has lost once there is space', async () => {
    const { disk, io } = openDisk();
    const log = new StreamLogs(io, folder);
    log.add('stdout', 'before\n');
    disk.isFull = true;
    log.add('stdout', 'lost\n');
    disk.isFull = false;
    log.add('stdout', 'after\n');
    log.close();
    const gap = '\n[lifehook: 5 bytes of output were lost here]\n';
    expect(await readFile(path('stdout.log'), 'utf8')).toBe(`before\n${gap}after\n`);
  });

  it('report the bytes that were lost last when they are closed', async () => {
    const { disk, io } = openDisk();
    const log = new StreamLogs(io, folder);
    log.add('stdout', 'before\n');
    disk.isFull = true;
    log.add('stdout', 'lost\n');
    disk.isFull = false;
    log.close();
    expect(await readFile(path('stdout.log'), 'utf8')).toMatch(/^before\n\n\[lifehook: 5 bytes/);
  });

  it.each([
    ['was removed', () => rm(path('stdout.log'))],
    ['cannot be renamed', () => mkdir(path('stdout.log.1'))],
  ])('keep the newest output when the full file %s', async (_, spoil) => {
    const log = new StreamLogs(nodeContainerIo, folder, 10);
    log.add('stdout', 'old old\n');
    await spoil();
    log.add('stdout', 'new\n');
    log.add('stdout', 'newer\n');
    log.close();
    expect(await readFile(path('stdout.log'), 'utf8')).toBe('new\nnewer\n');
  });

  it('are closed without an error when no file can be opened', async () => {
    const refuse = (): never => {
      throw new Error('ENOSPC');
    };
    const log = new StreamLogs({ ...nodeContainerIo, openLog: refuse }, folder);
    log.add('stdout', 'a');
    log.close();
    expect(await readdir(folder)).toEqual([]);
  });
});
