/**
 * The world of the program that keeps one container: what a shim program has, and processes whose
 * streams it holds, a socket that it is reached by, a log. The native shim and Node both bring one.
 */
import type { ByteText, Exit, Platform, Signal } from './platform.ts';
import type { ShimHost } from './shim-host.ts';

export interface SupervisorHost extends ShimHost {
  readonly io: ContainerIo;
}

/** The part of it that a container needs, whoever asked for the container. */
export type ContainerHost = Platform & Pick<SupervisorHost, 'io' | 'pid' | 'supervision'>;

export interface ContainerIo {
  /**
   * A new socket file that accepts connections as soon as it exists: throws EADDRINUSE when
   * anything of that name is there. A path that is relative to the working folder may lie deeper than a socket's
   * address is long.
   */
  listen(path: string, onConnection: (connection: Channel) => void): void;
  openLog(path: string): LogOutput;
  renameNow(from: string, to: string): void;
  /** Throws, with a POSIX code, when the program cannot be started. */
  spawn(spec: HeldSpec): HeldProcess;
  /** The direct children of a process, adopted ones included; none where that cannot be known. */
  childrenOf(pid: number): readonly number[];
  /** To one process; a number below 0: to a group. One that is gone is no error. */
  signal(pid: number, signal: Signal): void;
  /**
   * The socket on which an OCI runtime hands over the terminal of what it starts. The result ends the wait:
   * a terminal that has arrived by then is still handed over. null: not here.
   */
  readonly awaitTerminal:
    | ((socketPath: string, onTerminal: (terminal: Terminal) => void) => () => void)
    | null;
}

/** Written at once, whole. A slow disk stops us, and so whoever writes to us: nothing piles up. */
export interface LogOutput {
  readonly size: number;
  write(bytes: ByteText): void;
  close(): void;
}

export interface ChannelEvents {
  readonly onData: (bytes: ByteText) => void;
  /** Nothing more will come; also when the other side was cut off. */
  readonly onEnd: () => void;
  /** What was written is taken. */
  readonly onDrain: () => void;
}

/** One or both directions of a pipe, a socket or a terminal. */
export interface Channel {
  /** Before this nothing is read. */
  open(events: ChannelEvents): void;
  pause(): void;
  resume(): void;
  /** False: some of it waits, write on after `onDrain`. Bytes for somebody who is gone are dropped. */
  write(bytes: ByteText): boolean;
  /** Nothing more will be written; closes when all of it is taken. */
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
  /** Looked up on our own PATH when it holds no slash. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** null: as we are. */
  readonly user: ProgramUser | null;
  /** False: /dev/null. */
  readonly stdin: boolean;
  /** Its streams are one terminal, which controls its session. */
  readonly tty: boolean;
  /** Killed by the system when we end, however we end. */
  readonly endsWithUs: boolean;
}

/** The leader of a session of its own. */
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
