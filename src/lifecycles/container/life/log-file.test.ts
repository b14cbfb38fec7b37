import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../platform/files.ts';
import type { AppendFile, Files } from '../../../platform/platform.ts';
import { LOG_WAITING_MAX_BYTES, LogFile } from './log-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-log-'));
});
afterEach(() => rm(folder, { recursive: true }));
const path = (): string => join(folder, 'stdout.log');

describe('LogFile', () => {
  it('writes output in order when its pieces split characters', async () => {
    const log = new LogFile(nodeFiles, path());
    for (const byte of Buffer.from('aé€😀\n')) {
      log.add(String.fromCharCode(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await log.close();
    expect(await readFile(path(), 'utf8')).toBe('aé€😀\n');
  });

  it('replaces invalid UTF-8 by U+FFFD, also at the end', async () => {
    const log = new LogFile(nodeFiles, path());
    log.add('a\u00FFb\u00E2\u0082');
    await log.close();
    expect(await readFile(path(), 'utf8')).toBe('a\uFFFDb\uFFFD\uFFFD');
  });

  it('keeps at most two files of bounded size, with the newest output in them', async () => {
    const log = new LogFile(nodeFiles, path(), 1000);
    for (let index = 0; index < 1000; index += 1) {
      log.add(`line ${String(index).padStart(4, '0')}\n`);
      if (index % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await log.close();
    expect((await readdir(folder)).toSorted()).toEqual(['stdout.log', 'stdout.log.1']);
    const both = (await readFile(`${path()}.1`, 'utf8')) + (await readFile(path(), 'utf8'));
    expect(both.endsWith('line 0998\nline 0999\n')).toBe(true);
    expect(both.length).toBeLessThanOrEqual(2000);
  });

  it('keeps the files in that size when all output arrives at once', async () => {
    const log = new LogFile(nodeFiles, path(), 1000);
    const lines = Array.from({ length: 500 }, (_, index) => `zeile über ${index}\n`);
    log.add(Buffer.from(lines.join('')).toString('latin1'));
    await log.close();
    const files = await Promise.all([readFile(`${path()}.1`), readFile(path())]);
    for (const { length } of files) expect(length).toBeLessThanOrEqual(1000);
    expect(lines.join('').endsWith(Buffer.concat(files).toString('utf8'))).toBe(true);
  });

  it('drops output that a slow disk cannot take, and notes the lost bytes in the log', async () => {
    const disk: { written: string; letGo: () => void } = { written: '', letGo: () => undefined };
    const file: AppendFile = {
      write: async (text) => {
        await new Promise<void>((resolve) => {
          disk.letGo = resolve;
        });
        disk.written += text;
      },
      sync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const files: Files = { ...nodeFiles, openAppend: () => Promise.resolve(file) };
    const log = new LogFile(files, path(), Infinity);
    const piece = 'x'.repeat(1024 * 1024);
    for (let megabytes = 0; megabytes < 20; megabytes += 1) log.add(piece);
    const closed = log.close();
    const pump = setInterval(() => {
      disk.letGo();
    }, 1);
    await closed;
    clearInterval(pump);
    expect(disk.written.length).toBeLessThan(LOG_WAITING_MAX_BYTES + 2 * piece.length);
    expect(disk.written).toMatch(/\[lifehook: \d+ bytes of output were lost here\]/);
  });

  it('notes the bytes that it dropped last when it is closed', async () => {
    const log = new LogFile(nodeFiles, path());
    log.add('a');
    log.add('x'.repeat(LOG_WAITING_MAX_BYTES + 1));
    await log.close();
    expect(await readFile(path(), 'utf8')).toMatch(/^a\n\[lifehook: \d+ bytes/);
  });

  it('closes without an error when the file cannot be opened', async () => {
    const refuse = (): Promise<never> => Promise.reject(new Error('ENOSPC'));
    const log = new LogFile({ ...nodeFiles, openAppend: refuse }, path());
    log.add('a');
    await log.close();
    expect(await readdir(folder)).toEqual([]);
  });
});
