/** `Processes` and `ShimProcesses` of a simulated machine: a process starts, signals and follows other processes. */
import type { Descendant } from '../../../src/platform/descendants.ts';
import type {
  Exit,
  Platform,
  Processes,
  RunningProcess,
  SpawnSpec,
} from '../../../src/platform/platform.ts';
import { posixError } from '../../../src/platform/posix-error.ts';
import type {
  DetachedProcess,
  DetachedSpec,
  ShimProcesses,
} from '../../../src/platform/supervision.ts';
import type { Host, Start } from './host.ts';
import { never } from './host-changes.ts';
import { filesOf } from './host-files.ts';
import type { HostProcess, Sink } from './host-process.ts';

/** The complete platform of one process. */
export function platformOf(host: Host, process: HostProcess): Platform {
  const { world } = host;
  return {
    clock: world.clockOf(),
    timers: world.timersOf(process),
    files: filesOf(host, process),
    processes: processesOf(host, process),
    network: {
      httpGet: () => Promise.reject(new Error('the simulated machine has no network')),
      tcpConnect: () => Promise.reject(new Error('the simulated machine has no network')),
    },
  };
}

/** Starts a process. The parent may be killed just before or just after the start. */
export function startFrom(
  host: Host,
  parent: HostProcess,
  start: Omit<Start, 'parent'>,
): HostProcess | null {
  if (!parent.alive) return null;
  const dies = parent.death.chance(host.deathDice, parent.deathChance);
  if (dies && host.deathDice.chance(0.5)) {
    host.world.note(`process ${parent.pid} is killed before it starts ${start.file}`);
    host.kill(parent);
    return null;
  }
  const child = host.start({ ...start, parent });
  if (!dies) return child;
  host.world.note(`process ${parent.pid} is killed when it has started ${start.file}`);
  host.kill(parent);
  return null;
}

/** Resolves with the exit of the process, soon after it exited. Never resolves if the listener has been killed. */
export function exitedOf(
  host: Host,
  listener: HostProcess,
  child: HostProcess | null,
): Promise<Exit> {
  if (child === null) return never();
  return new Promise((resolve) => {
    const report = (exit: Exit): void => {
      host.world.after(host.random.fraction() * REPORTED_MS, () => {
        if (listener.alive) resolve(exit);
      });
    };
    if (child.exit === null) child.onEnd.push(report);
    else report(child.exit);
  });
}

const REPORTED_MS = 2;

export function processesOf(host: Host, process: HostProcess): Processes {
  return { spawn: (spec) => spawn(host, process, spec) };
}

function spawn(host: Host, process: HostProcess, spec: SpawnSpec): RunningProcess {
  const sink: Sink = {
    reader: spec.onOutput === undefined ? null : process,
    write: (stream, text) => spec.onOutput?.(stream, text, text.length),
    holders: 0,
  };
  const { file, argv, env, cwd, stdin } = spec;
  let child: HostProcess | null;
  try {
    child = startFrom(host, process, { file, argv, env, cwd, stdin, sink });
  } catch (error) {
    const failure = posixError('ENOENT', error instanceof Error ? error.message : String(error));
    return {
      pid: 0,
      exited: Promise.reject(failure),
      signalGroup: () => undefined,
      groupAlive: () => false,
    };
  }
  const pid = child?.pid ?? 0;
  return {
    pid,
    exited: exitedOf(host, process, child),
    signalGroup: (signal) => {
      if (process.alive && pid !== 0) host.signal(-pid, signal, process);
    },
    groupAlive: () => pid !== 0 && host.members(pid).length > 0,
  };
}

export function supervisionOf(host: Host, process: HostProcess): ShimProcesses {
  return {
    becomeSubreaper: () => (process.isSubreaper = true),
    spawnDetached: (spec) => spawnDetached(host, process, spec),
    waitForEnd: (pid) => {
      const target = host.processes.get(pid);
      if (target === undefined)
        return Promise.resolve(process.alive ? null : never()).then((end) => end);
      const isChild = target.parent === process;
      return exitedOf(host, process, target).then((exit) => (isChild ? exit : null));
    },
    descendants: ({ except, known = [] }) => descendantsOf(host, process, { except, known }),
    signalProcess: (pid, signal) => process.alive && host.signal(pid, signal, process),
    onSignal: (signal, callback) => {
      process.handlers.set(signal, callback);
    },
  };
}

function spawnDetached(host: Host, process: HostProcess, spec: DetachedSpec): DetachedProcess {
  const { file, argv, env, cwd, stdinFile, endsWithUs } = spec;
  const start = {
    file,
    argv,
    env,
    cwd: cwd ?? process.cwd,
    stdin: stdinFile === '/dev/stdin' ? process.stdin : '',
    sink: sinkOf(process, spec),
    isBonded: endsWithUs === true,
  };
  try {
    const child = startFrom(host, process, start);
    return { pid: child?.pid ?? 0, exited: exitedOf(host, process, child) };
  } catch (error) {
    const failure = posixError('ENOENT', error instanceof Error ? error.message : String(error));
    return { pid: 0, exited: Promise.reject(failure) };
  }
}

/** The destination of a program's output. All programs that we start have the same one for stdout and stderr. */
function sinkOf(process: HostProcess, { stdout }: DetachedSpec): Sink {
  if (stdout.kind === 'inherit') return process.sink;
  return { reader: null, write: () => undefined, holders: 0 };
}

function descendantsOf(
  host: Host,
  process: HostProcess,
  { except, known }: { except: ReadonlySet<number>; known: readonly Descendant[] },
): Descendant[] {
  const all = [...host.processes.values()];
  const starts = new Set(known.map(({ number, started }) => `${number} ${started}`));
  const found = new Set<HostProcess>();
  const isKnown = ({ pid, startedTicks }: HostProcess): boolean =>
    starts.has(`${pid} ${startedTicks}`);
  for (let grew = true; grew;) {
    grew = false;
    for (const one of all) {
      if (found.has(one) || except.has(one.pid) || one === process) continue;
      const parent = one.parent;
      if (parent !== process && !isKnown(one) && !(parent !== null && found.has(parent))) continue;
      found.add(one);
      grew = true;
    }
  }
  return [...found].map(({ pid, group, startedTicks, argv }) => ({
    pid,
    group,
    number: pid,
    started: String(startedTicks),
    name: argv[0] ?? '',
  }));
}
