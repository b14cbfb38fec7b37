/**
 * The five interfaces through which Lifehook accesses the operating system and the network. Production, the QuickJS
 * shim and the simulator each implement them. No other code in `engine/`, `handlers/` or `lifecycles/` may access a
 * clock, a timer, a process, a file or a socket.
 *
 * A failure outside of Lifehook rejects with an `Error` that has a POSIX `code` ("ENOENT", "EPIPE").
 */
export interface Platform {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly processes: Processes;
  readonly files: Files;
  readonly network: Network;
}

export interface Clock {
  /** Milliseconds since the epoch on the wall clock, which may step forwards and backwards. */
  nowMs(): number;
  /** Milliseconds that never step back; only the difference of two values within one process has a meaning. */
  monotonicMs(): number;
}

export interface Timers {
  /**
   * Calls back once after `ms` milliseconds (0 or less: as soon as possible). The returned function cancels the call.
   */
  after(ms: number, callback: () => void): () => void;
}

/** The used part of `AbortSignal`, so that code also runs where that class is missing (QuickJS). */
export interface CancelSignal {
  readonly aborted: boolean;
  /** 'SIGINT' after Ctrl-C; else the value that was given when the signal was aborted. */
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export type Signal =
  | 'SIGTERM'
  | 'SIGKILL'
  | 'SIGINT'
  | 'SIGHUP'
  | 'SIGUSR1'
  | 'SIGUSR2'
  | 'SIGQUIT';

export interface SpawnSpec {
  /**
   * The program's path: relative to `cwd`, or searched on the caller's PATH if it has no slash. No shell is used as a
   * fallback: a text without "#!" is rejected with ENOEXEC.
   */
  readonly file: string;
  /** The whole argv, argv[0] included. */
  readonly argv: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; absent: that of the caller. */
  readonly cwd?: string;
  /**
   * Text for stdin, written without blocking; then stdin is closed. A reader that exits early is not an error. Absent:
   * stdin is empty (/dev/null).
   */
  readonly stdin?: string;
  /**
   * Called with each piece of output, in order, until the process has ended and its pipes are drained. Text is UTF-8
   * decoded with U+FFFD for invalid bytes; a character is never split between two calls.
   */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string, byteLength: number) => void;
  /**
   * True: `exited` waits for the whole group, and output is delivered until the group ends. Absent: `exited` waits for
   * the leader only.
   */
  readonly untilGroupEnds?: boolean;
}

/** The exit status of a process: `code` or `signal` is null. Both are null if the status is unknown. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A child process that leads a separate process group. */
export interface RunningProcess {
  /** Process id; 0 if the program could not be started. */
  readonly pid: number;
  /**
   * Resolves when the leader has exited and all its output has been delivered, even if a grandchild still holds the
   * pipes. Rejects if the program could not be started, and with ESRCH if its exit can no longer be observed.
   */
  readonly exited: Promise<Exit>;
  /**
   * Signals the whole group; an exited group is not an error. From the first signal until SIGKILL the group keeps its
   * output pipes, also after the leader's exit: a process that cleans up must not be killed by SIGPIPE.
   */
  signalGroup(signal: Signal): void;
  /**
   * Whether the group still has a member. A process that has exited counts until its parent has reaped it, so use this
   * only to wait for a bounded time.
   */
  groupAlive(): boolean;
  /** Processes outside the group that were signalled with it, each as "4711 (sleep)"; absent: none. */
  reached?(): readonly string[];
  /**
   * Repeats a SIGKILL that could not find all processes, for lack of file descriptors or memory. False: they still
   * cannot be found. Absent: SIGKILL always reaches all.
   */
  finishKill?(): boolean;
}

export interface Processes {
  spawn(spec: SpawnSpec): RunningProcess;
}

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mtimeMs: number;
  /** The permission bits only. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly inode: number;
}

/**
 * A string whose every character is one byte (0 to 255): the exact content of a file. It can be cut and joined without
 * changing any other byte, in Node and in QuickJS alike.
 */
export type ByteText = string;

export interface AppendFile {
  /**
   * Appends the text as UTF-8. Resolves when the operating system has the text, which may not be durable yet. If the
   * file was opened as durable, resolves only when the text is durable. A file that was opened as unsynced may lose
   * even its name in a power failure.
   */
  write(text: string): Promise<void>;
  /** Makes everything written so far durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  read(path: string): Promise<ByteText>;
  /** The start of the file, at most this number of bytes. */
  readStart(path: string, bytes: number): Promise<ByteText>;
  /** The state of the file; follows symbolic links. */
  stat(path: string): Promise<FileStat>;
  /** The names in a directory, in no particular order. */
  list(path: string): Promise<string[]>;
  /**
   * Creates a new file next to the old one, syncs it, then renames it over the old one: readers see either the old or
   * the new content.
   */
  replace(
    path: string,
    content: ByteText,
    like: { mode: number; uid?: number; gid?: number },
  ): Promise<void>;
  /** Creates a file. Rejects with EEXIST if the file exists. */
  create(path: string, content: ByteText, mode: number): Promise<void>;
  openAppend(path: string, mode: number, kind?: 'durable' | 'unsynced'): Promise<AppendFile>;
  truncate(path: string, size: number): Promise<void>;
  /** Renames a file. With `unsynced` the file may still have its old name after a power failure. */
  rename(from: string, to: string, kind?: 'unsynced'): Promise<void>;
  /** Removes a file, or a directory with its content. It is not an error if the path does not exist. */
  remove(path: string): Promise<void>;
  makeFolder(path: string, mode: number): Promise<void>;
  /** The absolute path with every symbolic link resolved. */
  realPath(path: string): Promise<string>;
  /** The target of a symbolic link, and the owner of the link; null: the path is not a link, or does not exist. */
  readLink(path: string): Promise<{ readonly target: string; readonly uid: number } | null>;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum number of bytes of the body that are read; 0: the body is not read. */
  readonly bodyLimitBytes: number;
  /**
   * Whether to verify the server certificate. Probes of Kubernetes accept any certificate, and so do hooks by default.
   */
  readonly verifyCertificate: boolean;
  readonly signal: CancelSignal;
  readonly whyRefused?: RefuseAddress;
}

/**
 * Called with each IP address of the host, before a connection to one of them is opened. Null accepts the address. A
 * text describes the address, and refuses the host.
 */
export type RefuseAddress = (address: string) => string | null;

export interface HttpAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
  /** Bytes of the body that were read; at most the limit. */
  readonly bodyBytes: number;
  readonly bodyTruncated: boolean;
}

export interface TcpTarget {
  readonly host: string;
  readonly port: number;
  readonly signal: CancelSignal;
  readonly whyRefused?: RefuseAddress;
}

export interface Network {
  /** One GET request without following redirects. */
  httpGet(request: HttpRequest): Promise<HttpAnswer>;
  /** Opens a TCP connection and closes it again. */
  tcpConnect(target: TcpTarget): Promise<void>;
}
