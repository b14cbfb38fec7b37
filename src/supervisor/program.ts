/**
 * The supervisor as a program: `NODE-DIRECTORY`, `LIFE-DIRECTORY INSTANCE`, or all three. The node's directory has its
 * order for a container; the life directory and the instance identify a container of the container lifecycle. Without a
 * life it starts the program of the order. Without a node it serves no socket, and writes the output to files in the
 * life directory. Also runs natively: uses nothing that QuickJS lacks.
 */
import type { ContainerHost, HeldProcess, SupervisorHost } from '../platform/supervisor-host.ts';
import { serve } from './connections.ts';
import { readRecord, SOCKET_NAME } from './records.ts';
import { readCall, type Life } from './supervisor-call.ts';
import { Supervisor } from './supervisor.ts';

/** Starts a container's program, waits for its exit and records it; implemented by the container lifecycle. */
export type Supervise = (supervising: Supervising) => Promise<void>;

export interface Supervising extends Life {
  readonly host: ContainerHost;
  /** The supervisor of the node's container; absent: no node asked for the container. */
  readonly node?: Supervisor;
}

/** If there is a node, its directory must be the working directory: the address of a socket must be short. */
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
    await node.reportFailure(error);
    return null;
  }
}
