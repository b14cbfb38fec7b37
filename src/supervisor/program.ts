/**
 * The supervisor as a program, `NODE-FOLDER`, `LIFE-FOLDER INSTANCE` or all three: the folder in which a node left its order
 * for a container, and the folder and the instance of a container of the container lifecycle. Without a life it starts the
 * program of the order; without a node nothing is served on a socket, and the output is in files of the life's folder.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { ContainerHost, HeldProcess, SupervisorHost } from '../platform/supervisor-host.ts';
import { serve } from './connections.ts';
import { readRecord, SOCKET_NAME } from './records.ts';
import { readCall, type Life } from './supervisor-call.ts';
import { Supervisor } from './supervisor.ts';

/** Starts a container's program, waits for its end and records it: in Lifehook the container lifecycle's. */
export type Supervise = (supervising: Supervising) => Promise<void>;

export interface Supervising extends Life {
  readonly host: ContainerHost;
  /** That of the node's container; absent: no node asked for it. */
  readonly node?: Supervisor;
}

/** The working folder must be that of the node, if there is one: the socket's address is short. */
export async function runSupervisor(host: SupervisorHost, supervise: Supervise): Promise<void> {
  const call = readCall(host.args);
  if (call === null) throw wrongCall(host.args);
  const { nodeFolder, life } = call;
  if (nodeFolder === null) await supervise({ host, ...life });
  else await superviseForNode(host, { nodeFolder, life, supervise });
}

function wrongCall({ length }: readonly string[]): Error {
  return new Error(
    `A supervisor takes NODE-FOLDER, or LIFE-FOLDER INSTANCE, or all three, but got ${length} arguments. Lifehook starts it; nobody else needs to.`,
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
