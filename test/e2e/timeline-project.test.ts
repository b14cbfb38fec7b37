/** The timeline of a project's sessions, as `lifehook ui` shows and exports it. These tests need no cluster. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';

import type { Bar, BarPage } from '../../src/timeline/bar.ts';
import type { Ended } from './cluster-stand.ts';
import { ALONE, emptyBuild, type Project, shellHook } from './pipeline-stand.ts';

const UI = ['ui', '--no-cluster', '--no-open', '--records', 'none'];

const FAILS = shellHook('echo compiling; until [ -e go ]; do sleep 0.05; done; exit 3');

function project(): Project {
  const one = emptyBuild({ ofImage: `{ before: [${FAILS}] }` });
  one.write('none/.keep', '');
  return one;
}

async function exported(one: Project, file: string): Promise<string> {
  const ended = await one.start([...UI, '--export', file], ALONE).ended;
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).toContain(`spans are in ${file}`);
  return one.read(file);
}

describe('the timeline of a project', () => {
  it('exports a failed hook with its position, its output and the command that reruns it', async () => {
    using one = project();
    one.write('go', '');
    expect((await one.start(['build', '--push'], ALONE).ended).code).toBe(3);
    const { bars, sources } = JSON.parse(await exported(one, 'out.json')) as BarPage;
    const hook = bars.find(({ kind }) => kind === 'hook');
    expect(hook).toMatchObject({
      lifecycle: 'pipeline',
      lane: 'build/web',
      point: 'build before',
      outcome: 'Failed',
      exitCode: 3,
      where: 'skaffold.yaml:8:25',
      stdout: 'compiling\n',
    });
    expect(hook?.next).toMatch(/^lifehook pipeline rerun [0-9a-f]{8}-1$/);
    expect(bars).toContainEqual(expect.objectContaining({ kind: 'phase', outcome: 'Failed' }));
    expect(sources.every(({ problem }) => problem === null)).toBe(true);
    const html = await exported(one, 'out.html');
    expect(html).toContain(`"id":"${hook?.id}"`);
    expect(html).not.toMatch(/(src|href)="https?:/);
  });

  it('lists its sessions as text, and shows one with the output of its failed hook', async () => {
    using one = project();
    one.write('go', '');
    await one.start(['build', '--push'], ALONE).ended;
    const sources = ['--no-cluster', '--records', 'none'];
    const runs = (...args: readonly string[]): Promise<Ended> =>
      one.start(['runs', ...args, ...sources], ALONE).ended;
    const { stdout: list } = await runs('list');
    const [, row = ''] = list.split('\n');
    expect(row).toMatch(
      /^\S+Z   pipeline    build [0-9a-f]{8}   build\/web   1       Failed    \d/,
    );
    const [id = ''] = /[0-9a-f]{8}(?= )/.exec(row.slice(row.indexOf('build'))) ?? [];
    const { stdout: shown } = await runs('show', id);
    expect(shown).toContain('build/web  build before build/web/before/0: Failed in ');
    expect(shown).toContain('at skaffold.yaml:8:25\n            | compiling\n');
    expect(shown).toContain(`next: lifehook pipeline rerun ${id}-1\n`);
    expect(JSON.parse((await runs('list', '-o', 'json')).stdout)).toMatchObject([{ bars: 2 }]);
    expect((await runs('list', '--lifecycle', 'pod')).stdout).not.toContain('pipeline');
    expect(await runs('show', 'other')).toMatchObject({ code: 1, stdout: '' });
  });

  it('warns of a source that cannot be read, and exports the others', async () => {
    using one = project();
    const server = 'http://127.0.0.1:1';
    const away = { name: 'away', cluster: { server } };
    const contexts = [{ name: 'away', context: { cluster: 'away', user: 'me' } }];
    const users = [{ name: 'me', user: { token: 't' } }];
    const config = { 'current-context': 'away', clusters: [away], contexts, users };
    one.write('config', JSON.stringify(config));
    const args = ['--kubeconfig', 'config', '--records', 'none', '--export', 'out.json'];
    const ended = await one.start(['ui', ...args], ALONE).ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /^warning: cluster away is incomplete: .*ECONNREFUSED.*\(and 5 more\)$/m,
    );
    const { sources } = JSON.parse(one.read('out.json')) as BarPage;
    expect(sources).toContainEqual(
      expect.objectContaining({ name: 'cluster away', problem: expect.stringContaining(server) }),
    );
  });

  it('shows a hook while it runs and after it to a browser with the link, until Ctrl-C', async () => {
    using one = project();
    const building = one.start(['build', '--push'], ALONE);
    await building.seen('compiling');
    const ui = one.start(UI, ALONE);
    await ui.seen('Press Ctrl-C to stop it');
    const [link = ''] = /http:\S+/.exec(ui.out()) ?? [];
    const { origin } = new URL(link);
    expect((await fetch(origin)).status).toBe(401);
    const login = await fetch(link);
    const [cookie = ''] = login.headers.getSetCookie().map((header) => header.split(';')[0] ?? '');
    const headers = { cookie };
    const page = await fetch(origin, { headers });
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sha256-/);
    expect(await page.text()).toContain('<html');
    const bars = async (): Promise<readonly Bar[]> =>
      ((await (await fetch(`${origin}/api/bars`, { headers })).json()) as BarPage).bars;
    await expect
      .poll(async () => (await bars()).find(({ kind }) => kind === 'hook'), { timeout: 60_000 })
      .toMatchObject({ outcome: 'Running', endMs: null });
    const request = get(`${origin}/api/events`, { headers, agent: false });
    const [events] = (await once(request, 'response')) as [IncomingMessage];
    one.write('go', '');
    let reported = '';
    for await (const piece of events.setEncoding('utf8')) {
      reported += String(piece);
      if (reported.includes('"exitCode":3')) break;
    }
    expect(reported).toContain('event: bar');
    ui.child.kill('SIGINT');
    expect((await ui.ended).code).toBe(0);
    await building.ended;
  });
});
