/** Tests what the wrapper and the runner add under crun, which omits more of the specification than runc does. */
import { describe, expect, it } from 'vitest';

import { readdirSync, readFileSync } from 'node:fs';

import { openWorld, POLL, type RunOptions, type World } from './shim-world.ts';

const report = 'echo $LIFEHOOK_STAGE >> $1/out';

describe('hooks under the wrapper and crun', () => {
  it('run at every stage, with the state of the specification (OCI-CASE32)', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    const command = '{ printf "$LIFEHOOK_STAGE "; cat; echo; } >> $1/states';
    const stages = ['createRuntime', 'createContainer', 'poststart', 'poststop'];
    await world.hook('10-state.json', { command, stages });
    expect(await world.run(['run', world.id])).toMatchObject({ code: 0, stderr: '' });
    const lines = (await world.text('states')).trimEnd().split('\n');
    const seen = lines.map((line) => {
      const state = JSON.parse(line.slice(line.indexOf(' '))) as { status: string; pid?: number };
      return [line.slice(0, line.indexOf(' ')), state.status, state.pid];
    });
    const host = expect.any(Number) as number;
    expect(seen).toEqual([
      ['createRuntime', 'created', host],
      ['createContainer', 'created', 1],
      ['poststart', 'running', host],
      ['poststop', 'stopped', undefined],
    ]);
  });

  it('run every poststop hook after a create that failed (OCI-CASE29 and OCI-CASE31)', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    await world.changeConfig((config) => {
      const command = `cat > ${world.folder}/own; echo own >> ${world.folder}/out; env > ${world.folder}/env`;
      config['hooks'] = { poststop: [{ path: '/bin/sh', args: ['sh', '-c', command] }] };
    });
    await world.hook('10-good.json', { command: report, stages: ['createRuntime'] });
    await world.hook('20-bad.json', { command: 'exit 3', stages: ['createRuntime'] });
    await world.hook('30-later.json', { command: report, stages: ['createRuntime'] });
    await world.hook('80-fails.json', { command: 'exit 1', stages: ['poststop'] });
    await world.hook('90-last.json', { command: report, stages: ['poststop'] });
    const { code, stderr } = await world.run(['create', world.id], { env: { HOST_SECRET: 'x' } });
    expect(code).toBe(255);
    expect(stderr).toContain('error executing hook');
    expect(stderr).toContain('poststop hook 80-fails.json');
    expect(await world.text('out')).toBe('createRuntime\nown\npoststop\n');
    expect(JSON.parse(await world.text('own'))).toEqual({
      ociVersion: expect.any(String) as string,
      id: world.id,
      status: 'stopped',
      bundle: world.bundle,
      annotations: { team: 'blue' },
    });
    expect(await world.text('env')).not.toContain('HOST_SECRET');
  });

  it('have their own last words in the error of the runtime, and in the one line of its log', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    const command = 'echo no licence left >&2; exit 4';
    await world.hook('20-refuses.json', { command, stages: ['createRuntime'] });
    const log = `${world.folder}/log`;
    const options = ['--log', log, '--log-format', 'json'];
    const { code, stderr } = await world.run([...options, 'create', world.id]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('The createRuntime hook 20-refuses.json failed.');
    expect(stderr).toContain('no licence left');
    const reported = JSON.parse(await world.text('log')) as { msg: string };
    expect(reported.msg).toMatch(/error executing hook.*20-refuses\.json.*no licence left/s);
  });

  it('have their last words in the error of a start that a poststart hook fails', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    const command = 'echo no route >&2; exit 1';
    await world.hook('10-bad.json', { command, stages: ['poststart'] });
    expect((await world.run(['create', world.id])).code).toBe(0);
    const { stderr } = await world.run(['start', world.id]);
    expect(stderr).toMatch(/LHC317.*no route/s);
  });

  it('run no poststop hook of a container when a second create has its name', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    await world.hook('90-last.json', { command: report, stages: ['poststop'] });
    expect((await world.run(['create', world.id])).code).toBe(0);
    const again = await world.run(['create', world.id]);
    expect(again.code).not.toBe(0);
    expect(await world.text('out')).toBe('');
  });

  it('fail the start when a poststart hook fails: the container is deleted and poststop runs (OCI-CASE30)', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    await world.changeConfig((config) => {
      config['process'] = { ...(config['process'] as object), args: ['/bin/sleep', '600'] };
    });
    await world.hook('10-bad.json', { command: 'exit 1', stages: ['poststart'] });
    await world.hook('90-last.json', { command: report, stages: ['poststop'] });
    expect((await world.run(['create', world.id])).code).toBe(0);
    const { code, stderr } = await world.run(['start', world.id]);
    expect({ code, reported: stderr.includes('LHC317') }).toEqual({ code: 1, reported: true });
    expect(await world.text('out')).toBe('poststop\n');
    expect((await world.run(['state', world.id])).code).not.toBe(0);
  });

  it('fail the start when the runner of a poststart hook is killed', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    await world.hook('10-kills.json', { command: 'kill -KILL $PPID', stages: ['poststart'] });
    expect((await world.run(['create', world.id])).code).toBe(0);
    const { code, stderr } = await world.run(['start', world.id]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/LHC317.*10-kills\.json failed\. .*before its end was recorded/s);
  });

  it('do not fail the start when a poststart hook with onFailure warn fails (OCI-CASE30)', async () => {
    const hooks = { '10-bad.json': { onFailure: 'warn' } };
    await using world = await openWorld({ runtime: 'crun', settings: { hooks } });
    await world.hook('10-bad.json', { command: 'exit 1', stages: ['poststart'] });
    expect((await world.run(['create', world.id])).code).toBe(0);
    expect((await world.run(['start', world.id])).code).toBe(0);
    expect((await world.run(['delete', '--force', world.id])).code).toBe(0);
  });

  it('run poststop once for a container that exits with an error', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    await world.changeConfig((config) => {
      config['process'] = { ...(config['process'] as object), args: ['/bin/sh', '-c', 'exit 9'] };
    });
    await world.hook('90-last.json', { command: report, stages: ['poststop'] });
    expect((await world.run(['run', world.id])).code).toBe(9);
    expect(await world.text('out')).toBe('poststop\n');
  });

  it('run poststop after a SIGTERM that the wrapper forwards to the container', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    await world.changeConfig((config) => {
      const command = 'trap "exit 7" TERM; echo ready; while true; do sleep 0.1; done';
      config['process'] = { ...(config['process'] as object), args: ['/bin/sh', '-c', command] };
    });
    await world.hook('90-last.json', { command: report, stages: ['poststop'] });
    const terminate: RunOptions['onStart'] = async (pid, printed): Promise<void> => {
      // The kernel drops a signal to a container's first process until that process has a handler for it.
      await printed('ready');
      process.kill(pid, 'SIGTERM');
    };
    const ended = await world.run(['run', world.id], { onStart: terminate });
    expect(ended).toMatchObject({ code: 7, signal: null });
    expect(await world.text('out')).toBe('poststop\n');
  });

  it('are not lost in createContainer, whatever else ends meanwhile or interrupts crun', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    const orphan = 'until [ -e $1/orphan-ends ]; do sleep 0.05; done; touch $1/orphan-ended';
    const command = `(sh -c '${orphan}' sh $1 &); until [ -e $1/hook-ends ]; do sleep 0.05; done`;
    const hook = { path: '/bin/sh', args: ['sh', '-c', command, 'sh', world.folder], timeout: 600 };
    const file = { version: '1.0.0', when: { always: true }, hook, stages: ['createContainer'] };
    await world.write('hooks.d/10-slow.json', JSON.stringify(file));
    const created = world.run(['create', world.id]);
    await expect.poll(() => processesWith(world, 'lifehook-hook'), POLL).toHaveLength(1);
    const [runner = 0] = processesWith(world, 'lifehook-hook');
    // While crun is stopped, the exits of two children become one signal. Then SIGCONT interrupts crun's wait.
    const crun = parentOf(runner);
    process.kill(crun, 'SIGSTOP');
    await world.write('orphan-ends', '');
    await expect.poll(() => world.exists('orphan-ended'), POLL).toBe(true);
    // The orphan has exited: only the runner and the hook still have this text in their command line.
    await expect.poll(() => processesWith(world, 'orphan-ended'), POLL).toHaveLength(2);
    await world.write('hook-ends', '');
    await expect.poll(() => processesWith(world, 'lifehook-hook'), POLL).toHaveLength(0);
    process.kill(crun, 'SIGCONT');
    expect(await created).toMatchObject({ code: 0 });
  });

  it('start with no signal blocked, also those with a timeout', async () => {
    await using world = await openWorld({ runtime: 'crun' });
    // The hook is no shell, because a shell would clear the signal mask.
    const hook = { path: '/bin/grep', args: ['grep', 'SigBlk', '/proc/self/status'], timeout: 600 };
    const file = { version: '1.0.0', when: { always: true }, hook, stages: ['createRuntime'] };
    await world.write('hooks.d/10-mask.json', JSON.stringify(file));
    expect((await world.run(['create', world.id])).code).toBe(0);
    const [record] = await world.records();
    expect(record?.result).toMatchObject({ stdout: { text: 'SigBlk:\t0000000000000000\n' } });
  });

  const stages = ['createRuntime', 'createContainer'];
  it.each(stages)('end in %s with every process that they have started', async (stage) => {
    await using world = await openWorld({ runtime: 'crun' });
    const stubborn = 'trap : TERM; touch $1/ready; while true; do sleep 1; done';
    const command = `(setsid sh -c '${stubborn}' sh $1 &); until [ -e $1/ready ]; do sleep 0.05; done; sleep 600`;
    const hook = { path: '/bin/sh', args: ['sh', '-c', command, 'sh', world.folder], timeout: 8 };
    const file = { version: '1.0.0', when: { always: true }, hook, stages: [stage] };
    await world.write('hooks.d/10-slow.json', JSON.stringify(file));
    const created = await world.run(['create', world.id]);
    expect(created.code).not.toBe(0);
    expect(await world.exists('ready')).toBe(true);
    expect(processesWith(world, 'trap : TERM')).toEqual([]);
    const also =
      /\d of its processes (was|were) outside of its group, and (was|were) killed too: \d+ \(/u;
    const reason: unknown = expect.stringMatching(also);
    expect(await world.records()).toMatchObject([{ result: { outcome: 'TimedOut', reason } }]);
    expect(created.stderr).toMatch(also);
  });
});

/** The pids of living processes with this text and the world's directory in their command line. */
function processesWith({ folder }: World, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.includes(text) && line.includes(folder) && pid !== process.pid;
      } catch {
        return false;
      }
    });
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
