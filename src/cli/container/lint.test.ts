import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import type { Inputs } from '../lint/find-inputs.ts';
import { problemsOfFiles } from './lint.ts';

const hook = (stage: string): string =>
  JSON.stringify({
    version: '1.0.0',
    hook: { path: '/bin/true' },
    when: { always: true },
    stages: [stage],
  });

/** A directory with one valid and two invalid hook files. */
async function layHooks(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-lint-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, stage] of [
    ['good.json', 'prestart'],
    ['one.json', 'wrong'],
    ['two.json', 'wrong'],
  ] as const) {
    const file = join(folder, name);
    await writeFile(file, hook(stage));
    await chmod(file, 0o600);
  }
  return folder;
}

async function faultyFiles(hooks: string[], hookFiles: string[]): Promise<(string | undefined)[]> {
  const found = { hooks: new Set(hooks), hookFiles: new Set(hookFiles) };
  const problems = await problemsOfFiles(found as unknown as Inputs);
  return problems.map(({ at }) => at?.file);
}

it('reports only the problems of a hook file that is named', async () => {
  const folder = await layHooks();
  expect(await faultyFiles([], [join(folder, 'good.json')])).toEqual([]);
  expect(await faultyFiles([], [join(folder, '.', 'two.json')])).toEqual([
    join(folder, 'two.json'),
  ]);
});

it('reports the problems of every file of a directory, also if one of them is named', async () => {
  const folder = await layHooks();
  const all = [join(folder, 'one.json'), join(folder, 'two.json')];
  expect(await faultyFiles([folder], [])).toEqual(all);
  expect(await faultyFiles([folder], [join(folder, 'two.json')])).toEqual(all);
});

it('reports a problem of the directory for a file that is named', async () => {
  const folder = await layHooks();
  await chmod(folder, 0o777);
  expect(await faultyFiles([], [join(folder, 'good.json')])).toContain(folder);
});

it('reads nothing if there is no hook file', async () => {
  expect(await faultyFiles([], [])).toEqual([]);
});
