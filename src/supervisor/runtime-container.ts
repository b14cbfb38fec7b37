/**
 * A container of an OCI runtime: its life's own supervisor does what it always does, hooks included;
 * only the streams of what it starts, and the end that it sees, pass through the supervisor.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { Exit, Platform } from '../platform/platform.ts';
import type {
  DetachedProcess,
  DetachedSpec,
  OutputTarget,
  ShimProcesses,
} from '../platform/supervision.ts';
import { awaitTerminal, socketOption, withOptions } from './handed-terminal.ts';
import type { Supervisor } from './supervisor.ts';
import { watchMemory } from './out-of-memory.ts';
import { Outputs, type Listener } from './outputs.ts';

/** What starts a container's program, waits for its end and records it: in Lifehook the container lifecycle's. */
export type Supervise = (supervising: {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  /** The life's folder and instance, as the supervisor was given them. */
  readonly folder: string;
  readonly instance: string;
}) => Promise<void>;

export async function keepOciContainer(
  supervisor: Supervisor,
  { supervise, ...life }: Life & { readonly supervise: Supervise },
): Promise<void> {
  const { host } = supervisor;
  await supervise({ platform: host, supervision: throughSupervisor(supervisor), ...life });
}

interface Life {
  readonly folder: string;
  readonly instance: string;
}

function throughSupervisor(supervisor: Supervisor): ShimProcesses {
  const { host } = supervisor;
  const { supervision } = host;
  let isMade = false;
  const ends: (() => void)[] = [];
  return {
    ...supervision,
    // Where that cannot be, the end is told as unknown, and told all the same.
    becomeSubreaper: () => true,
    spawnDetached: (spec) => {
      if (isMade) return supervision.spawnDetached(spec);
      isMade = true;
      ends.push(...[spec.stdout, spec.stderr].map(endOf));
      return make(supervisor, spec);
    },
    waitForEnd: async (pid) => {
      const memory = await watchMemory(host, pid);
      await supervisor.report(pid);
      const exit = await supervision.waitForEnd(pid);
      await supervisor.settle(exit, await memory.wasExceeded());
      for (const end of ends) end();
      return exit;
    },
  };
}

/** The command that makes the container: with pipes its streams become the container's. */
function make(supervisor: Supervisor, spec: DetachedSpec): DetachedProcess {
  const { host, order } = supervisor;
  const { tty } = order;
  // Before the runtime is there that calls it.
  if (tty) {
    awaitTerminal(host, TERMINAL_SOCKET, ({ channel, resize }) => {
      supervisor.hold({ stdin: channel, stdout: channel, stderr: null, resize });
    });
  }
  const process = host.io.spawn({
    ...spec,
    argv: tty ? withOptions(spec.argv, 'create', socketOption(host, TERMINAL_SOCKET)) : spec.argv,
    cwd: spec.cwd ?? '/',
    user: null,
    stdin: order.stdin && !tty,
    tty: false,
    endsWithUs: false,
  });
  const words = tty ? new Outputs() : supervisor.outputs;
  const listener = forward(spec);
  words.add(listener);
  if (tty) words.connect(process, () => undefined);
  else supervisor.hold(process);
  const exited = process.exited.then(async (exit): Promise<Exit> => {
    // What it said of its failure is read before the failure is told.
    if (exit.code !== 0) await words.drained(host.timers, false);
    words.remove(listener);
    return exit;
  });
  return { pid: process.pid, exited };
}

const TERMINAL_SOCKET = 't';

function forward({ stdout, stderr }: DetachedSpec): Listener {
  const targets = { stdout, stderr };
  return (stream, bytes) => {
    const target = targets[stream];
    if (target.kind === 'pipe') target.onData(bytes);
    return true;
  };
}

function endOf(target: OutputTarget): () => void {
  return target.kind === 'pipe' ? target.onEnd : () => undefined;
}
