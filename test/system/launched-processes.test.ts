/** Compares the native launcher with Node's own processes: the same specs must give the same exits. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { AttemptResult } from '../../src/model/attempt.ts';
import {
  launchedProcesses,
  type LaunchedProcesses,
} from '../../src/platform/launched-processes.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { Processes, RunningProcess, SpawnSpec } from '../../src/platform/platform.ts';
import { nodeProcesses } from '../../src/platform/processes.ts';
import {
  attempt,
  command,
  env,
  fixture,
  exitsSoon,
  isRunning,
  pidIn,
} from '../fixtures/processes/attempt.ts';
import { POLL } from './shim-world.ts';

const LAUNCHER = resolve('dist/shim/lifehook-launch');

let launched: LaunchedProcesses;
let folder: string;
const leftAlive: number[] = [];

beforeAll(() => {
  launched = launchedProcesses(LAUNCHER);
  folder = mkdtempSync(join(tmpdir(), 'lifehook-launched-'));
});

afterEach(() => {
  for (const pid of leftAlive.splice(0)) {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

afterAll(() => {
  launched.close();
  rmSync(folder, { recursive: true });
});

interface Seen {
  readonly exit: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: number;
}

async function seen(processes: Processes, spec: Omit<SpawnSpec, 'onOutput'>): Promise<Seen> {
  const text = { stdout: '', stderr: '' };
  let bytes = 0;
  const running = processes.spawn({
    ...spec,
    onOutput: (stream, piece, byteLength) => {
      text[stream] += piece;
      bytes += byteLength;
    },
  });
  const exit = await running.exited.catch((error: unknown) => {
    const { code, message } = error as Error & { readonly code: string };
    return { code, message };
  });
  return { exit, ...text, bytes };
}

const sh = (script: string): Pick<SpawnSpec, 'file' | 'argv' | 'env'> => ({
  file: 'sh',
  argv: ['sh', '-c', script],
  env,
});

const SPECS: Readonly<Record<string, Omit<SpawnSpec, 'onOutput'>>> = {
  'exits with a code': sh('exit 37'),
  'dies of a signal': sh('kill -USR1 $$'),
  'prints to both streams': sh('echo out; echo err >&2'),
  'prints without a line end, and characters of several bytes': sh('printf "größer ☃"'),
  'prints what is not UTF-8': sh(String.raw`printf "a\377\303"`),
  'floods stdout': { file: fixture('floods-stdout.sh'), argv: ['x'], env },
  'reads stdin': { ...sh('cat; echo over'), stdin: 'fed ☃\n'.repeat(50_000) },
  'exits before it has read stdin': { ...sh('exit 0'), stdin: 'x'.repeat(1_000_000) },
  'has its environment and no more': {
    file: '/usr/bin/env',
    argv: ['env'],
    env: { A: 'one\ntwo', 'b.c-d': '', Ü: 'ß' },
  },
  'has its own argv[0]': {
    file: '/bin/sh',
    argv: ['other', '-c', 'echo "$0" "$@"', 'a', 'b c'],
    env,
  },
  'runs in its working directory': { ...sh('pwd'), cwd: '/usr' },
  'runs in our working directory without one': sh('pwd'),
  'is found on our PATH and not on its own': {
    file: 'true',
    argv: ['true'],
    env: { PATH: '/none' },
  },
  'is no program': { file: '/no/such/program', argv: ['x'], env },
  'is not on the PATH': { file: 'no-such-program', argv: ['x'], env },
  'is an empty file': { file: fixture('empty'), argv: ['x'], env },
  'is not executable': { file: fixture('not-executable.sh'), argv: ['x'], env },
  'lacks its interpreter': { file: fixture('missing-interpreter.sh'), argv: ['x'], env },
  'lacks its working directory': { ...sh('true'), cwd: '/no/such/directory' },
  'leaves a member of its group that is waited for': {
    ...sh('(sleep 0.3; echo late) & exit 3'),
    untilGroupEnds: true,
  },
  'has too long arguments': { file: '/bin/true', argv: ['true', 'x'.repeat(4_000_000)], env },
};

describe('a program that the launcher starts', () => {
  for (const [what, spec] of Object.entries(SPECS)) {
    it(`ends as under Node when it ${what}`, async () => {
      expect(await seen(launched, spec)).toEqual(await seen(nodeProcesses, spec));
    });
  }

  it('is refused when an argument or a variable holds a NUL', async () => {
    for (const spec of [
      { ...sh('true'), argv: ['true', 'a\0b'] },
      { ...sh('true'), env: { A: '\0' } },
    ]) {
      const { exit } = await seen(launched, spec);
      expect(exit).toMatchObject({ code: 'EINVAL', message: expect.stringContaining('NUL') });
    }
    expect(
      (await seen(launched, { ...sh('printf %s "$A"'), env: { A: String.raw`\u0000` } })).stdout,
    ).toBe(String.raw`\u0000`);
  });

  it('has signals as they are by default, and three descriptors', async () => {
    const status = await seen(launched, sh('exec grep -E "^Sig(Blk|Ign)" /proc/self/status'));
    expect(status.stdout.match(/\b0{16}\b/g)).toHaveLength(2);
    // Descriptor 3 is the directory that `ls` itself has opened.
    expect((await seen(launched, sh('exec ls /proc/self/fd'))).stdout).toBe('0\n1\n2\n3\n');
  });

  it('leads a group of its own, in a session without a terminal', async () => {
    const { stdout } = await seen(
      launched,
      sh(
        'read -r pid _ _ _ group session terminal _ </proc/$$/stat; echo $pid $group $session $terminal',
      ),
    );
    const [pid, group, session, terminal] = stdout.trim().split(' ');
    expect([group, terminal]).toEqual([pid, '0']);
    // The launcher leads this session, and is a child of this process.
    expect(parentPidOf(Number(session))).toBe(process.pid);
  });

  it('runs next to others, each with its own output', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => seen(launched, sh(`sleep 0.0${at % 5}; echo ${at}`))),
    );
    expect(all.map(({ stdout }) => stdout)).toEqual(all.map((_, at) => `${at}\n`));
  });
});

function attempted(name: string, timeoutMs: number): Promise<AttemptResult> {
  return attempt(command(name), { timeoutMs, platform: { ...nodePlatform, processes: launched } });
}

describe('the process rules through the launcher', () => {
  it('a grandchild that holds the pipes does not hold up the end, and lives on', async () => {
    const { exit, stdout } = await seen(launched, sh('sleep 60 & echo $!'));
    expect(exit).toEqual({ code: 0, signal: null });
    const grandchild = pidIn(stdout);
    leftAlive.push(grandchild);
    expect(isRunning(grandchild)).toBe(true);
  });

  it('the deadline ends the whole group, also members that ignore TERM', async () => {
    const result = await attempted('grandchild-ignores-term.sh', 5_000);
    expect(result.outcome).toBe('TimedOut');
    expect(await exitsSoon(pidIn(result.stdout.text))).toBe(true);
  });

  it('a group that tidies up keeps its output until KILL, also past the end of its leader', async () => {
    let output = '';
    const running = launched.spawn({
      file: fixture('grandchild-tidies-up.sh'),
      argv: ['x'],
      env,
      onOutput: (_, text) => (output += text),
    });
    await expect.poll(() => output, POLL).toContain('ready');
    running.signalGroup('SIGTERM');
    await running.exited;
    await expect.poll(() => output, POLL).toContain('tidying');
    running.signalGroup('SIGKILL');
    await expect.poll(() => running.groupAlive(), POLL).toBe(false);
  });

  it('a group is alive while a member is, and is signalled after its leader has exited', async () => {
    let output = '';
    const running = launched.spawn({
      file: fixture('grandchild-holds-pipe.sh'),
      argv: ['x'],
      env,
      onOutput: (_, text) => (output += text),
    });
    await running.exited;
    const grandchild = pidIn(output);
    leftAlive.push(grandchild);
    expect(running.groupAlive()).toBe(true);
    running.signalGroup('SIGKILL');
    expect(await exitsSoon(grandchild)).toBe(true);
    await expect.poll(() => running.groupAlive(), POLL).toBe(false);
  });

  it('a signal from before the start is known reaches the program', async () => {
    const running = launched.spawn({ ...sh('exec sleep 60') });
    expect(running.pid).toBe(0);
    running.signalGroup('SIGTERM');
    expect(await running.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('a launcher', () => {
  it('that is killed fails what it runs, and the next program has another', async () => {
    const own = launchedProcesses(LAUNCHER);
    const running = own.spawn(sh('exec sleep 60'));
    await expect.poll(() => running.pid, POLL).toBeGreaterThan(0);
    leftAlive.push(running.pid);
    process.kill(parentOf(running), 'SIGKILL');
    await expect(running.exited).rejects.toThrow('lifehook-launch exited');
    expect((await seen(own, sh('exit 3'))).exit).toEqual({ code: 3, signal: null });
    own.close();
  });

  it('exits with its Lifehook, and what it started lives on', async () => {
    const program = join(folder, 'starter.mjs');
    const source = resolve('src/platform/launched-processes.ts');
    await build({
      stdin: {
        contents: `import { launchedProcesses } from ${JSON.stringify(source)};
const running = launchedProcesses(${JSON.stringify(LAUNCHER)}).spawn({ file: 'sleep', argv: ['sleep', '60'], env: {} });
setInterval(() => running.pid > 0 && console.log(running.pid), 5);`,
        resolveDir: folder,
      },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const starter = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((settle) => {
      starter.stdout.once('data', (text: Buffer) => {
        settle(Number.parseInt(text.toString(), 10));
      });
    });
    leftAlive.push(pid);
    const launcher = parentPidOf(pid);
    starter.kill('SIGKILL');
    expect(await exitsSoon(launcher)).toBe(true);
    expect(isRunning(pid)).toBe(true);
  });
});

function parentOf({ pid }: RunningProcess): number {
  return parentPidOf(pid);
}

function parentPidOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
