/**
 * The program of a hook of a pipeline on the simulated machine. It sets values, prints, fails, hangs, and leaves
 * processes behind.
 */
import type { Processes } from '../../../src/platform/platform.ts';
import type { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Random } from '../random.ts';
import { type Account, endedWell, type HookRun, phaseOf, type Session } from './account.ts';
import { judgeHook, judgeHookEnd, nameOf } from './judge-hook.ts';
import { SECRET } from './plan.ts';

interface Stage {
  readonly host: Host;
  readonly account: Account;
  readonly random: Random;
}

export function installHooks(stage: Stage): void {
  stage.host.programs.set('/bin/hook', (process) => {
    runHook(stage, process);
  });
  stage.host.programs.set('/bin/daemon', () => undefined);
}

/** Matches the path of the file for an attempt's values, with its directory, run and attempt. */
const ENV_FILE = /^(.*)\/scratch\/(.*)-(\d+)-lifehook_env$/;

function runHook(stage: Stage, process: HostProcess): void {
  const { account, host } = stage;
  const session = account.ofNumber(Number(process.env['SESSION']));
  const run = beginRun(account, session, { ...process, process });
  process.onEnd.push((exit) => {
    run.endedMs = host.world.elapsedMs;
    host.world.note(`${nameOf(session, run)} ends with ${exit.signal ?? exit.code}`);
    judgeHookEnd(account, session, run);
    const { address } = run;
    if (endedWell(session, run)) {
      account.successes.push({
        address,
        digest: session.digest,
        session,
        atMs: host.world.elapsedMs,
      });
    }
  });
  behave(stage, run, process);
}

interface Begun extends Pick<HostProcess, 'argv' | 'env'> {
  readonly process: HostProcess | null;
}

function beginRun(account: Account, session: Session, { argv, env, process }: Begun): HookRun {
  const { world } = account;
  const [, , runId = '', attempt = ''] = ENV_FILE.exec(env['LIFEHOOK_ENV'] ?? '') ?? [];
  const run: HookRun = {
    address: argv[1] ?? '',
    runId,
    attempt: Number(attempt),
    process,
    beganMs: world.elapsedMs,
    endedMs: process === null ? world.elapsedMs : null,
    leftover: null,
  };
  world.note(`${nameOf(session, run)} ${process === null ? 'has no program' : 'begins'}`);
  judgeHook(account, session, run);
  session.hooks.push(run);
  world.faults.look();
  return run;
}

/** Starts the processes of a session. Sometimes the program of a hook is missing. */
export function missingPrograms(
  account: Account,
  session: Session,
  processes: Processes,
): Processes {
  const fault = account.world.faults.of('hook has no program');
  return {
    spawn: (spec) => {
      const { argv, env } = spec;
      const phases = (): string[] => [phaseOf(argv[1] ?? '')];
      const isMissing = fault.chance(account.programDice, account.faulty ? 0.04 : 0, phases);
      if (!isMissing || !session.process.alive) return processes.spawn(spec);
      beginRun(account, session, { argv, env, process: null });
      return processes.spawn({ ...spec, file: '/bin/missing' });
    },
  };
}

function behave(stage: Stage, run: HookRun, process: HostProcess): void {
  const { address } = run;
  const { host, account, random } = stage;
  const { faults } = host.world;
  const may = (kind: string, chance: number): boolean =>
    faults.of(kind).chance(random, account.faulty ? chance : 0, () => [phaseOf(address)]);
  const hangs = may('hook hangs', 0.06);
  const code = may('hook fails', 0.12) ? 3 : 0;
  if (may('hook ignores TERM', 0.1)) {
    process.handlers.set('SIGTERM', () => undefined);
    process.handlers.set('SIGINT', () => undefined);
  }
  if (may('hook leaves a child', 0.06)) {
    run.leftover = leaveChild(stage, process);
    if (may('leftover ignores TERM', 0.5)) run.leftover.handlers.set('SIGTERM', () => undefined);
  }
  const floods = may('hook prints without end', 0.03);
  host.world.after(random.fraction() * 3, () => {
    setValues(stage, process, address);
    say(stage, process, floods ? 400 : 1);
  });
  if (hangs) return;
  const longMs = random.chance(0.15) ? 500 : 30;
  host.world.after(3 + random.fraction() * longMs, () => {
    host.end(process, { code, signal: null });
  });
}

/** Writes values into the hook's file, one of them a secret. */
function setValues({ host }: Stage, process: HostProcess, address: string): void {
  const file = host.tree.find(process.env['LIFEHOOK_ENV'] ?? '');
  if (!process.alive || file?.kind !== 'file') return;
  const text = `API_TOKEN=${SECRET}\nFROM=${address}\n`;
  Object.assign(file, { bytes: text, image: text });
}

function say({ host }: Stage, process: HostProcess, times: number): void {
  if (process.alive) host.write(process, 'stdout', `using ${SECRET} now\n`.repeat(times));
}

/** Starts a child in the hook's process group. `onLeftover` decides whether the product kills it. */
function leaveChild({ host }: Stage, process: HostProcess): HostProcess {
  return host.start({
    file: '/bin/daemon',
    argv: ['daemon'],
    env: {},
    sink: { reader: null, write: () => undefined, holders: 0 },
    parent: process,
    group: process.pid,
  });
}
