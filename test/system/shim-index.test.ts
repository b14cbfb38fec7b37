/** Tests the index of the hook directories: the wrapper must use a fresh index, and never a stale one. */
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { INDEX_FORMAT } from '../../src/lifecycles/container/index/hook-index.ts';
import { openWorld, type World } from './shim-world.ts';

/**
 * An index is not trusted for a file that changed less than this time before the index was made (OCI-I2). In
 * milliseconds.
 */
const grainMs = 2100;

const hook = (word: string): { command: string; stages: string[] } => ({
  command: `echo ${word} >> $1/out`,
  stages: ['poststop'],
});

/** Runs a container, and returns the words that its hooks wrote. */
async function wordsNow(world: World, said = /^$/): Promise<string[]> {
  await rm(join(world.folder, 'out'), { force: true });
  // Restores config.json, because the next injection would otherwise find the hooks of this one.
  const config = join(world.bundle, 'config.json');
  const before = await readFile(config);
  const { code, stderr } = await world.run(['run', world.id]);
  await rm(config);
  await appendFile(config, before);
  expect(code).toBe(0);
  expect(stderr).toMatch(said);
  return (await world.text('out')).split('\n').filter((word) => word !== '');
}

const inodeOf = async (path: string): Promise<number> => (await stat(path)).ino;

describe('the index of the hooks directories', () => {
  it('is stored, and is not rewritten while no file changes', async () => {
    await using world = await openWorld();
    await world.hook('10-one.json', hook('one'));
    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['one']);
    const first = await inodeOf(world.indexFile);
    expect(await wordsNow(world)).toEqual(['one']);
    expect(await inodeOf(world.indexFile)).toBe(first);
    expect((await stat(world.indexFile)).mode & 0o777).toBe(0o600);
  });

  it('follows files that are added, edited in place or removed, and a directory that is moved away and back', async () => {
    await using world = await openWorld();
    await world.hook('10-one.json', hook('one'));
    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['one']);

    await world.hook('20-two.json', hook('two'));
    expect(await wordsNow(world)).toEqual(['one', 'two']);
    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['one', 'two']);

    // The edited file keeps its length and its modification time, so only its change time differs.
    const edited = join(world.hooks, '10-one.json');
    await utimes(edited, 1_000_000_000, 1_000_000_000);
    expect(await wordsNow(world)).toEqual(['one', 'two']);
    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['one', 'two']);
    await world.hook('10-one.json', hook('eno'));
    await utimes(edited, 1_000_000_000, 1_000_000_000);
    expect(await wordsNow(world)).toEqual(['eno', 'two']);

    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['eno', 'two']);
    await rm(join(world.hooks, '20-two.json'));
    expect(await wordsNow(world)).toEqual(['eno']);

    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['eno']);
    await rename(world.hooks, `${world.hooks}.away`);
    expect(await wordsNow(world)).toEqual([]);
    await rename(`${world.hooks}.away`, world.hooks);
    expect(await wordsNow(world)).toEqual(['eno']);
  });

  it('follows a dangling link whose target is created, and a program that is installed', async () => {
    await using world = await openWorld();
    const elsewhere = join(world.folder, 'elsewhere');
    const program = join(world.folder, 'program');
    await mkdir(elsewhere);
    await symlink(join(elsewhere, 'late.json'), join(world.hooks, '10-late.json'));
    const missing = { hook: { path: program }, when: { always: true }, stages: ['poststop'] };
    const file = JSON.stringify({ version: '1.0.0', ...missing });
    const said = /^lifehook-runtime: \S+\/20-program\.json:1:\d+: warning LHC113: [^\n]+\n$/;
    await world.write('hooks.d/20-program.json', file);
    await wait(grainMs);
    expect(await wordsNow(world, said)).toEqual([]);

    await world.hook('late', hook('late'));
    await rename(join(world.hooks, 'late'), join(elsewhere, 'late.json'));
    expect(await wordsNow(world, said)).toEqual(['late']);

    await wait(grainMs);
    expect(await wordsNow(world, said)).toEqual(['late']);
    await world.write('program', `#!/bin/sh\necho program >> ${world.folder}/out\n`);
    await chmod(program, 0o755);
    expect(await wordsNow(world)).toEqual(['late', 'program']);
  });

  it('is rebuilt when it is damaged, truncated or writable by other users', async () => {
    await using world = await openWorld();
    await world.hook('10-one.json', hook('one'));
    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(['one']);
    const good = await readFile(world.indexFile, 'latin1');
    const forged = good.replaceAll('echo one', 'echo two');
    expect(forged).not.toBe(good);

    for (const bad of [
      '',
      'nonsense',
      good.slice(0, 200),
      good.slice(0, -50),
      good.replace(INDEX_FORMAT, 'lifehook-index 0'),
    ]) {
      await world.write('lib/hooks.index', bad);
      expect(await wordsNow(world)).toEqual(['one']);
      expect(await readFile(world.indexFile, 'latin1')).toContain(INDEX_FORMAT);
    }
    await world.write('lib/hooks.index', forged);
    await chmod(world.indexFile, 0o666);
    expect(await wordsNow(world)).toEqual(['one']);
  });

  it('is used when it cannot be stored', async () => {
    await using world = await openWorld();
    await world.write('lib', 'a file where the folder should be');
    await world.hook('10-one.json', hook('one'));
    expect(await wordsNow(world)).toEqual(['one']);
  });

  it('matches literal and RE2 patterns on annotations and commands like the hook files', async () => {
    await using world = await openWorld();
    const when = (name: string, conditions: object): Promise<void> =>
      world.hook(`${name}.json`, { ...hook(name), when: conditions });
    await when('10-literal', { annotations: { '^team$': '^blue$' } });
    await when('20-regex', { annotations: { '^te[a-z]m$': '(?i)^BLU.$' } });
    await when('30-command', { commands: ['^/bin/true$'] });
    await when('40-not', { commands: ['^/bin/truth$'] });
    await when('50-not', { annotations: { '^team$': '^r.d$' } });
    await when('60-all', { annotations: { '^team$': 'blue' }, commands: ['/tr[u]e$'] });
    await when('70-unicode', { annotations: { '^größe$': '^ü' } });
    await world.changeConfig((config) => {
      config['annotations'] = { team: 'blue', größe: 'über' };
    });
    const expected = ['10-literal', '20-regex', '30-command', '60-all', '70-unicode'];
    expect(await wordsNow(world)).toEqual(expected);
    await wait(grainMs);
    expect(await wordsNow(world)).toEqual(expected);
    expect(await wordsNow(world)).toEqual(expected);
  });
});
