/**
 * The supervisor as a program: `FOLDER` holds the order; it starts the program there, or, with the folder
 * and the instance of an OCI container as two more arguments, is the supervisor of that one's life.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { SupervisorHost, HeldProcess } from '../platform/supervisor-host.ts';
import { codeOf } from '../platform/posix-error.ts';
import { serve } from './connections.ts';
import { encodeUtf8 } from '../platform/byte-text.ts';
import { keepOciContainer, type Supervise } from './runtime-container.ts';
import { Supervisor } from './supervisor.ts';
import { readRecord, SOCKET_NAME } from './records.ts';

/** What the supervisor of a process says, in one line of JSON, when it knows whether that runs. */
export type FirstWord =
  | { readonly kind: 'started' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The working folder must be FOLDER: the socket's address is short. */
export async function keep(host: SupervisorHost, supervise: Supervise): Promise<void> {
  const [folder = '', lifeFolder, instance = ''] = host.args;
  const order = await readRecord(host.files, folder, 'order');
  if (order === null) throw new Error(`${folder} holds no order for a container`);
  const supervisor = new Supervisor(host, folder, order);
  host.io.listen(SOCKET_NAME, (connection) => {
    serve(supervisor, connection);
  });
  host.supervision.becomeSubreaper();
  if (lifeFolder === undefined) await keepProgram(supervisor);
  else await keepOciContainer(supervisor, { supervise, folder: lifeFolder, instance });
  await supervisor.linger();
}

async function keepProgram(supervisor: Supervisor): Promise<void> {
  const { host } = supervisor;
  const process = await startProgram(supervisor);
  if (process === null) return;
  tell(host, { kind: 'started' });
  await supervisor.settle(await process.exited, false);
}

async function startProgram(supervisor: Supervisor): Promise<HeldProcess | null> {
  const { host, order } = supervisor;
  const { stdin, tty, program } = order;
  try {
    const process = host.io.spawn({ ...program, stdin, tty, endsWithUs: true });
    supervisor.hold(process);
    await supervisor.report(process.pid);
    return process;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell(host, { kind: 'failed', code: codeOf(error) ?? 'EIO', message });
    return null;
  }
}

function tell(host: SupervisorHost, word: FirstWord): void {
  host.print('stdout', `${encodeUtf8(JSON.stringify(word))}\n`);
}
