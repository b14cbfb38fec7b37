/**
 * The host of a container's supervisor: that of a shim program, and processes with their streams, a socket for clients,
 * a log. The native shim and Node both implement it.
 */
import type { ByteText, Exit, Platform, Signal } from './platform.ts';
import type { ShimHost } from './shim-host.ts';

export interface SupervisorHost extends ShimHost {
  readonly io: ContainerIo;
}

/** The part that a container needs, in every lifecycle. */
export type ContainerHost = Platform & Pick<SupervisorHost, 'io' | 'pid' | 'supervision'>;

export interface ContainerIo {
  /**
   * A new socket file that accepts connections as soon as it exists: throws EADDRINUSE if the name exists. A path
   * relative to the working directory may be deeper than the length of a socket's address allows.
   */
  listen(path: string, onConnection: (connection: Channel) => void): void;
  openLog(path: string): LogOutput;
  renameNow(from: string, to: string): void;
  /** Throws, with a POSIX code, if the program cannot be started. */
  spawn(spec: HeldSpec): HeldProcess;
  /** The direct children of a process, adopted ones included; empty if they cannot be found. */
  childrenOf(pid: number): readonly number[];
  /** Signals one process; a number below 0: a group. No error if it has exited. */
  signal(pid: number, signal: Signal): void;
  /**
   * The socket on which an OCI runtime passes the terminal of the program that it starts. The result ends the wait: a
   * terminal that has arrived by then is still passed on. null: not supported here.
   */
  readonly awaitTerminal:
    | ((socketPath: string, onTerminal: (terminal: Terminal) => void) => () => void)
    | null;
}

/** Written at once, whole. A slow disk blocks us, and so the writers to us: nothing is buffered. */
export interface LogOutput {
  readonly size: number;
  write(bytes: ByteText): void;
  close(): void;
}

export interface ChannelEvents {
  readonly onData: (bytes: ByteText) => void;
  /** Nothing more will arrive; also if the peer was cut off. */
  readonly onEnd: () => void;
  /** All written bytes were accepted. */
  readonly onDrain: () => void;
}

/** One or both directions of a pipe, a socket or a terminal. */
export interface Channel {
  /** Nothing is read before this call. */
  open(events: ChannelEvents): void;
  pause(): void;
  resume(): void;
  /** False: some bytes wait, continue after `onDrain`. Bytes for a closed peer are dropped. */
  write(bytes: ByteText): boolean;
  /** Call it after the last write; closes when all bytes were accepted. */
  finish(): void;
  close(): void;
  readonly closed: boolean;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface Terminal {
  readonly channel: Channel;
  readonly resize: (size: TerminalSize) => void;
}

export interface ProgramUser {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

export interface HeldSpec {
  /** Searched on our own PATH if it has no slash. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** null: the user of this process. */
  readonly user: ProgramUser | null;
  /** False: stdin is /dev/null. */
  readonly stdin: boolean;
  /** True: its streams are one terminal, which is the controlling terminal of its session. */
  readonly tty: boolean;
  /** True: the system kills it when we exit for any reason. */
  readonly endsWithUs: boolean;
}

/** The leader of a separate session. */
export interface HeldProcess extends HeldStreams {
  readonly pid: number;
  readonly exited: Promise<Exit>;
}

export interface HeldStreams {
  readonly stdin: Channel | null;
  /** With a terminal, the same as stdin. */
  readonly stdout: Channel;
  /** null: a terminal. */
  readonly stderr: Channel | null;
  readonly resize: (size: TerminalSize) => void;
}
