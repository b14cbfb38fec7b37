/**
 * The standard streams of one container: its output goes to its log and to the clients that are attached, whose input
 * goes to it. Runs natively too: nothing here that QuickJS lacks.
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
import { Input } from './input.ts';
import { Outputs, type Listener } from './outputs.ts';
import type { OutputLog } from './rotated-file.ts';

export class ContainerStreams {
  readonly outputs: Outputs = new Outputs();
  /** Null before there is a process. */
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

  /** Starts the container's program. Throws when it cannot be started. */
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

  /** After the end of the process: resolves when all that it wrote is in the log. */
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
  /** The last of its output until it ended, for the message when it fails. */
  readonly said: () => string;
}

const saidMaxCharacters = 4096;
const TERMINAL_SOCKET = 't';

/**
 * A runtime's `create`, whose pipes become the container's; with `tty` it hands over a terminal instead. Throws when it
 * cannot be started.
 */
export function startRuntime(
  host: ContainerHost,
  streams: ContainerStreams,
  { program, stdin, tty }: StreamWish & { readonly program: Program },
): StartedRuntime {
  // Before the runtime that calls it.
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
    // Its message is read before its failure is reported.
    if (exit.code !== 0) await outputs.drained(host.timers, false);
    outputs.remove(listener);
    return exit;
  });
  return { pid: process.pid, exited, said: () => decodeUtf8(said).trim() };
}
