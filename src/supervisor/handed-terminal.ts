/**
 * Terminals that an OCI runtime creates and hands over (`--console-socket`); the supervisor reads them to their end. If
 * the runtime itself relayed the terminal, it could exit before it has read the last output, as crun 1.8 does. And
 * input would be echoed twice until the runtime starts to relay. Also runs natively: uses nothing that QuickJS lacks.
 */
import type { SupervisorHost, HeldProcess, Terminal } from '../platform/supervisor-host.ts';
import { posixError } from '../platform/posix-error.ts';
import type { Exit } from '../platform/platform.ts';
import type { Program } from './frames.ts';

/** Waits for a terminal; the returned function stops the wait. Throws ENOTSUP if this host cannot receive terminals. */
export function awaitTerminal(
  { io }: Pick<SupervisorHost, 'io'>,
  socket: string,
  onTerminal: (terminal: Terminal) => void,
): () => void {
  if (io.awaitTerminal !== null) return io.awaitTerminal(socket, onTerminal);
  throw posixError(
    'ENOTSUP',
    'A terminal for a container of an OCI runtime needs the native supervisor: "npm run build:shim" builds it on a machine with qjsc (QuickJS) and a C compiler (ENOTSUP).',
  );
}

/** The option with the socket's path relative to our working directory, since the address of a socket must be short. */
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

/** `started` is null if the runtime could not start the command; then `exit` is that of the runtime itself. */
export interface HandedProcess {
  readonly started: HeldProcess | null;
  readonly exit: Exit;
}

/**
 * Starts a command with a terminal. The runtime starts the command, hands over its terminal and exits; the command is
 * then our child. We remove both files ourselves: the node would remove them, but its client may already have
 * disconnected.
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
    // If a file cannot be removed, the command must not fail. The file is removed together with the container.
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
  let exit: Exit;
  try {
    exit = await runtimeExit(host, {
      ...program,
      argv: withOptions(program.argv, 'exec', options),
    });
  } finally {
    stop();
  }
  const handed = terminal as Terminal | null;
  let started: HeldProcess | null = null;
  try {
    if (exit.code === 0 && handed !== null) started = await processIn(handed, host, pidFile);
  } finally {
    if (started === null) handed?.channel.close();
  }
  return { started, exit };
}

async function runtimeExit({ io }: SupervisorHost, program: Program): Promise<Exit> {
  const runtime = io.spawn({ ...program, stdin: false, tty: false, endsWithUs: true });
  const exit = await runtime.exited;
  for (const channel of [runtime.stdout, runtime.stderr]) channel?.close();
  return exit;
}

async function processIn(
  { channel, resize }: Terminal,
  { files, supervision }: SupervisorHost,
  pidFile: string,
): Promise<HeldProcess> {
  const pid = Number(await files.read(pidFile));
  const ended = supervision.waitForEnd(pid);
  const exited = ended.then((end) => end ?? { code: null, signal: null });
  return { pid, exited, stdin: channel, stdout: channel, stderr: null, resize };
}
