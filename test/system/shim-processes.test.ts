/**
 * Tests the native runner, on QuickJS, with programs that behave badly: it must keep the process rules of the design.
 */
import { execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { POLL } from './shim-world.ts';

const RUNNER = resolve('dist/shim/lifehook-hook');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-runner-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Result {
  readonly outcome: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: { readonly text: string; readonly totalBytes: number };
}

const state = { ociVersion: '1.2.0', id: 'web', status: 'creating', pid: 7, bundle: '/b' };

interface Options {
  readonly timeout?: number;
  readonly stage?: string;
  readonly onFailure?: string;
  readonly stdin?: string;
  /** A command line that starts the runner. */
  readonly through?: readonly string[];
  /** A descriptor that the runner inherits, as number 3. */
  readonly descriptor?: number;
  readonly onStart?: (pid: number) => Promise<void>;
}

/** Runs a hook. Its script gets the test's directory in $1. */
function runHook(script: string, options: Options = {}): Promise<Ended> {
  const { timeout = 0, stage = 'createRuntime', onFailure = 'fail' } = options;
  const argv = ['sh', '-c', script, 'sh', folder];
  const own = `--hook=10-test.json --index=0 --on-failure=${onFailure} --retries=0`;
  const numbers = `--timeout=${timeout} --argc=${argv.length} -- /bin/sh`;
  const common = [`--stage=${stage}`, `--spool=${folder}/spool`];
  const args = [...common, ...own.split(' '), ...numbers.split(' '), ...argv];
  return new Promise((settle) => {
    const { through = [] } = options;
    const [file, ...before] = [...through, RUNNER];
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', options.descriptor ?? 'ignore'];
    const child = spawn(file, [...before, ...args], { env: {}, stdio });
    const text = { stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.stdin ?? JSON.stringify(state));
    // 'close' also waits for the end of the streams, so no process that the hook left may hold them.
    child.once('close', (code) => {
      settle({ code, ...text });
    });
    if (child.pid !== undefined) void options.onStart?.(child.pid);
  });
}

async function resultOf(): Promise<Result> {
  const [name = ''] = await readdir(join(folder, 'spool'));
  const lines = (await readFile(join(folder, 'spool', name), 'utf8')).trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { type: string; result: Result });
  const settled = records.find(({ type }) => type === 'AttemptSettled');
  if (settled === undefined) throw new Error(`no end in ${name}: ${lines.join('\n')}`);
  return settled.result;
}

async function isRunning(pidFile: string): Promise<boolean> {
  const pid = (await readFile(join(folder, pidFile), 'utf8')).trim();
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return !/\) Z/.test(stat);
}

/** Starts a program on a kernel without close_range, as before Linux 5.9. */
const OLD_KERNEL = `
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  return execv(argv[1], argv + 1);
}`;

