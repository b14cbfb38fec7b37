/** Tests hooks under the runner and real runc: the numbers are those of conformance cases. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { openWorld, POLL, type World } from './shim-world.ts';

const allStages = ['createRuntime', 'createContainer', 'poststart', 'poststop'];
const report = 'echo $LIFEHOOK_STAGE >> $1/out';

interface State {
  readonly id: string;
  readonly status: string;
  readonly pid?: number;
  readonly bundle: string;
  readonly annotations: Record<string, string>;
}

async function states(world: World): Promise<[stage: string, state: State][]> {
  const lines = (await world.text('states')).trimEnd().split('\n');
  return lines.map((line) => {
    const [stage = '', text = ''] = line.split('\t');
    return [stage, JSON.parse(text) as State];
  });
}

/** Returns "R", "S", "D", or "Z" for a zombie, and "" after the process was reaped. */
async function stateOf(pid: string): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.split(') ')[1]?.slice(0, 1) ?? '';
}

describe('hooks under the wrapper and runc', () => {
  it('run at every stage in order, startContainer inside the container', async () => {
    await using world = await openWorld();
    await world.hook('10-host.json', { command: report, stages: ['prestart', ...allStages] });
    await world.hook('20-inside.json', {
      command: 'echo startContainer > /tmp/inside',
      stages: ['startContainer'],
    });
    await world.changeConfig((config) => {
      config['root'] = { path: 'rootfs', readonly: false };
    });
    expect(await world.run(['run', world.id])).toMatchObject({ code: 0, stderr: '' });
    expect(await world.text('out')).toBe(`${allStages.join('\n')}\n`);
    expect(await world.text('bundle/rootfs/tmp/inside')).toBe('startContainer\n');
    const { hooks } = (await world.config()) as { hooks: Record<string, { path: string }[]> };
    expect(hooks['startContainer']?.[0]?.path).toBe('/bin/sh');
  });

  it('run in the stage prestart when prestart is set to keep', async () => {
    await using world = await openWorld({ settings: { prestart: 'keep' } });
    await world.hook('10-one.json', { command: report, stages: ['prestart'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('prestart\n');
  });

  it('get the state of the specification at each stage (OCI-CASE32)', async () => {
    await using world = await openWorld();
    const command = '{ printf "$LIFEHOOK_STAGE\\t"; cat; echo; } >> $1/states';
    await world.hook('10-state.json', { command, stages: allStages });
    expect((await world.run(['create', world.id])).code).toBe(0);
    const { pid } = JSON.parse((await world.run(['state', world.id])).stdout) as State;
    expect((await world.run(['start', world.id])).code).toBe(0);
    await expect
      .poll(async () => (await world.run(['state', world.id])).stdout, POLL)
      .toContain('"stopped"');
    expect((await world.run(['delete', world.id])).code).toBe(0);
    const seen = await states(world);
    for (const [, state] of seen) {
      expect(state).toMatchObject({
        id: world.id,
        bundle: world.bundle,
        annotations: { team: 'blue' },
      });
    }
    const statuses = seen.map(([stage, { status, pid: reported }]) => [stage, status, reported]);
    expect(statuses).toEqual([
      ['createRuntime', 'creating', pid],
      ['createContainer', 'creating', 1],
      ['poststart', 'running', pid],
      ['poststop', 'stopped', undefined],
    ]);
  });

  it('get exactly their argv (OCI-CASE28)', async () => {
    await using world = await openWorld();
    const hook = (args: string[]): object => ({
      version: '1.0.0',
      hook: { path: '/bin/busybox', args },
      when: { always: true },
      stages: ['createRuntime'],
    });
    for (const args of [
      ['cat', '/nosuchfile'],
      ['busybox', 'cat', '/nosuchfile'],
    ]) {
      await world.write('hooks.d/10-argv.json', JSON.stringify(hook(args)));
      const { code, stderr } = await world.run(['run', world.id]);
      expect(code).toBe(1);
      expect(stderr).toContain("cat: can't open '/nosuchfile'");
    }
  });

  it('get their own environment and no variable of the host (OCI-CASE25)', async () => {
    await using world = await openWorld();
    const command = 'env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort >> $1/env';
    await world.hook('10-none.json', { command, stages: ['createRuntime'] });
    expect((await world.run(['run', world.id], { env: { HOST_SECRET: 'x' } })).code).toBe(0);
    const ours = (hook: string): string =>
      `LIFEHOOK_ATTEMPT=1\nLIFEHOOK_CONTAINER_ID=${world.id}\nLIFEHOOK_HOOK=${hook}\nLIFEHOOK_STAGE=createRuntime\n`;
    expect(await world.text('env')).toBe(ours('10-none.json'));
  });

  it('fail create with stage and index when one fails: no later hook runs, poststop does (OCI-CASE29)', async () => {
    await using world = await openWorld();
    await world.hook('10-good.json', { command: report, stages: ['createRuntime'] });
    await world.hook('20-bad.json', {
      command: 'echo went wrong >&2; exit 3',
      stages: ['createRuntime'],
    });
    await world.hook('30-later.json', { command: report, stages: ['createRuntime'] });
    await world.hook('90-last.json', { command: report, stages: ['poststop'] });
    const { code, stderr } = await world.run(['create', world.id]);
    expect(code).toBe(1);
    expect(stderr).toContain('went wrong');
    expect(stderr).toMatch(/createRuntime hook 20-bad\.json \(index 1, .*exited with code 3/);
    expect(await world.text('out')).toBe('createRuntime\npoststop\n');
    expect((await world.run(['state', world.id])).code).toBe(1);
  });

  it('fail the container when a poststart hook fails, or only warn if configured (OCI-CASE30)', async () => {
    await using strict = await openWorld();
    await strict.hook('10-bad.json', { command: 'exit 1', stages: ['poststart'] });
    await strict.hook('90-last.json', { command: report, stages: ['poststop'] });
    const refused = await strict.run(['run', strict.id]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('poststart hook 10-bad.json');
    expect(await strict.text('out')).toBe('poststop\n');
    expect((await strict.run(['state', strict.id])).code).toBe(1);

    const hooks = { '10-bad.json': { onFailure: 'warn' } };
    await using lax = await openWorld({ settings: { hooks } });
    await lax.hook('10-bad.json', { command: 'exit 1', stages: ['poststart'] });
    expect((await lax.run(['run', lax.id])).code).toBe(0);
  });

  it('continue with the next poststop hook when one fails (OCI-CASE31)', async () => {
    await using world = await openWorld();
    await world.hook('10-bad.json', { command: 'exit 1', stages: ['poststop'] });
    await world.hook('20-good.json', { command: report, stages: ['poststop'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('poststop\n');
    const [bad, good] = await world.records();
    expect([bad?.outcome, good?.outcome]).toEqual(['Failed', 'Succeeded']);
  });

  it('are killed at their deadline with their child processes, and their output is kept (OCI-CASE26)', async () => {
    await using world = await openWorld();
    const command = 'echo before >&2; sleep 601 & echo $! > $1/child; sleep 602';
    const hook = { path: '/bin/sh', args: ['sh', '-c', command, 'sh', world.folder], timeout: 5 };
    const file = { version: '1.0.0', hook, when: { always: true }, stages: ['createRuntime'] };
    await world.write('hooks.d/10-slow.json', JSON.stringify(file));
    // Without the runner, runc would wait for the grandchild, which holds runc's pipe for longer than a test may take.
    const { code, stderr } = await world.run(['run', world.id]);
    expect(code).toBe(1);
    expect(stderr).toContain('before');
    expect(stderr).toMatch(/did not end within 5 s/);
    const child = (await world.text('child')).trim();
    expect(child).toMatch(/^\d+$/);
    await expect.poll(() => stateOf(child), POLL).not.toMatch(/^[RSD]$/);
    expect((await world.records())[0]?.outcome).toBe('TimedOut');
  });

  it.each([
    { policy: { onFailure: 'warn' }, code: 0, out: 'bad\nlater\n', attempts: 1 },
    { policy: { onFailure: 'retry', retries: 2 }, code: 1, out: 'bad\nbad\nbad\n', attempts: 3 },
  ])('follow the policy $policy', async ({ policy, code, out, attempts }) => {
    const hooks = { '10-bad.json': policy };
    await using world = await openWorld({ settings: { hooks } });
    await world.hook('10-bad.json', {
      command: 'echo bad >> $1/out; exit 1',
      stages: ['createRuntime'],
    });
    await world.hook('20-later.json', {
      command: 'echo later >> $1/out',
      stages: ['createRuntime'],
    });
    expect((await world.run(['run', world.id])).code).toBe(code);
    expect(await world.text('out')).toBe(out);
    const records = await readFile(join(world.spool, (await world.spoolNames())[0] ?? ''), 'utf8');
    expect(records.match(/"AttemptStarted"/g)).toHaveLength(attempts);
  });

  it('leave a record that only root can read, and no unfinished record', async () => {
    await using world = await openWorld();
    await world.hook('10-one.json', { command: 'echo said', stages: ['poststart'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    const [record] = await world.records();
    expect(record?.outline).toMatchObject({
      type: 'HookRun',
      container: world.id,
      bundle: world.bundle,
      stage: 'poststart',
      hook: '10-one.json',
      index: 0,
    });
    expect(record?.result).toMatchObject({ outcome: 'Succeeded', stdout: { text: 'said\n' } });
    const names = await world.spoolNames();
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
    const modes = execFileSync('stat', [
      '-c',
      '%a',
      world.spool,
      join(world.spool, names[0] ?? ''),
    ]);
    expect(modes.toString()).toBe('700\n600\n');
  });

  it('run without the runner and without a record when wrap is false', async () => {
    await using world = await openWorld({ settings: { wrap: false } });
    await world.hook('10-bare.json', { command: 'echo bare >> $1/out', stages: ['poststart'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('bare\n');
    expect(await world.spoolNames()).toEqual([]);
  });

  it('run with a warning when no record can be written', async () => {
    await using world = await openWorld();
    await world.write('spool', 'a file where the folder should be');
    await world.hook('10-one.json', {
      command: 'echo ran >> $1/out; exit 1',
      stages: ['poststart'],
    });
    const { code, stderr } = await world.run(['run', world.id]);
    expect({ code, reported: stderr.includes('LHC303') }).toEqual({ code: 1, reported: true });
    expect(await world.text('out')).toBe('ran\n');
  });
});
