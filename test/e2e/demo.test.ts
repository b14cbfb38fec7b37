/** `lifehook demo`: as in the README, and with a broken example. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const COLUMNS = 80;
/** Time limit; the demo takes half a minute on an idle machine. */
const WHOLE_MS = 600_000;
/** Seconds until the demo is half-way, which takes a quarter of a minute on an idle machine. */
const PATIENCE_S = 240;
/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;

let folder: string;
/** A separate directory for temporary files, so that the test sees which of them are left. */
let temporary: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
  temporary = join(folder, 'tmp');
  await mkdir(temporary);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Demo {
  readonly said: () => string;
  readonly code: Promise<number | null>;
  readonly interrupt: () => void;
}

/** Runs the demo with a minimal PATH, and as a user without a writable home directory. */
function demo(program: string, umask: string): Demo {
  const script = 'umask "$1" && exec "$2" "$3" demo';
  const child = spawn('sh', ['-c', script, 'sh', umask, process.execPath, program], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', TMPDIR: temporary, HOME: '/proc/nowhere', LANG: 'C.UTF-8' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  return {
    said: () => said,
    code: once(child, 'close').then(([code]) => code as number | null),
    interrupt: () => child.kill('SIGINT'),
  };
}

/** Command lines of programs that still use a path of the demo. */
async function left(): Promise<readonly string[]> {
  const commands = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((command) => command.includes(temporary));
}

async function expectNothingLeft(): Promise<void> {
  expect(await readdir(temporary)).toEqual([]);
  // On a busy machine a killed process exits only when the scheduler runs it.
  await expect.poll(left).toEqual([]);
}

/** The timeline: the only file that the demo leaves. */
async function expectTimeline(said: string): Promise<void> {
  const path = join(folder, 'timeline.html');
  expect(said).toContain(`Open the timeline of it in a browser: ${path}\n`);
  const [, bars = ''] = /id="timeline">(.*?)<\/script>/s.exec(await readFile(path, 'utf8')) ?? [];
  const page = JSON.parse(bars) as { readonly bars: readonly { readonly lifecycle: string }[] };
  expect(new Set(page.bars.map(({ lifecycle }) => lifecycle)).size).toBe(5);
}

interface Change {
  readonly path: string;
  readonly text: string;
  readonly replacement: string;
}

/** Copies the program and changes its examples. */
async function withChanges(...changes: readonly Change[]): Promise<string> {
  await cp(dirname(PROGRAM), join(folder, 'dist'), { recursive: true });
  await cp('examples', join(folder, 'examples'), { recursive: true });
  for (const { path, text, replacement } of changes) {
    const file = join(folder, 'examples/demo', path);
    const old = await readFile(file, 'utf8');
    expect(old).toContain(text);
    await writeFile(file, old.replace(text, replacement));
  }
  return join(folder, 'dist/lifehook.js');
}

test(
  'every claim of the demo holds under a strict umask, in lines that fit a terminal',
  async () => {
    const { said, code } = demo(PROGRAM, '077');
    expect(await code, said()).toBe(0);
    expect(said()).toMatch(/(\d+) of \1 claims held\.\n$/);
    expect(said().match(/^\d {2}[A-Z].*$/gm)).toHaveLength(7);
    expect(said()).toMatch(
      /the shop is closed on\n +purpose, requests fail.*mid: the store was rewritten/s,
    );
    await expectTimeline(said());
    const long = said()
      .replaceAll(temporary, '/tmp')
      .split('\n')
      .filter((line) => line.length > COLUMNS && !line.includes('://'));
    expect(long).toEqual([]);
    await expectNothingLeft();
  },
  WHOLE_MS,
);

test('the demo reports a claim that does not hold and continues until a command fails', async () => {
  const program = await withChanges(
    { path: 'orders/skaffold.yaml', text: 'goes out', replacement: 'stays' },
    // With this change the migration loses every price, and the hook after it must fail.
    { path: 'orders/server/migrate.mjs', text: '...order, cents', replacement: '...order' },
  );
  const { said, code } = demo(program, '002');
  expect(await code, said()).toBe(1);
  const broken = said().match(/✗ NOT SO: .*/g) ?? [];
  expect(broken).toEqual([
    '✗ NOT SO: the hook before the deployment received the value of an earlier hook',
    '✗ NOT SO: lifehook rollout watch orders --timeout 60 ends as expected: it exited with code 3, and printed',
  ]);
  expect(said()).toMatch(/\| .*\d+ orders have no price/);
  await expectNothingLeft();
});

test('the demo leaves nothing behind after Ctrl-C', async () => {
  const { said, code, interrupt } = demo(PROGRAM, '022');
  await eventually(
    'it is under way',
    async () => said().includes('lifehook pipeline run'),
    PATIENCE_S,
  );
  interrupt();
  expect(await code, said()).toBe(INTERRUPTED);
  await expectNothingLeft();
});
