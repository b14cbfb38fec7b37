/** `lifehook oci convert` as a user calls it. */
import { mkdir, readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectTrouble, openWorkbench, type Workbench } from './oci-workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

/** The first example of the document that defines hooks.d, with a program that this host has. */
const old = {
  cmds: ['.*/init$', '.*/systemd$'],
  hook: '/bin/true',
  stages: ['prestart', 'poststop'],
};
const converted = {
  version: '1.0.0',
  hook: { path: '/bin/true' },
  when: { commands: ['.*/init$', '.*/systemd$'] },
  stages: ['prestart', 'poststop'],
};
/** "Or" between conditions, which a 1.0.0 file cannot express. */
const either = { ...old, annotations: ['^web$'] };

describe('lifehook oci convert', () => {
  it('prints a 1.0.0 file that lint accepts', async () => {
    await bench.writeJson('old.json', { ...old, arguments: ['--debug'] });
    const { status, stdout, stderr } = await bench.oci('convert', 'old.json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const hook = { path: '/bin/true', args: ['/bin/true', '--debug'] };
    expect(JSON.parse(stdout)).toEqual({ ...converted, hook });
    await bench.write('new/old.json', stdout);
    expect((await bench.oci('lint', 'new')).stdout).toBe('new: 0 errors, 0 warnings\n');
  });

  it('writes into a directory, reports the file, and overwrites none', async () => {
    await bench.writeJson('old.json', old);
    await mkdir(bench.path('new'));
    const first = await bench.oci('convert', 'old.json', '--out', 'new');
    expect(first).toEqual({ status: 0, stdout: '', stderr: 'wrote new/old.json\n' });
    expect(JSON.parse(await bench.read('new/old.json'))).toEqual(converted);
    await bench.write('new/old.json', 'mine');
    expectTrouble(await bench.oci('convert', 'old.json', '--out', 'new'), 'LHG011');
    expect(await bench.read('new/old.json')).toBe('mine');
    expect(await readdir(bench.path('new'))).toEqual(['old.json']);
  });

  it('refuses a directory that does not exist', async () => {
    await bench.writeJson('old.json', old);
    expectTrouble(await bench.oci('convert', 'old.json', '--out', 'nowhere'), 'LHG011');
  });

  it('refuses conditions that 1.0.0 cannot express, and writes nothing', async () => {
    await bench.writeJson('either.json', either);
    await mkdir(bench.path('new'));
    expectTrouble(await bench.oci('convert', 'either.json', '--out', 'new'), 'LHC150');
    expect(await readdir(bench.path('new'))).toEqual([]);
  });

  it('writes one file per condition on request', async () => {
    await bench.writeJson('either.json', either);
    await mkdir(bench.path('new'));
    const args = ['convert', 'either.json', '--per-condition', '--out', 'new'];
    const { status, stderr } = await bench.oci(...args);
    expect(status).toBe(0);
    const names = ['either.annotations.json', 'either.commands.json'];
    expect(stderr).toBe(names.map((name) => `wrote new/${name}\n`).join(''));
    expect((await readdir(bench.path('new'))).toSorted()).toEqual(names);
    const whens = await Promise.all(
      names.map(async (name) => JSON.parse(await bench.read(`new/${name}`)) as object),
    );
    expect(whens).toMatchObject([
      { when: { annotations: { '.*': '^web$' } } },
      { when: { commands: ['.*/init$', '.*/systemd$'] } },
    ]);
    const printed = await bench.oci('convert', 'either.json', '--per-condition');
    for (const name of names) expect(printed.stdout).toContain(`// ${name}\n`);
  });

  it('does not convert a 1.0.0 file', async () => {
    await bench.writeJson('new.json', converted);
    expect(await bench.oci('convert', 'new.json')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'new.json is a 1.0.0 file already: nothing to convert.\n',
    });
  });

  it('refuses a missing file, a directory, and a file that is not JSON', async () => {
    await bench.write('bad.json', '{"hook": "/bin/true",}');
    expectTrouble(await bench.oci('convert', 'missing.json'), 'LHM020');
    expectTrouble(await bench.oci('convert', '.'), 'LHM021');
    expectTrouble(await bench.oci('convert', 'bad.json'), 'LHC101');
  });
});
