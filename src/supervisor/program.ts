/**
 * The supervisor as a program: `NODE-DIRECTORY`, `LIFE-DIRECTORY INSTANCE`, or all three. NODE-DIRECTORY contains the
 * node's order for a container. LIFE-DIRECTORY and INSTANCE identify a container of the container lifecycle. Without
 * these two, the supervisor starts the program of the order. Without NODE-DIRECTORY it serves no socket, and writes the
 * output to files in LIFE-DIRECTORY. Also runs natively: uses nothing that QuickJS lacks.
 */
import type {
  Channel,
  ContainerHost,
  HeldProcess,
  SupervisorHost,
} from '../platform/supervisor-host.ts';
import { exec } from './commands.ts';
import { frameReader, type Purpose, wordFrame } from './frames.ts';
import { endAll, signalContainer } from './process-tree.ts';
import { readRecord, SOCKET_NAME } from './records.ts';
import { listenerOf, pass, quiet, type Say, type Session } from './session.ts';
import { Supervisor } from './supervisor.ts';

/** Starts a container's program, waits for its exit and records it; implemented by the container lifecycle. */
export type Supervise = (supervising: Supervising) => Promise<void>;

export interface Supervising extends Life {
  readonly host: ContainerHost;
  /** The supervisor of the node's container; absent: no node asked for the container. */
  readonly node?: Supervisor;
}

/**
 * Runs a supervisor to its end. If there is a node, its directory must be the working directory, since the address of a
 * socket must be short.
 */
export async function runSupervisor(host: SupervisorHost, supervise: Supervise): Promise<void> {
  const call = readCall(host.args);
  if (call === null) throw wrongCall(host.args);
  const { nodeFolder, life } = call;
  if (nodeFolder === null) await supervise({ host, ...life });
  else await superviseForNode(host, { nodeFolder, life, supervise });
}

function wrongCall({ length }: readonly string[]): Error {
  return new Error(
    `A supervisor takes NODE-DIRECTORY, or LIFE-DIRECTORY INSTANCE, or all three, but got ${length} arguments. Lifehook starts it; do not start it by hand.`,
  );
}

interface ForNode {
  readonly nodeFolder: string;
  readonly life: Life | null;
  readonly supervise: Supervise;
}

async function superviseForNode(
  host: SupervisorHost,
  { nodeFolder, life, supervise }: ForNode,
): Promise<void> {
  const order = await readRecord(host.files, nodeFolder, 'order');
  if (order === null) throw new Error(`${nodeFolder} holds no order for a container`);
  const node = new Supervisor(host, nodeFolder, order);
  host.io.listen(SOCKET_NAME, (connection) => {
    serve(node, connection);
  });
  host.supervision.becomeSubreaper();
  if (life === null) await superviseProgram(node);
  else await supervise({ host, ...life, node });
  await node.linger();
}

async function superviseProgram(node: Supervisor): Promise<void> {
  const process = await startProgram(node);
  if (process !== null) await node.settle(await process.exited);
}

async function startProgram(node: Supervisor): Promise<HeldProcess | null> {
  const { stdin, tty, program } = node.order;
  try {
    const spec = { ...program, stdin, tty, endsWithUs: true };
    const process = node.streams.start(node.host, spec);
    await node.report(process.pid);
    return process;
  } catch (error) {
    // The node may start the container again after a failed start, so no process of this start may be left.
    if (node.first !== null) await endAll(node.host, node);
    await node.reportFailure(error);
    return null;
  }
}

/**
 * The server on a supervisor's socket: clients wait for the container's end, attach to its streams, run commands in it,
 * or send signals to it. One connection has one purpose. If the connection is closed, its client is detached from the
 * container's streams. The stdin of its command is closed, and a command without stdin, or in a terminal, is killed.
 * Also runs natively: uses nothing that QuickJS lacks.
 */
function serve(supervisor: Supervisor, connection: Channel): void {
  let session = quiet;
  supervisor.connections.add(connection);
  const read = frameReader((frame) => {
    if (frame.kind === 'p') session = open(supervisor, connection, frame.purpose);
    else session.onFrame(frame);
  });
  const close = (): void => {
    connection.close();
    supervisor.connections.delete(connection);
    session.onClose();
    session = quiet;
  };
  connection.open({
    onData: (bytes) => {
      try {
        read(bytes);
      } catch {
        // The frame is invalid, so the client is not the node, which sends only valid frames.
        close();
      }
    },
    onEnd: close,
    onDrain: () => {
      session.onDrain();
    },
  });
}

function open(supervisor: Supervisor, connection: Channel, purpose: Purpose): Session {
  const say: Say = (word) => {
    connection.write(wordFrame(word));
  };
  switch (purpose.kind) {
    case 'watch':
      return watch(supervisor, say, () => {
        connection.finish();
      });
    case 'signal':
      signalContainer(supervisor.host, supervisor, purpose.signal);
      say({ kind: 'done' });
      connection.finish();
      return quiet;
    case 'attach':
      return attach(supervisor, connection, say);
    case 'exec':
      return exec(supervisor, connection, { purpose, say });
    default:
      return purpose satisfies never;
  }
}

function watch({ watchers, end }: Supervisor, say: Say, reported: () => void): Session {
  const report: Parameters<typeof watchers.add>[0] = (seen) => {
    say({ kind: 'ended', end: seen });
    reported();
  };
  if (end !== null) report(end);
  watchers.add(report);
  return {
    ...quiet,
    onClose: () => {
      watchers.delete(report);
    },
  };
}

/**
 * Not closed here: an attached client closes the connection after it has read the last message. If we closed it while
 * the client sends input, it would be reset, and output that the client has not read yet would be lost.
 */
const leftOpen = (): void => undefined;

function attach(supervisor: Supervisor, connection: Channel, say: Say): Session {
  const { streams, order } = supervisor;
  const { outputs, input } = streams;
  const listener = listenerOf(connection);
  outputs.add(listener);
  const watching = watch(supervisor, say, leftOpen);
  return {
    onFrame: (frame) => {
      if (frame.kind === 'r') streams.held?.resize(frame.size);
      else if (input !== null) pass(input, say, { frame, ends: order.stdinOnce });
    },
    onDrain: () => {
      outputs.unblock(listener);
    },
    onClose: () => {
      outputs.remove(listener);
      watching.onClose();
      if (order.stdinOnce) input?.finish();
    },
  };
}

/** Identifies a container of `lifehook oci`: its directory, and the instance that is recorded there. */
interface Life {
  readonly folder: string;
  readonly instance: string;
}

type SupervisorCall =
  /** A container of `lifehook oci`. */
  | { readonly nodeFolder: null; readonly life: Life }
  /**
   * A container of a pod of the local cluster. `life` is null for a plain process, and set for a container of an OCI
   * runtime.
   */
  | { readonly nodeFolder: string; readonly life: Life | null };

/** null: the number of arguments is wrong. */
export function readCall(args: readonly string[]): SupervisorCall | null {
  const [first = '', second = '', third = ''] = args;
  switch (args.length) {
    case 1:
      return { nodeFolder: first, life: null };
    case 2:
      return { nodeFolder: null, life: { folder: first, instance: second } };
    case 3:
      return { nodeFolder: first, life: { folder: second, instance: third } };
    default:
      return null;
  }
}
