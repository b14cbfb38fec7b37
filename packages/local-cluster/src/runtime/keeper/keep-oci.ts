/**
 * A container of an OCI runtime: its life's own supervisor does what it always does, hooks included;
 * only the streams of what it starts, and the end that it sees, pass through the keeper.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { Exit, Platform } from '../../../../../src/platform/platform.ts';
import type {
  DetachedProcess,
  DetachedSpec,
  OutputTarget,
  ShimProcesses,
} from '../../../../../src/platform/supervision.ts';
import { awaitTerminal, socketOption, withOptions } from './handed-terminal.ts';
import type { Keeper } from './keeper.ts';
import { watchMemory } from './out-of-memory.ts';
import { Outputs, type Listener } from './outputs.ts';

/** What starts a container's program, waits for its end and records it: in Lifehook the container lifecycle's. */
export type Supervise = (supervising: {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  /** The life's folder and instance, as the keeper was given them. */
  readonly folder: string;
  readonly instance: string;
}) => Promise<void>;

export async function keepOciContainer(
  keeper: Keeper,
  { supervise, ...life }: Life & { readonly supervise: Supervise },
): Promise<void> {
  const { host } = keeper;
  await supervise({ platform: host, supervision: throughKeeper(keeper), ...life });
}

interface Life {
  readonly folder: string;
  readonly instance: string;
}

function throughKeeper(keeper: Keeper): ShimProcesses {
  const { host } = keeper;
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
      return make(keeper, spec);
    },
    waitForEnd: async (pid) => {
      const memory = await watchMemory(host, pid);
      await keeper.report(pid);
      const exit = await supervision.waitForEnd(pid);
      await keeper.settle(exit, await memory.wasExceeded());
      for (const end of ends) end();
      return exit;
    },
  };
}

/** The command that makes the container: with pipes its streams become the container's. */
function make(keeper: Keeper, spec: DetachedSpec): DetachedProcess {
  const { host, order } = keeper;
  const { tty } = order;
  // Before the runtime is there that calls it.
  if (tty) {
    awaitTerminal(host, TERMINAL_SOCKET, ({ channel, resize }) => {
      keeper.hold({ stdin: channel, stdout: channel, stderr: null, resize });
    });
  }
  const process = host.keeping.spawn({
    ...spec,
    argv: tty ? withOptions(spec.argv, 'create', socketOption(host, TERMINAL_SOCKET)) : spec.argv,
    cwd: spec.cwd ?? '/',
    user: null,
    stdin: order.stdin && !tty,
    tty: false,
    endsWithUs: false,
  });
  const words = tty ? new Outputs() : keeper.outputs;
  const listener = forward(spec);
  words.add(listener);
  if (tty) words.connect(process, () => undefined);
  else keeper.hold(process);
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
