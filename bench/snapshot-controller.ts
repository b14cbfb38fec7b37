/** `lifehook controller` from the build, as a separate process, with its log and its resource usage. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';

import { eventually } from '../test/fixtures/api-cases/eventually.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

/** One line of the controller's log: event, time and object. */
export interface Reported {
  readonly msg: string;
  readonly atMs: number;
  readonly action?: 'pre' | 'post' | 'probe';
  readonly hook?: string;
}

export interface ControllerProcess extends AsyncDisposable {
  readonly pid: number;
  /** All lines logged so far. */
  reported(): readonly Reported[];
}

export interface ControllerPlace {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Flags besides those for the address and the namespace. */
  readonly flags?: readonly string[];
}

/** Resolves once the controller is leader and listens. */
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

/** Unix milliseconds at which the controller logged that line; throws if it did not. */
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

/** Resident memory of a process, in MB. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}

/** `getconf CLK_TCK`: always 100 on Linux machines that Node supports. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process since its start, in seconds of one core. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The fields follow the process name in parentheses; the 12th and 13th are user and system time.
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
    .map(Number);
  return (user + system) / TICKS_PER_SECOND;
}
