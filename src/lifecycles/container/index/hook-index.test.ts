import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import { nodeFingerprints } from '../../../platform/node-fingerprint.ts';
import type { RandomAccess } from '../../../platform/shim-host.ts';
import type { ContainerFacts } from '../hooksd/hook-file.ts';
import { re2Compiler } from '../../../model/re2.ts';
import { buildIndex, type BuildOptions } from './build-index.ts';
import { INDEX_FORMAT, readIndex, type HookIndex } from './hook-index.ts';
import { guardsHold } from './index-watch.ts';

const builtAtMs = 1_000_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-index-'));
  await mkdir(join(folder, 'hooks.d'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const seeing = (hash: number, newestMs: number): Fingerprints => ({
  fingerprint: () => ({ hash, newestMs }),
});

/** Files that last changed long before the index is made. */
const settled = seeing(7, builtAtMs - 60_000);

const options = (): BuildOptions => ({
  files: nodeFiles,
  compile: re2Compiler(),
  folders: [join(folder, 'hooks.d')],
  owners: [0, process.getuid?.() ?? 0],
  allowUntrusted: false,
  policy: { badFiles: 'refuse', brokenHooks: 'skip' },
  clock: { nowMs: () => builtAtMs, monotonicMs: () => 0 },
  fingerprints: settled,
});

const inMemory = (text: string): RandomAccess => ({
  read: async (from, length) => text.slice(from, from + length),
  close: () => undefined,
});

function hookFile(name: string, when: object): Promise<void> {
  const file = { version: '1.0.0', hook: { path: '/bin/sh' }, when, stages: ['poststop'] };
  return writeFile(join(folder, 'hooks.d', name), JSON.stringify(file));
}

async function built(change: Partial<BuildOptions> = {}): Promise<string> {
  return (await buildIndex({ ...options(), ...change })).text;
}

function read(text: string, fingerprints = settled): Promise<HookIndex | null> {
  return readIndex(inMemory(text), options(), fingerprints);
}

const facts = (command: string, annotations = {}): ContainerFacts => ({
  annotations,
  args: [command],
  hasBindMounts: false,
});

async function namesFor(text: string, container: ContainerFacts): Promise<string[] | undefined> {
  return (await (await read(text))?.candidates(container))?.map(({ name }) => name);
}

describe('readIndex', () => {
  it('gives only the files that may match, in order', async () => {
    await hookFile('20-sh.json', { commands: ['^/bin/sh$', '^/bin/dash$'] });
    await hookFile('10-all.json', { always: true });
    await hookFile('30-team.json', { annotations: { '^team$': '^bl[u]e$' } });
    const text = await built();
    expect(await namesFor(text, facts('/bin/sh'))).toEqual(['10-all.json', '20-sh.json']);
    expect(await namesFor(text, facts('/bin/dash', { team: 'blx' }))).toEqual([
      '10-all.json',
      '20-sh.json',
      '30-team.json',
    ]);
    expect(await namesFor(text, facts('/bin/true'))).toEqual(['10-all.json']);
    // The key alone is not enough.
    expect(await namesFor(text, facts('/bin/true', { team: 'x' }))).toEqual(['10-all.json']);
  });

  it('gives all files for a container without a command', async () => {
    await hookFile('10-sh.json', { always: true, commands: ['^/bin/sh$'] });
    const text = await built();
    for (const args of [undefined, []]) {
      expect(await namesFor(text, { ...facts(''), args })).toEqual(['10-sh.json']);
    }
  });

  it('gives each file as it was loaded, positions included', async () => {
    await hookFile('10-größe.json', { annotations: { '^größe$': '^ü' } });
    const { text, set } = await buildIndex(options());
    expect(Buffer.byteLength(text)).toBe(text.length);
    const files = await (await read(text))?.candidates(facts('/x', { größe: 'ü' }));
    expect(files).toEqual(set.active);
  });

  it('reads the index of a directory without files', async () => {
    expect(await namesFor(await built(), facts('/bin/sh'))).toEqual([]);
  });

  it('gives null when the fingerprint of the directories has changed (OCI-I1)', async () => {
    expect(await read(await built(), seeing(8, builtAtMs - 60_000))).toBeNull();
  });

  it('gives null when a file changed within 2 s before the index was built, or later (OCI-I2)', async () => {
    const text = await built();
    expect(await read(text, seeing(7, builtAtMs - 2001))).not.toBeNull();
    expect(await read(text, seeing(7, builtAtMs - 2000))).toBeNull();
    expect(await read(text, seeing(7, builtAtMs + 1))).toBeNull();
  });

  it.each<[string, Partial<BuildOptions>]>([
    ['directories', { folders: ['/elsewhere'] }],
    ['trust', { allowUntrusted: true }],
    ['owners', { owners: [0, 12_345] }],
    ['policy', { policy: { badFiles: 'skip', brokenHooks: 'fail' } }],
  ])('gives null when the index was built for other %s (OCI-I3)', async (_name, change) => {
    expect(await read(await built(change))).toBeNull();
  });

  it('gives null when the index has another format (OCI-I3)', async () => {
    const text = await built();
    expect(await read(text.replace(INDEX_FORMAT, 'lifehook-index 0'))).toBeNull();
  });

  it('gives null when the head of the index is damaged, and rejects when a line is damaged', async () => {
    await hookFile('10-all.json', { always: true });
    const text = await built();
    for (const bad of ['', 'lifehook', text.slice(0, 40), text.replace('{', '['), `x${text}`]) {
      expect(await read(bad)).toBeNull();
    }
    const cut = await read(text.slice(0, -20));
    await expect(cut?.candidates(facts('/bin/sh'))).rejects.toThrow(SyntaxError);
  });

  it('gives the problems that refuse every container', async () => {
    await writeFile(join(folder, 'hooks.d', 'bad.json'), '{');
    const index = await read(await built());
    expect(index?.refusals.map(({ code }) => code)).toEqual(['LHC101']);
  });
});

it('an index is stale when the interpreter of a program that is a script changes', async () => {
  const [program, interpreter] = [join(folder, 'program'), join(folder, 'lib/interpreter')];
  await mkdir(join(folder, 'lib'));
  await writeFile(interpreter, '', { mode: 0o755 });
  await writeFile(program, `#!${interpreter}\n`, { mode: 0o755 });
  const file = { version: '1.0.0', hook: { path: program }, when: { always: true } };
  await writeFile(
    join(folder, 'hooks.d/a.json'),
    JSON.stringify({ ...file, stages: ['poststop'] }),
  );
  const places: string[] = [];
  const seen: Fingerprints = {
    fingerprint: (at, names) => {
      places.push(...names.split('/').map((name) => `${at}/${name}`));
      return { hash: 7, newestMs: 0 };
    },
  };
  const index = await read(await built({ fingerprints: seen }), seen);
  expect(places).toContain(interpreter);
  expect(index?.guards).toContainEqual([join(folder, 'lib'), true]);
});

describe('OCI-I4: an index is stale when the trust in a directory above what it was made of changes', () => {
  it('and fresh again with it, although no file has changed', async () => {
    await hookFile('a.json', { always: true });
    const index = await read(await built());
    const holds = (): Promise<boolean> =>
      guardsHold(nodeFiles, index?.guards ?? [], {
        owners: options().owners,
        allowUntrusted: false,
      });
    expect(await holds()).toBe(true);
    await chmod(folder, 0o777);
    expect(await holds()).toBe(false);
    const refusing = await read(await built());
    expect(refusing?.refusals).toMatchObject([{ code: 'LHC112' }]);
    await chmod(folder, 0o755);
    const guards = refusing?.guards ?? [];
    expect(await guardsHold(nodeFiles, guards, { ...options() })).toBe(false);
  });

  it('and at no other change of that directory', async () => {
    await hookFile('a.json', { always: true });
    // Built so late that no file counts as changed shortly before.
    const clock = { nowMs: () => Date.now() + 60_000, monotonicMs: () => 0 };
    const text = await built({ clock, fingerprints: nodeFingerprints });
    await writeFile(join(folder, 'another'), '');
    await chmod(folder, 0o711);
    const index = await read(text, nodeFingerprints);
    expect(index).not.toBeNull();
    expect(await guardsHold(nodeFiles, index?.guards ?? [], options())).toBe(true);
  });

  it('and when a directory above a missing hook directory is removed', async () => {
    const above = join(folder, 'etc');
    await mkdir(above);
    const change = { folders: [join(above, 'oci/hooks.d')] };
    const index = await readIndex(
      inMemory(await built(change)),
      { ...options(), ...change },
      settled,
    );
    const guards = index?.guards ?? [];
    expect(guards).toContainEqual([above, true]);
    await rm(above, { recursive: true });
    expect(await guardsHold(nodeFiles, guards, options())).toBe(false);
  });
});
