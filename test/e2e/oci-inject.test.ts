/** `lifehook oci inject` as a user calls it. */
import { chmod, readdir, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectTrouble, openWorkbench, type Workbench } from './oci-workbench.ts';

/**
 * Text around `hooks` in the bundle's config.json: numbers that JSON.parse would round, odd spaces, unknown members.
 */
const before = `{ "ociVersion":"1.0.2","x-unknown" : [1.0, 1e2,{ }],
\t"process": {"args": ["/bin/sh"], "cwd": "/"},
  "annotations": {"com.example.tier":"web"},
  "linux": {"resources": {"memory": {"limit": 9223372036854771712}},
    "seccomp": {"syscalls": [{"args": [{"value": 18446744073709551615}]}]}}, "hooks":`;
const after = `  ,\r\n "root":{"path":"rootfs"} }\n\n`;
const own = '{"poststart": [ {"path":"/bin/own"} ]}';

const hook = { path: '/bin/true', args: ['true', 'a'], timeout: 5 };
const hookFile = {
  version: '1.0.0',
  hook,
  when: { annotations: { '^com\\.example\\.tier$': '^web$' } },
  stages: ['createRuntime', 'poststart'],
};

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
  await bench.write('web/config.json', `${before} ${own}${after}`, 0o640);
  await bench.writeJson('hooks.d/10-a.json', hookFile);
});
afterEach(() => bench.close());

const inject = (...args: string[]): ReturnType<Workbench['oci']> =>
  bench.oci('inject', 'web', '--hooks-dir', 'hooks.d', ...args);
const config = (): Promise<string> => bench.read('web/config.json');

describe('lifehook oci inject', () => {
  it('adds matching hooks after the existing ones, and changes no other byte (OCI-CASE36)', async () => {
    const { status, stdout, stderr } = await inject();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('config.json was changed: createRuntime 1, poststart 1\n');
    const text = await config();
    expect([text.startsWith(before), text.endsWith(after)]).toEqual([true, true]);
    const { hooks } = JSON.parse(text) as { hooks: unknown };
    expect(hooks).toEqual({ createRuntime: [hook], poststart: [{ path: '/bin/own' }, hook] });
  });

  it('changes nothing on a second run (OCI-CASE23)', async () => {
    await inject();
    const [text, { ino }] = [await config(), await stat(bench.path('web/config.json'))];
    expect((await inject()).stdout).toBe(
      'config.json is unchanged: createRuntime 1, poststart 1\n',
    );
    expect([await config(), (await stat(bench.path('web/config.json'))).ino]).toEqual([text, ino]);
  });

  it('keeps the mode of the file, and leaves no temporary file', async () => {
    await inject();
    expect((await stat(bench.path('web/config.json'))).mode & 0o7777).toBe(0o640);
    expect(await readdir(bench.path('web'))).toEqual(['config.json']);
  });

  it('does not change a bundle when no hook applies', async () => {
    await bench.writeJson('hooks.d/10-a.json', { ...hookFile, when: { commands: ['^/init$'] } });
    expect((await inject()).stdout).toBe('config.json is unchanged: no hook applies\n');
    expect(await config()).toBe(`${before} ${own}${after}`);
  });

  it.each([
    ['config.json', 'web/config.json', 0o660],
    ['its directory', 'web', 0o777],
    ['a hook file', 'hooks.d/10-a.json', 0o666],
    ['the hooks directory', 'hooks.d', 0o775],
  ])(
    'refuses when other users can write to %s, unless an option allows it',
    async (_, name, mode) => {
      await chmod(bench.path(name), mode);
      const answer = await inject();
      expectTrouble(answer, 'LHC112');
      expect(answer.stderr).toContain(bench.path(name));
      expect(await config()).toBe(`${before} ${own}${after}`);
      expect((await inject('--allow-untrusted')).stdout).toContain('config.json was changed');
      expect((await stat(bench.path(name))).mode & 0o777).toBe(mode);
    },
  );

  it('refuses the bundle for one malformed hook file, unless bad files are skipped', async () => {
    await bench.write('hooks.d/20-bad.json', '{');
    expectTrouble(await inject(), 'LHC101');
    expect(await config()).toBe(`${before} ${own}${after}`);
    const { status, stdout, stderr } = await inject('--bad-files', 'skip');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'config.json was changed: createRuntime 1, poststart 1\n',
    });
    expect(stderr).toContain('20-bad.json:1:2: warning LHC101');
  });

  it('skips hooks without their program, unless broken hooks fail (OCI-CASE16)', async () => {
    const broken = { ...hookFile, hook: { path: '/bin/no-such-program' } };
    await bench.writeJson('hooks.d/20-broken.json', broken);
    expectTrouble(await inject('--broken-hooks', 'fail'), 'LHC113');
    const { status, stdout, stderr } = await inject();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'config.json was changed: createRuntime 1, poststart 1\n',
    });
    expect(stderr).toContain('warning LHC113');
  });

  it('refuses a missing bundle, and one without config.json', async () => {
    expectTrouble(await bench.oci('inject', 'wbe', '--hooks-dir', 'hooks.d'), 'LHC205');
    expectTrouble(await bench.oci('inject', 'hooks.d', '--hooks-dir', 'hooks.d'), 'LHC205');
  });
});
