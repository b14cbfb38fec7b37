/**
 * The keeper as a program: `FOLDER` holds the order; it starts the program there, or, with the folder
 * and the instance of an OCI container as two more arguments, is the supervisor of that one's life.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { KeeperHost, KeptProcess } from '../../../../../src/platform/keeper-host.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import { serve } from './connections.ts';
import { encodeUtf8 } from '../../../../../src/platform/byte-text.ts';
import { keepOciContainer, type Supervise } from './keep-oci.ts';
import { Keeper } from './keeper.ts';
import { readRecord, SOCKET_NAME } from './records.ts';

/** What the keeper of a process says, in one line of JSON, when it knows whether that runs. */
export type FirstWord =
  | { readonly kind: 'started' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The working folder must be FOLDER: the socket's address is short. */
export async function keep(host: KeeperHost, supervise: Supervise): Promise<void> {
  const [folder = '', lifeFolder, instance = ''] = host.args;
  const order = await readRecord(host.files, folder, 'order');
  if (order === null) throw new Error(`${folder} holds no order for a container`);
  const keeper = new Keeper(host, folder, order);
  host.keeping.listen(SOCKET_NAME, (connection) => {
    serve(keeper, connection);
  });
  host.supervision.becomeSubreaper();
  if (lifeFolder === undefined) await keepProgram(keeper);
  else await keepOciContainer(keeper, { supervise, folder: lifeFolder, instance });
  await keeper.linger();
}

async function keepProgram(keeper: Keeper): Promise<void> {
  const { host } = keeper;
  const process = await startProgram(keeper);
  if (process === null) return;
  tell(host, { kind: 'started' });
  await keeper.settle(await process.exited, false);
}

async function startProgram(keeper: Keeper): Promise<KeptProcess | null> {
  const { host, order } = keeper;
  const { stdin, tty, program } = order;
  try {
    const process = host.keeping.spawn({ ...program, stdin, tty, endsWithUs: true });
    keeper.hold(process);
    await keeper.report(process.pid);
    return process;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell(host, { kind: 'failed', code: codeOf(error) ?? 'EIO', message });
    return null;
  }
}

function tell(host: KeeperHost, word: FirstWord): void {
  host.print('stdout', `${encodeUtf8(JSON.stringify(word))}\n`);
}
