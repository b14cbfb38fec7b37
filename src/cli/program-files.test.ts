import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Compiled, compiledName, loadCompiled } from './program-files.ts';

interface Part {
  readonly folderOf: (path: string) => string;
}

const TEXT = `(function (exports, require, module) {
  module.exports = { folderOf: (path) => require('node:path').dirname(path) };
})`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-compiled-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Each text has its own path, because V8 caches compiled code by path within a process. */
async function load(name: string, text: string, compiled?: Buffer): Promise<Compiled<Part>> {
  await writeFile(join(folder, `${name}.cjs`), text);
  if (compiled !== undefined) await writeFile(join(folder, compiledName(name)), compiled);
  return loadCompiled<Part>(folder, name);
}

function works({ exports }: Compiled<Part>): boolean {
  return exports.folderOf('/a/b') === '/a';
}

async function compile(): Promise<Buffer> {
  const part = await load('first', TEXT);
  works(part);
  return part.script.createCachedData();
}

describe('loadCompiled', () => {
  it('loads a module without a code cache', async () => {
    const part = await load('part', TEXT);
    expect(works(part)).toBe(true);
    expect(part.script.cachedDataRejected).toBeUndefined();
  });

  it('uses the code cache of an earlier run', async () => {
    const part = await load('second', TEXT, await compile());
    expect(part.script.cachedDataRejected).toBe(false);
    expect(works(part)).toBe(true);
  });

  it('loads a module whose code cache is for another text, truncated or empty', async () => {
    const compiled = await compile();
    for (const part of [
      await load('other', `${TEXT} `, compiled),
      await load('torn', TEXT, compiled.subarray(0, compiled.length - 1)),
      await load('empty', TEXT, Buffer.alloc(0)),
    ]) {
      expect(part.script.cachedDataRejected).toBe(true);
      expect(works(part)).toBe(true);
    }
  });

  it('loads the other parts that a module requires, and nothing else of its directory', async () => {
    await writeFile(join(folder, 'other.cjs'), TEXT);
    const text = `(function (exports, require, module) { module.exports = require('./other.cjs'); })`;
    expect(works(await load('first-part', text))).toBe(true);
  });

  it('throws ENOENT when the module is missing', () => {
    expect(() => loadCompiled(folder, 'missing')).toThrow(/ENOENT.*missing\.cjs/);
  });
});
