/** Hook directories that podman and Lifehook treat differently, as in the table of docs/container.md. */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { loadHooks, refusalsOf } from '../../src/lifecycles/container/hooksd/load.ts';
import { re2Compiler } from '../../src/model/re2.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { openPodmanBench, type PodmanBench } from './podman-bench.ts';

const compile = re2Compiler();
let bench: PodmanBench;

beforeAll(async () => {
  bench = await openPodmanBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

/** Gives the same directories to podman and to Lifehook at the same strictness, to compare their answers. */
async function judge(
  name: string,
  folders: readonly (readonly [name: string, text: string])[][],
): Promise<{ podman: number; ours: string[] }> {
  const paths: string[] = [];
  for (const [index, files] of folders.entries()) {
    const path = join(bench.folder, name, `${index}`);
    paths.push(path);
    await mkdir(path, { recursive: true });
    for (const [file, text] of files) {
      if (text === '/dev/null') await symlink(text, join(path, file));
      else await writeFile(join(path, file), text);
    }
  }
  const id = await bench.create([], ['/bin/true']);
  const { code } = await bench.init(id, paths);
  const set = await loadHooks({
    files: nodeFiles,
    compile,
    folders: paths,
    owners: [0],
    allowUntrusted: false,
  });
  const policy = { badFiles: 'refuse', brokenHooks: 'skip' } as const;
  return { podman: code, ours: refusalsOf(set, policy).map((one) => one.code) };
}
const good = '{"hook":"/bin/true","stages":["poststart"],"cmds":["."]}';

test('podman refuses every container for a bad file that a later directory masks', async () => {
  const folders = [[['a.json', '{']], [['a.json', good]]] as const;
  expect(
    await judge(
      'masked',
      folders.map((files) => [...files]),
    ),
  ).toEqual({ podman: 125, ours: [] });
});

test('podman refuses every container for a link to /dev/null, which here switches a hook off', async () => {
  const folders = [[['a.json', good]], [['a.json', '/dev/null']]] as const;
  expect(
    await judge(
      'null',
      folders.map((files) => [...files]),
    ),
  ).toEqual({ podman: 125, ours: [] });
});

test('podman accepts a malformed file after one whose program is missing', async () => {
  const missing = good.replace('/bin/true', '/nowhere');
  const files = [
    ['a.json', missing],
    ['b.json', '{'],
  ] as const;
  expect(await judge('chain', [[...files]])).toEqual({ podman: 0, ours: ['LHC101'] });
});

test('podman refuses every container for postexit, which only Lifehook runs', async () => {
  const file = good.replace('poststart', 'postexit');
  expect(await judge('postexit', [[['a.json', file]]])).toEqual({ podman: 125, ours: [] });
});

test('podman accepts a pattern that takes seconds to try, and a program that others may write', async () => {
  const slow = good.replace('"."', '"(.*a){900}"');
  expect(await judge('slow', [[['a.json', slow]]])).toEqual({ podman: 0, ours: ['LHC108'] });
  const program = join(bench.folder, 'open-program');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o777);
  const open = good.replace('/bin/true', program);
  expect(await judge('open', [[['a.json', open]]])).toEqual({ podman: 0, ours: ['LHC118'] });
});
