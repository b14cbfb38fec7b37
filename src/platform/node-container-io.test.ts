import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeContainerIo } from './node-container-io.ts';
import { spawnInTerminal } from './node-terminal.ts';

/** Maximum length of the temporary directory's path; the test then adds a directory and a socket. */
const SHORT = 64;

const LONGER_THAN_THE_PACKAGE_WAITS_MS = 600;

let folder: string;

beforeEach(() => {
  const root = tmpdir().length > SHORT ? '/tmp' : tmpdir();
  folder = mkdtempSync(join(root, 'lk-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const listenAt = (path: string) => (): void => {
  nodeContainerIo.listen(path, () => undefined);
};

/** Waits for errors that a server emits later: Vitest fails the run if such an error has no listener. */
const laterEvents = (): Promise<void> => new Promise((resume) => setImmediate(resume));

describe('the supervisor socket under Node', () => {
  it('is refused at once when a file has its name, and keeps that file', () => {
    writeFileSync(join(folder, 's'), 'barred');
    expect(listenAt(join(folder, 's'))).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
    expect(readdirSync(folder)).toEqual(['s']);
  });

  it('is refused with one error and no stray file when its path is too long', async () => {
    const deep = join(folder, 'd'.repeat(108 - folder.length));
    mkdirSync(deep);
    expect(listenAt(join(deep, 's'))).toThrow(
      expect.objectContaining({
        code: 'ENAMETOOLONG',
        message: expect.stringContaining(`${deep}/s`) as string,
      }),
    );
    await laterEvents();
    expect(readdirSync(folder, { recursive: true })).toHaveLength(1);
  });

  it('is refused with one error when its directory does not exist', async () => {
    const path = join(folder, 'none', 's');
    expect(listenAt(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    await laterEvents();
  });
});

describe('a terminal under Node', () => {
  it('keeps the last of an output that is read late', async () => {
    const { stdout, exited } = spawnInTerminal({
      file: '/bin/sh',
      argv: ['sh', '-c', 'seq 1 300'],
      env: {},
      cwd: '/',
      user: null,
      stdin: false,
      tty: true,
      endsWithUs: false,
    });
    let text = '';
    stdout.open({ onData: (bytes) => (text += bytes), onEnd: () => {}, onDrain: () => {} });
    stdout.pause();
    setTimeout(() => {
      stdout.resume();
    }, LONGER_THAN_THE_PACKAGE_WAITS_MS);
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(text.endsWith('299\r\n300\r\n')).toBe(true);
  });
});
