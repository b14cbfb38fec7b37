/** A container in the foreground: streams, exit, signals, cancellation. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containerId, openStand, until, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const program = (script: string): Record<string, unknown> => ({
  process: { cwd: '/', args: ['sh', '-c', script], env: ['PATH=/usr/bin:/bin'] },
});

interface Ended {
  /** The output of the program, then the outcome of `run`. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `run` in the foreground. Its stdin is a socket from Node, which cannot be opened by path. */
const run = (stdin = ''): { child: ChildProcess; seen: Ended; ended: Promise<Ended> } => {
  const [file = '', ...args] = stand.argv({ do: 'run', options: stand.options() });
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  child.stdin.end(stdin);
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (seen.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (seen.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', () => {
      resolve(seen);
    });
  });
  return { child, seen, ended };
};

const outcomeIn = (stdout: string): unknown =>
  JSON.parse(stdout.slice(stdout.lastIndexOf('{"kind"')));

describe('a container in the foreground', () => {
  it('passes its streams and exit code through, and is deleted after its poststop hooks', async () => {
    await stand.writeConfig({
      ...program('read line; echo "out $line"; echo err >&2; exit 7'),
      hooks: { prestart: [stand.hook('a')], poststop: [stand.hook('b')] },
    });
    const { stdout, stderr } = await run('hello\n').ended;
    expect(stdout).toMatch(/^out hello\n/);
    expect(stderr).toContain('err\n');
    expect(outcomeIn(stdout)).toMatchObject({ kind: 'ended', exit: { exitCode: 7, signal: null } });
    expect(await stand.points()).toEqual(['prestart a', 'poststop b']);
    expect(await readdir(stand.life.root)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGUSR1'] as const)(
    'forwards %s to the program, and exits like the program',
    async (signal) => {
      const script = `trap 'echo caught; exit 9' ${signal.slice(3)}; echo ready >&2; while :; do sleep 0.05; done`;
      await stand.writeConfig({ ...program(script), hooks: { poststop: [stand.hook('b')] } });
      const { child, seen, ended } = run();
      await until(async () => seen.stderr.includes('ready') && (await started()), 'it runs');
      signalRun(child, signal);
      const { stdout } = await ended;
      expect(stdout).toContain('caught');
      expect(outcomeIn(stdout)).toMatchObject({ kind: 'ended', exit: { exitCode: 9 } });
      expect(await stand.points()).toEqual(['poststop b']);
    },
  );

  it('forwards a signal that arrives during its poststart hooks', async () => {
    const slow = await stand.script(
      'slow.sh',
      '#!/bin/sh\nuntil [ -e "${0%/*}/signalled" ]; do sleep 0.05; done\n',
    );
    const script = `trap 'echo caught; exit 9' USR1; echo ready >&2; while :; do sleep 0.05; done`;
    await stand.writeConfig({ ...program(script), hooks: { poststart: [slow] } });
    const { child, seen, ended } = run();
    await until(async () => seen.stderr.includes('ready'), 'the program has begun');
    signalRun(child, 'SIGUSR1');
    await writeFile(join(stand.folder, 'signalled'), '');
    expect(outcomeIn((await ended).stdout)).toMatchObject({ kind: 'ended', exit: { exitCode: 9 } });
  });

  it('stops its startContainer hook at SIGTERM and never starts its program', async () => {
    const recorder = stand.hook('slow').args?.slice(1).join(' ') ?? '';
    const text = `#!/bin/sh\n"\${0%/*}/recorder.sh" ${recorder}\nwhile [ -e "$0" ]; do sleep 0.1; done\n`;
    const startContainer = [await stand.script('slow.sh', text)];
    const hooks = { startContainer, poststop: [stand.hook('b')] };
    await stand.writeConfig({ ...program('echo begun >begun'), hooks });
    const { child, ended } = run();
    await until(async () => (await stand.points()).length === 1, 'the hook runs');
    signalRun(child, 'SIGTERM');
    expect(outcomeIn((await ended).stdout)).toEqual({ kind: 'cancelled' });
    expect(await stand.points()).toEqual(['startContainer slow', 'poststop b']);
    await expect(stat(join(stand.bundle, 'rootfs', 'begun'))).rejects.toThrow('ENOENT');
    expect(await readdir(stand.life.root)).toEqual([]);
  });

  it('runs on when its command is killed, and its exit is recorded', async () => {
    await stand.writeConfig(program('until [ -e go ]; do sleep 0.05; done; exit 4'));
    const { child } = run();
    await until(async () => (await status()) === 'running' && (await started()), 'it runs');
    const killed = once(child, 'exit');
    signalRun(child, 'SIGKILL');
    await killed;
    await writeFile(join(stand.bundle, 'rootfs', 'go'), '');
    await until(async () => (await stand.view()).exit !== null, 'its end is recorded');
    expect(await stand.view()).toMatchObject({
      state: { status: 'stopped' },
      exit: { exitCode: 4 },
    });
    await stand.remove(false);
  });
});

/** Signals the process group of the command, as a terminal does; the container is not in it. */
const signalRun = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) throw new Error('it was not started');
  process.kill(-pid, signal);
};
const status = async (): Promise<string> => stand.status().catch(() => 'none');
const started = async (): Promise<boolean> => {
  const phase = await readFile(join(stand.life.root, containerId, 'phase.json'), 'utf8');
  return phase.includes('"running"');
};
