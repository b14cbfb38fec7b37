/** `lifehook controller` from the build, as a process of its own: its log, and its cost. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';

import { eventually } from '../test/fixtures/api-cases/eventually.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

/** One line of its log: what happened, when, and to what. */
export interface Reported {
  readonly msg: string;
  readonly atMs: number;
  readonly action?: 'pre' | 'post' | 'probe';
  readonly hook?: string;
}

export interface ControllerProcess extends AsyncDisposable {
  readonly pid: number;
  /** All that it has logged so far. */
  reported(): readonly Reported[];
}

export interface ControllerPlace {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Beside those that say where. */
  readonly flags?: readonly string[];
}

/** Resolves when it leads and listens. */
export async function startController(place: ControllerPlace): Promise<ControllerProcess> {
  const { kubeconfig, namespace, flags = [] } = place;
  const where = ['--kubeconfig', kubeconfig, '--namespaced', '--namespace', namespace];
  const args = [PROGRAM, 'controller', ...where, '--metrics-address', '127.0.0.1:0', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const reported: Reported[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) reported.push(reportedIn(line));
  });
  const ended = new Promise((done) => child.once('exit', done));
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${PROGRAM} has ended with ${child.exitCode}`);
    return reported.some(({ msg }) => msg === 'LeadershipGained');
  };
  await eventually('the controller leads', isUp);
  return {
    pid: child.pid ?? 0,
    reported: () => reported,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function reportedIn(line: string): Reported {
  const { msg, time, action, target } = JSON.parse(line) as LogLine;
  return {
    msg,
    atMs: Date.parse(time),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { hook: target.hook }),
  };
}

interface LogLine {
  readonly msg: string;
  readonly time: string;
  readonly action?: 'pre' | 'post' | 'probe';
  readonly target?: { readonly hook: string };
}

/** When it logged that, milliseconds of the wall clock. */
export function timeOf(
  reported: readonly Reported[],
  { msg, action, hook }: Pick<Reported, 'msg' | 'action' | 'hook'>,
): number {
  const found = reported.find(
    (one) => one.msg === msg && one.action === action && one.hook === hook,
  );
  if (found !== undefined) return found.atMs;
  throw new Error(
    `the controller has not told ${msg} of ${action ?? ''} of the hook ${hook ?? ''}`,
  );
}

/** The resident memory of a process, in MB. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Of `getconf CLK_TCK`: Linux has no other on the machines that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What a process has computed since it began, in seconds of one core. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name, which is in parentheses: the 12th and the 13th are the user's and the system's time.
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
    .map(Number);
  return (user + system) / TICKS_PER_SECOND;
}
