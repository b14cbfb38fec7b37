/**
 * The standard streams of one container. The container's output is written to its log and sent to the attached clients.
 * The clients' input is written to the container's stdin. Also runs natively: uses nothing that QuickJS lacks.
 */
import { decodeUtf8 } from '../platform/byte-text.ts';
import type { Exit, Timers } from '../platform/platform.ts';
import type {
  ContainerHost,
  HeldProcess,
  HeldSpec,
  HeldStreams,
} from '../platform/supervisor-host.ts';
import type { Program } from './frames.ts';
import { awaitTerminal, socketOption, withOptions } from './handed-terminal.ts';
import { Input } from './session.ts';
import { Outputs, type Listener } from './outputs.ts';
import type { OutputLog } from './rotated-file.ts';

export class ContainerStreams {
  readonly outputs: Outputs = new Outputs();
  /** Stdin of the container; null: there is no process yet. */
  input: Input | null = null;
  held: HeldStreams | null = null;
  readonly #log: OutputLog;

  constructor(log: OutputLog) {
    this.#log = log;
    this.outputs.add((stream, bytes) => {
      log.add(stream, bytes);
      return true;
    });
  }

  /** Starts the container's program. Throws if it cannot be started. */
  start({ io }: Pick<ContainerHost, 'io'>, spec: HeldSpec): HeldProcess {
    const process = io.spawn(spec);
    this.hold(process);
    return process;
  }

  hold(streams: HeldStreams): void {
    const input = new Input(streams);
    this.input = input;
    this.held = streams;
    this.outputs.connect(streams, () => {
      input.drained();
    });
  }

  /** Call after the process has exited. Resolves once all its output is in the log. */
  async close(timers: Timers): Promise<void> {
    await this.outputs.drained(timers, false);
    this.#log.close();
  }
}

export interface StreamWish {
  readonly stdin: boolean;
  readonly tty: boolean;
}

export interface StartedRuntime {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** The last part of the runtime's output, for the message if the runtime fails. */
  readonly said: () => string;
}

const saidMaxCharacters = 4096;
const TERMINAL_SOCKET = 't';

/**
 * Starts the `create` of an OCI runtime, whose pipes become the container's streams. With `tty` the runtime hands over
 * a terminal instead. Throws if the runtime cannot be started.
 */
export function startRuntime(
  host: ContainerHost,
  streams: ContainerStreams,
  { program, stdin, tty }: StreamWish & { readonly program: Program },
): StartedRuntime {
  // The socket must listen before the runtime connects to it.
  if (tty) {
    awaitTerminal(host, TERMINAL_SOCKET, ({ channel, resize }) => {
      streams.hold({ stdin: channel, stdout: channel, stderr: null, resize });
    });
  }
  const { argv } = program;
  const process = host.io.spawn({
    ...program,
    argv: tty ? withOptions(argv, 'create', socketOption(host, TERMINAL_SOCKET)) : argv,
    stdin: stdin && !tty,
    tty: false,
    endsWithUs: false,
  });
  let said = '';
  const listener: Listener = (_stream, bytes) => {
    said = (said + bytes).slice(-saidMaxCharacters);
    return true;
  };
  const outputs = tty ? new Outputs() : streams.outputs;
  outputs.add(listener);
  if (tty) outputs.connect(process, () => undefined);
  else streams.hold(process);
  const exited = process.exited.then(async (exit): Promise<Exit> => {
    // The runtime's output is read completely before its failure is reported.
    if (exit.code !== 0) await outputs.drained(host.timers, false);
    outputs.remove(listener);
    return exit;
  });
  return { pid: process.pid, exited, said: () => decodeUtf8(said).trim() };
}
