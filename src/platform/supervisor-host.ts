/**
 * The host of a container's supervisor. It has the functions of the host of a shim program, and also: processes with
 * their streams, a socket for clients, and a log. The native shim and Node both implement it.
 */
import type { ByteText, Exit, Platform, Signal } from './platform.ts';
import type { ShimHost } from './shim-host.ts';

export interface SupervisorHost extends ShimHost {
  readonly io: ContainerIo;
}

/** The part of the host that every supervised container needs, in a pod or in `lifehook oci`. */
export type ContainerHost = Platform & Pick<SupervisorHost, 'io' | 'pid' | 'print' | 'supervision'>;

export interface ContainerIo {
  /**
   * Creates a socket that accepts connections as soon as its file exists; throws EADDRINUSE if the file already exists.
   * Use a path relative to the working directory where the absolute path would be too long for a socket.
   */
  listen(path: string, onConnection: (connection: Channel) => void): void;
  openLog(path: string): LogOutput;
  renameNow(from: string, to: string): void;
  /** Starts a program. Throws with a POSIX code if it cannot be started. */
  spawn(spec: HeldSpec): HeldProcess;
  /**
   * The direct children of a process, adopted ones included; empty where the system does not report them. Throws if the
   * system lacks file descriptors or memory.
   */
  childrenOf(pid: number): readonly number[];
  /** Signals one process, or a group if the number is below 0. No error if it has exited. */
  signal(pid: number, signal: Signal): void;
  /**
   * Opens the socket on which an OCI runtime passes the terminal of the program that it starts. The returned function
   * ends the wait; a terminal that has arrived by then is still passed on. null: not supported here.
   */
  readonly awaitTerminal:
    | ((socketPath: string, onTerminal: (terminal: Terminal) => void) => () => void)
    | null;
}

/**
 * Writes each piece at once. Nothing is buffered: a slow disk blocks us, and so blocks the processes that write to us.
 */
export interface LogOutput {
  readonly size: number;
  /** Throws if the piece could not be written; a part of it may have been written, and then counts in `size`. */
  write(bytes: ByteText): void;
  /** Drops everything after the first `size` bytes. */
  truncate(size: number): void;
  close(): void;
}

export interface ChannelEvents {
  readonly onData: (bytes: ByteText) => void;
  /** Called when no more bytes will arrive, also if the peer was cut off. */
  readonly onEnd: () => void;
  /** Called when all written bytes were accepted. */
  readonly onDrain: () => void;
}

/** One or both directions of a pipe, a socket or a terminal. */
export interface Channel {
  /** Starts the reading; nothing is read before this call. */
  open(events: ChannelEvents): void;
  pause(): void;
  resume(): void;
  /** Returns false if some bytes are still waiting: continue after `onDrain`. Bytes for a closed peer are dropped. */
  write(bytes: ByteText): boolean;
  /** Call it after the last write. Closes the channel when all bytes were accepted. */
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
  /** The program; searched on our own PATH if it has no slash. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The user and groups of the program; null: those of this process. */
  readonly user: ProgramUser | null;
  /** Whether stdin is a pipe; false: it is /dev/null. */
  readonly stdin: boolean;
  /** Whether the standard streams are one terminal, which is the controlling terminal of the process's session. */
  readonly tty: boolean;
  /** Whether the system kills the process when we exit for any reason. */
  readonly endsWithUs: boolean;
}

/** A process that leads its own session. */
export interface HeldProcess extends HeldStreams {
  readonly pid: number;
  readonly exited: Promise<Exit>;
}

export interface HeldStreams {
  readonly stdin: Channel | null;
  /** The output; with a terminal, the same channel as stdin. */
  readonly stdout: Channel;
  /** null: the process has a terminal, so stderr is part of stdout. */
  readonly stderr: Channel | null;
  readonly resize: (size: TerminalSize) => void;
}