describe('the native runner', () => {
  it('kills a hook that ignores SIGTERM, and its child, at the deadline', async () => {
    const script =
      'trap "" TERM; sleep 600 & echo $! > $1/child; echo started; while :; do sleep 1; done';
    const { code, stderr } = await runHook(script, { timeout: 5 });
    expect(code).toBe(124);
    expect(stderr).toContain('did not end within 5 s');
    expect(await resultOf()).toMatchObject({ outcome: 'TimedOut', signal: 'SIGKILL' });
    // The child was already killed, but on a busy machine it still needs processor time to exit.
    await expect.poll(() => isRunning('child'), POLL).toBe(false);
  });

  it('exits with the hook although a grandchild holds its pipes', async () => {
    const { code, stdout } = await runHook('echo done; sleep 600 & echo $! > $1/child');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    // The grandchild still runs, so the runner did not wait for it.
    expect(await isRunning('child')).toBe(true);
    process.kill(Number(await readFile(join(folder, 'child'), 'utf8')), 'SIGKILL');
  });

  it('keeps the last 8 KiB of 100 MB of output, and counts all of it', async () => {
    const { code } = await runHook('yes 0123456789abcde | head -c 104857600; echo; echo last');
    expect(code).toBe(0);
    const { stdout } = await resultOf();
    expect(stdout.totalBytes).toBe(104_857_600 + '\nlast\n'.length);
    expect(stdout.text.endsWith('\nlast\n')).toBe(true);
    expect(stdout.text.length).toBeLessThanOrEqual(8192);
  });

  it('passes a state of 1 MB to a hook that reads all of it, and to one that reads nothing', async () => {
    const annotations = { big: 'x'.repeat(1024 * 1024) };
    const stdin = JSON.stringify({ ...state, annotations });
    expect((await runHook('exit 0', { stdin })).code).toBe(0);
    const { stdout } = await runHook('wc -c', { stdin });
    expect(Number(stdout)).toBe(stdin.length);
  });

  it('waits for a hook that closes its output, and reports the signal that killed a hook', async () => {
    expect((await runHook('exec >&- 2>&-; sleep 0.2; exit 0')).code).toBe(0);
    await rm(join(folder, 'spool'), { recursive: true });
    const { code, stderr } = await runHook('kill -SEGV $$');
    expect(code).toBe(1);
    expect(stderr).toContain('was killed by SIGSEGV');
    expect(await resultOf()).toMatchObject({ outcome: 'Failed', signal: 'SIGSEGV' });
  });

  it('joins characters that arrive in pieces, and replaces bytes that are not UTF-8', async () => {
    const { stdout } = await runHook(
      'printf "\\303"; sleep 0.1; printf "\\251 \\377 \\360\\237"; sleep 0.1; printf "\\230\\200\\342"',
    );
    expect(stdout).toBe('é \ufffd 😀\ufffd');
  });

  it('reports the program of a hook that cannot be started', async () => {
    const { code, stderr } = await runHook('exec /no/such/program');
    expect(code).toBe(127);
    expect(stderr).toContain('/no/such/program');
  });

  it.each(['this kernel', 'an old kernel'])(
    'passes no descriptor on to a hook (%s)',
    async (kernel) => {
      const isOld = kernel === 'an old kernel';
      await writeFile(join(folder, 'old.c'), OLD_KERNEL);
      if (isOld) execFileSync('cc', ['-o', join(folder, 'old'), join(folder, 'old.c')]);
      const through = isOld ? [join(folder, 'old')] : [];
      const descriptor = openSync('/etc/hostname', 'r');
      const { stdout } = await runHook('ls /proc/self/fd', { through, descriptor });
      closeSync(descriptor);
      // The last one is that of ls itself.
      expect(stdout).toBe('0\n1\n2\n3\n');
    },
  );

  it('kills its hook when the runner itself gets SIGTERM or SIGKILL', async () => {
    const script = 'echo $$ > $1/hook; exec sleep 600';
    const end =
      (signal: NodeJS.Signals) =>
      async (pid: number): Promise<void> => {
        const hook = (): Promise<string> => readFile(join(folder, 'hook'), 'utf8').catch(() => '');
        await expect.poll(hook, POLL).not.toBe('');
        process.kill(pid, signal);
      };
    const reported = await runHook(script, { onStart: end('SIGTERM') });
    expect(reported.code).toBe(1);
    expect(reported.stderr).toContain('was cancelled');
    expect(await isRunning('hook')).toBe(false);

    await rm(join(folder, 'hook'));
    expect((await runHook(script, { onStart: end('SIGKILL') })).code).toBe(null);
    await expect.poll(() => isRunning('hook'), POLL).toBe(false);
    // The record has no end, because no process saw the hook end.
    const names = await readdir(join(folder, 'spool'));
    expect(names.filter((name) => name.startsWith('.'))).toHaveLength(1);
  });

  it('exits with 0 when a poststop hook or a hook with onFailure warn fails', async () => {
    expect((await runHook('exit 3', { stage: 'poststop' })).code).toBe(0);
    const warned = await runHook('exit 3', { onFailure: 'warn' });
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain('warning LHC302');
  });

  it('refuses a command line that the wrapper did not write', async () => {
    const child = spawn(RUNNER, ['--stage=createRuntime', '--', '/bin/true'], { stdio: 'pipe' });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const code = await new Promise((settle) => child.once('close', settle));
    expect(code).toBe(1);
    expect(stderr).toContain('LHC301');
  });
});
