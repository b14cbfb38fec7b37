/**
 * A terminal that an OCI runtime makes and hands over (`--console-socket`): the supervisor reads it to its end.
 * A runtime that stays between them may leave with the last of the output unread, as crun 1.8 does, and
 * until it is there an input is echoed twice. Runs natively too: nothing here that QuickJS lacks.
 */
import type { SupervisorHost, HeldProcess, Terminal } from '../platform/supervisor-host.ts';
import { posixError } from '../platform/posix-error.ts';
import type { Exit } from '../platform/platform.ts';
import type { Program } from './frames.ts';

/** Throws ENOTSUP where no terminal can be handed over. */
export function awaitTerminal(
  { io }: Pick<SupervisorHost, 'io'>,
  socket: string,
  onTerminal: (terminal: Terminal) => void,
): () => void {
  if (io.awaitTerminal !== null) return io.awaitTerminal(socket, onTerminal);
  throw posixError(
    'ENOTSUP',
    'A terminal for a container of an OCI runtime needs the native supervisor: "npm run build:shim" builds it where there are qjsc and a C compiler (ENOTSUP).',
  );
}

/** By our own working folder, since a socket's address is short. */
export function socketOption(
  { pid }: Pick<SupervisorHost, 'pid'>,
  socket: string,
): readonly string[] {
  return ['--console-socket', `/proc/${pid}/cwd/${socket}`];
}

export function withOptions(
  argv: readonly string[],
  command: string,
  options: readonly string[],
): readonly string[] {
  const at = argv.indexOf(command) + 1;
  return [...argv.slice(0, at), ...options, ...argv.slice(at)];
}

/** `started` null: the runtime could not start it, and its own end is all there is. */
export interface HandedProcess {
  readonly started: HeldProcess | null;
  readonly exit: Exit;
}

/**
 * The runtime starts the command, hands its terminal over, and leaves: the command is then our own child. Both files of that
 * are ours to remove: the node may have lost its client by now, and removes its own.
 */
export async function startInTerminal(
  starting: { readonly host: SupervisorHost; readonly folder: string },
  program: Program,
  handover: string,
): Promise<HandedProcess> {
  const { host, folder } = starting;
  const files = { socket: `${handover}.terminal`, pidFile: `${folder}/${handover}.pid` };
  try {
    return await startHanded(host, program, files);
  } finally {
    // One that stays goes with the container, and is no reason to lose the command.
    for (const path of [`${folder}/${files.socket}`, files.pidFile])
      await host.files.remove(path).catch(() => undefined);
  }
}

async function startHanded(
  host: SupervisorHost,
  program: Program,
  { socket, pidFile }: { readonly socket: string; readonly pidFile: string },
): Promise<HandedProcess> {
  let terminal: Terminal | null = null;
  const stop = awaitTerminal(host, socket, (handed) => {
    terminal = handed;
  });
  const options = ['--detach', '--pid-file', pidFile, ...socketOption(host, socket)];
  const argv = withOptions(program.argv, 'exec', options);
  const runtime = host.io.spawn({
    ...program,
    argv,
    stdin: false,
    tty: false,
    endsWithUs: true,
  });
  const exit = await runtime.exited;
  for (const channel of [runtime.stdout, runtime.stderr]) channel?.close();
  stop();
  const { channel, resize } = (terminal as Terminal | null) ?? {};
  if (exit.code !== 0 || channel === undefined || resize === undefined) {
    channel?.close();
    return { started: null, exit };
  }
  const pid = Number(await host.files.read(pidFile));
  const ended = host.supervision.waitForEnd(pid);
  const exited = ended.then((end) => end ?? { code: null, signal: null });
  const started = { pid, exited, stdin: channel, stdout: channel, stderr: null, resize };
  return { started, exit };
}
