/** `lifehook oci lint` as a user calls it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectTrouble, openWorkbench, type Workbench } from './oci-workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

/** The second example of the document that defines hooks.d, verbatim: it lacks a comma. */
const exampleTwo = `{
"hasbindmounts": true,
"hook": "/usr/libexec/oci/hooks.d/oci-umount",
"stages": [ "prestart" ]
"arguments": [ "--debug" ]
}
`;

const good = {
  version: '1.0.0',
  hook: { path: '/bin/sh' },
  when: { always: true },
  stages: ['createRuntime', 'startContainer'],
};

describe('lifehook oci lint', () => {
  it('reports file, line and column of the missing comma in the second example of the document (OCI-CASE13)', async () => {
    const file = await bench.write('hooks.d/oci-umount.json', exampleTwo);
    const { status, stdout, stderr } = await bench.oci('lint', 'hooks.d');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    const [problem = '', summary, ...rest] = stdout.split('\n');
    expect(problem).toContain(`${file}:5:1: error LHC101: `);
    expect(problem).toMatch(/ Next: .+$/);
    expect([summary, ...rest]).toEqual(['hooks.d: 1 error, 0 warnings', '']);
  });

  it('prints the same problems as JSON', async () => {
    const file = await bench.write('hooks.d/oci-umount.json', exampleTwo);
    await bench.writeJson('hooks.d/never.json', { ...good, when: {} });
    const { status, stdout } = await bench.oci('lint', 'hooks.d', '--output', 'json');
    expect(status).toBe(1);
    const text = expect.stringMatching(/^[A-Z].+\.$/);
    const { findings } = JSON.parse(stdout) as { findings: unknown };
    expect(findings).toEqual([
      {
        code: 'LHC130',
        severity: 'warning',
        message: text,
        file: bench.path('hooks.d/never.json'),
        line: 1,
        column: expect.any(Number),
        path: null,
        next: text,
      },
      {
        code: 'LHC101',
        severity: 'error',
        message: text,
        file,
        line: 5,
        column: 1,
        path: null,
        next: text,
      },
    ]);
  });

  it('exits with 0 when there are only warnings', async () => {
    await bench.writeJson('hooks.d/never.json', { ...good, when: {} });
    const { status, stdout } = await bench.oci('lint', 'hooks.d');
    expect(status).toBe(0);
    expect(stdout).toContain('warning LHC130');
    expect(stdout).toContain('\nhooks.d: 0 errors, 1 warning\n');
  });

  it('reports no problem of a valid file', async () => {
    await bench.writeJson('hooks.d/good.json', good);
    expect(await bench.oci('lint', 'hooks.d')).toEqual({
      status: 0,
      stdout: 'hooks.d: 0 errors, 0 warnings\n',
      stderr: '',
    });
    const { stdout } = await bench.oci('lint', 'hooks.d', '-o', 'json');
    const counts = { errors: 0, warnings: 0 };
    expect(JSON.parse(stdout)).toEqual({
      ...counts,
      files: ['hooks.d'],
      skipped: [],
      findings: [],
    });
  });

  it('refuses a named directory that does not exist', async () => {
    const { status, stdout } = await bench.oci('lint', 'hokks.d');
    expect(status).toBe(1);
    expect(stdout).toContain(`${bench.path('hokks.d')}:1:1: error LHC144: `);
  });

  it('checks every directory, and refuses files that other users can write unless an option allows it', async () => {
    await bench.writeJson('one/good.json', good);
    await bench.write('two/bad.json', exampleTwo);
    await bench.write('two/open.json', JSON.stringify(good), 0o666);
    const strict = await bench.oci('lint', 'one', 'two');
    expect(strict.stdout).toContain('two/open.json:1:1: error LHC112');
    expect(strict.stdout).toContain('2 errors, 0 warnings\n');
    const open = await bench.oci('lint', 'one', 'two', '--allow-untrusted');
    expect(open.stdout).not.toContain('LHC112');
    expect(open.stdout).toContain('1 error, 0 warnings\n');
  });
});

describe('lifehook oci lint --runtime', () => {
  beforeEach(() => bench.writeJson('hooks.d/good.json', good));

  const runtime = (features: string): Promise<string> =>
    bench.write('runtime', `#!/bin/sh\n[ "$1" = features ] || exit 9\n${features}\n`, 0o755);

  it('names the stages that the runtime does not support', async () => {
    const path = await runtime(`echo '{"hooks":["prestart","createRuntime"]}'`);
    const { status, stdout } = await bench.oci('lint', 'hooks.d', '--runtime', path);
    expect(status).toBe(0);
    expect(stdout).toContain('warning LHC141');
    expect(stdout).toContain('startContainer');
    expect(stdout).toContain('\nhooks.d: 0 errors, 1 warning\n');
  });

  it.each([
    ['has no command "features"', 'exit 1', 'exited with code 1'],
    ['prints something other than JSON', 'echo usage', 'did not print a list of hooks'],
    ['prints no list of hooks', 'echo "{}"', 'did not print a list of hooks'],
  ])('refuses a runtime that %s', async (_, features, reason) => {
    const answer = await bench.oci('lint', 'hooks.d', '--runtime', await runtime(features));
    expectTrouble(answer, 'LHG010');
    expect(answer.stderr).toContain(reason);
  });

  it('refuses a runtime that does not exist', async () => {
    expectTrouble(await bench.oci('lint', 'hooks.d', '--runtime', 'no-such-runtime'), 'LHG010');
  });

  it('fails at its timeout when the runtime does not answer', async () => {
    const path = await runtime('while [ -e "$0" ]; do sleep 0.1; done');
    const answer = await bench.oci('lint', 'hooks.d', '--runtime', path);
    expectTrouble(answer, 'LHG010');
    expect(answer.stderr).toContain('did not end within 5 s');
  });
});
