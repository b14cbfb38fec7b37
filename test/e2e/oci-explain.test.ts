/** `lifehook oci explain` as a user calls it. */
import { symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Explanation } from '../../src/lifecycles/container/explain.ts';
import { expectTrouble, openWorkbench, type Workbench } from './oci-workbench.ts';

let bench: Workbench;
const hookFile = (when: object, more: object = {}): object => ({
  version: '1.0.0',
  hook: { path: '/bin/true', args: ['true', 'now'] },
  when,
  stages: ['createRuntime'],
  ...more,
});
const tierIsWeb = { annotations: { '^com\\.example\\.tier$': '^web$' } };

beforeEach(async () => {
  bench = await openWorkbench();
  await bench.bundle('web', {});
});
afterEach(() => bench.close());

/**
 * Writes four hooks: one that matches, one that does not, one whose file in one directory masks that in another, and a
 * disabled one.
 */
async function writeFolders(): Promise<void> {
  await bench.writeJson('low/10-tier.json', hookFile(tierIsWeb));
  await bench.writeJson('low/20-mounts.json', hookFile({ hasBindMounts: true }));
  await bench.writeJson('low/30-twice.json', hookFile({ always: true }));
  await bench.writeJson(
    'high/30-twice.json',
    hookFile({ commands: ['/sh$'] }, { stages: ['prestart', 'poststop'] }),
  );
  await bench.writeJson('low/40-off.json', hookFile({ always: true }));
  await symlink('/dev/null', bench.path('high/40-off.json'));
}
const folders = ['--hooks-dir', 'low', '--hooks-dir', 'high'];

describe('lifehook oci explain BUNDLE', () => {
  beforeEach(writeFolders);

  it('prints for each file whether it is injected and why, and the order and patch', async () => {
    const { status, stdout, stderr } = await bench.oci('explain', 'web', ...folders);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const file = (name: string, ...lines: string[]): string =>
      [`  ${bench.path(name)}`, ...lines.map((line) => `    ${line}`)].join('\n');
    for (const part of [
      '  command      /bin/sh\n  annotations  com.example.tier=web\n  bind mounts  no\n',
      'Hook files (6)\n',
      file(
        'low/10-tier.json',
        'injected into createRuntime: every condition holds',
        String.raw`  annotations: true, `,
      ),
      '        annotation value "web" against "^web$": matches\n',
      file('low/20-mounts.json', 'not injected: the container has no bind mounts'),
      file('high/30-twice.json', 'injected into createRuntime, poststop: every condition holds'),
      '        process.args[0] "/bin/sh" against "/sh$": matches\n',
      file('low/30-twice.json', `masked: ${bench.path('high/30-twice.json')} has the same name`),
      file('high/40-off.json', 'disabled: it is a link to the null device'),
      file('low/40-off.json', `masked: ${bench.path('high/40-off.json')} has the same name`),
      [
        'Order',
        '  createRuntime',
        `    #0 /bin/true ["true","now"]  (${bench.path('low/10-tier.json')})`,
        `    #1 /bin/true ["true","now"]  (${bench.path('high/30-twice.json')})`,
        '  poststop',
        `    #0 /bin/true ["true","now"]  (${bench.path('high/30-twice.json')})`,
      ].join('\n'),
      'Patch to config.json\n  {"op":"add","path":"/hooks","value":{',
    ])
      expect(stdout).toContain(part);
  });

  it('prints the same facts as JSON', async () => {
    const { stdout: text } = await bench.oci('explain', 'web', ...folders);
    const answer = await bench.oci('explain', 'web', ...folders, '--output', 'json');
    expect(answer).toMatchObject({ status: 0, stderr: '' });
    const { facts, files, order, patch, problems } = JSON.parse(answer.stdout) as Explanation;
    expect(facts).toEqual({
      annotations: { 'com.example.tier': 'web' },
      args: ['/bin/sh', '-c', 'exit 0'],
      hasBindMounts: false,
    });
    expect(problems).toEqual([]);
    expect(text).toContain(`Hook files (${files.length})`);
    const said = files.flatMap(({ path, maskedBy, conditions }) => [
      path,
      ...(maskedBy === undefined ? [] : [`masked: ${maskedBy}`]),
      ...conditions.flatMap(({ name, holds, trials }) => [
        `${name}: ${String(holds)}`,
        ...trials.map(({ on, value, pattern, matched }) => {
          const verdict = matched ? 'matches' : 'does not match';
          return `${on} ${JSON.stringify(value)} against ${JSON.stringify(pattern)}: ${verdict}`;
        }),
      ]),
    ]);
    expect(said.length).toBeGreaterThan(files.length);
    for (const fact of said) expect(text).toContain(fact);
    const hooks = order.flatMap(({ stage, hooks: list }) => list.map(({ from }) => [stage, from]));
    expect(hooks).toEqual([
      ['createRuntime', bench.path('low/10-tier.json')],
      ['createRuntime', bench.path('high/30-twice.json')],
      ['poststop', bench.path('high/30-twice.json')],
    ]);
    expect(patch.length).toBeGreaterThan(0);
    for (const operation of patch) expect(text).toContain(JSON.stringify(operation));
  });

  it('keeps prestart on request', async () => {
    const { stdout } = await bench.oci('explain', 'web', ...folders, '--prestart', 'keep');
    expect(stdout).toContain('injected into prestart, poststop');
  });

  it('prefers the options to the values of the bundle', async () => {
    const annotations = ['--annotation', 'com.example.tier=db', '--annotation', 'note=a=b'];
    const others = ['--command', '/sbin/init', '--bind-mounts'];
    const { stdout } = await bench.oci('explain', 'web', ...folders, ...annotations, ...others);
    for (const part of [
      '  command      /sbin/init\n  annotations  com.example.tier=db, note=a=b\n  bind mounts  yes\n',
      'value "db" against "^web$": does not match',
      'process.args[0] "/sbin/init" against "/sh$": does not match',
      `  createRuntime\n    #0 /bin/true ["true","now"]  (${bench.path('low/20-mounts.json')})\n\n`,
    ])
      expect(stdout).toContain(part);
  });
});

describe('lifehook oci explain without a bundle', () => {
  it('reads the container from its options', async () => {
    await writeFolders();
    const container = ['--annotation', 'com.example.tier=web', '--no-bind-mounts'];
    const { status, stdout } = await bench.oci('explain', ...folders, ...container);
    expect(status).toBe(0);
    expect(stdout).toContain(
      '  command      (no process)\n  annotations  com.example.tier=web\n  bind mounts  no\n',
    );
    expect(stdout).toContain(
      `#0 /bin/true ["true","now"]  (${bench.path('low/10-tier.json')})\n\n`,
    );
  });

  it.each(['tier', '=web', ''])(
    'refuses the annotation %j, which is not a key=value pair',
    async (pair) => {
      await writeFolders();
      expectTrouble(await bench.oci('explain', ...folders, '--annotation', pair), 'LHG012');
    },
  );
});

describe('lifehook oci explain with invalid input', () => {
  it('refuses a missing directory, and one that is not a bundle', async () => {
    await writeFolders();
    expectTrouble(await bench.oci('explain', 'wbe', ...folders), 'LHC205');
    expectTrouble(await bench.oci('explain', 'low', ...folders), 'LHC205');
  });

  it('refuses a bundle that is not JSON, with its path', async () => {
    await bench.write('web/config.json', '{"hooks": }');
    const answer = await bench.oci('explain', 'web', '--hooks-dir', 'low');
    expectTrouble(answer, 'LHC201');
    expect(answer.stderr).toContain(`${bench.path('web/config.json')}:1:`);
  });

  it('explains the valid files next to a malformed one, reports that one and exits with 1', async () => {
    await writeFolders();
    const bad = await bench.write('high/50-bad.json', '{"version": "1.0.0",}');
    const { status, stdout, stderr } = await bench.oci('explain', 'web', ...folders);
    expect(status).toBe(1);
    expect(stdout).toContain(`  ${bad}\n    bad: The file is not JSON`);
    expect(stdout).toContain('injected into createRuntime: every condition holds');
    expect(stderr).toMatch(/^\S+50-bad\.json:1:\d+: error LHC101: .+ Next: .+\n$/);
    const json = await bench.oci('explain', 'web', ...folders, '-o', 'json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ problems: [{ code: 'LHC101' }] });
  });
});
