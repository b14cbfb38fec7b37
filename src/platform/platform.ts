/**
 * The five interfaces through which Lifehook touches the world. Production, the QuickJS shim and the
 * simulator each bring an implementation; nothing else in `engine/`, `handlers/` or `lifecycles/` may
 * reach a clock, a timer, a process, a file or a socket.
 *
 * Failures of the world reject with an `Error` that carries a POSIX `code` ("ENOENT", "EPIPE").
 */
export interface Platform {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly processes: Processes;
  readonly files: Files;
  readonly network: Network;
}

export interface Clock {
  /** Wall clock, milliseconds since the epoch. It may step forwards and backwards. */
  nowMs(): number;
  /** Never steps back; meaningful only as a difference within one process. */
  monotonicMs(): number;
}

export interface Timers {
  /** Calls back once after `ms` (0 or less: as soon as possible); the returned function calls it off. */
  after(ms: number, callback: () => void): () => void;
}

/** The part of `AbortSignal` that is used, so that code also runs where that class is missing (QuickJS). */
export interface CancelSignal {
  readonly aborted: boolean;
  /** 'SIGINT' where Ctrl-C aborted it; else whatever the code that aborted it gave. */
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
   * The program's path: from `cwd` when it is relative, looked up on the caller's PATH when it holds no
   * slash. No shell ever stands in: a text without "#!" is refused with ENOEXEC.
   */
  readonly file: string;
  /** The whole argv, argv[0] included. */
  readonly argv: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the caller's. */
  readonly cwd?: string;
  /** Fed without blocking, then closed. A reader that goes away early is not an error. Absent: closed at once. */
  readonly stdin?: string;
  /**
   * Called with each piece of output, in order, until the process and the drain after it end.
   * Text is UTF-8 decoded with U+FFFD for what is not; a character is never split between two calls.
   */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string, byteLength: number) => void;
  /** `exited` waits for the whole group, whose output is delivered until then. Absent: for the leader. */
  readonly untilGroupEnds?: boolean;
}

/** How a process ended: exactly one of the two is set. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A child process that leads a process group of its own. */
export interface RunningProcess {
  /** 0 when the program could not be started. */
  readonly pid: number;
  /**
   * Resolves when the leader has ended and what it had written has been delivered, even if a
   * grandchild still holds the pipes. Rejects only if the program could not be started.
   */
  readonly exited: Promise<Exit>;
  /**
   * Signals the whole group; a group that is gone is not an error. From its first signal to SIGKILL the
   * group keeps its output pipes, also past the leader's end: who tidies up shall not die of SIGPIPE.
   */
  signalGroup(signal: Signal): void;
  /**
   * Whether the group still has a member. One that has ended counts until its parent has reaped it,
   * so this is no more than a reason to wait a bounded time.
   */
  groupAlive(): boolean;
  /** Processes outside of the group that were signalled with it, each as "4711 (sleep)"; absent: there are none. */
  reached?(): readonly string[];
}

export interface Processes {
  spawn(spec: SpawnSpec): RunningProcess;
}

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mtimeMs: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly inode: number;
}

/**
 * A string whose every character is one byte (0 to 255): the exact content of a file. It can be cut
 * and joined without changing a byte that was not meant to change, in Node and in QuickJS alike.
 */
export type ByteText = string;

export interface AppendFile {
  /**
   * Appends the text as UTF-8; resolves when the operating system has it, which is not yet durable. In a
   * file that was opened as durable it is. Of one that was opened as unsynced, a power failure may take
   * even the name.
   */
  write(text: string): Promise<void>;
  /** Makes everything written so far durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  read(path: string): Promise<ByteText>;
  /** At most that many bytes, from the beginning. */
  readStart(path: string, bytes: number): Promise<ByteText>;
  /** Follows symbolic links. */
  stat(path: string): Promise<FileStat>;
  /** The names in a folder, in no particular order. */
  list(path: string): Promise<string[]>;
  /** A new file beside the old one, synced, then renamed over it: readers see the old or the new. */
  replace(
    path: string,
    content: ByteText,
    like: { mode: number; uid?: number; gid?: number },
  ): Promise<void>;
  /** Fails with EEXIST when the file is there already. */
  create(path: string, content: ByteText, mode: number): Promise<void>;
  openAppend(path: string, mode: number, kind?: 'durable' | 'unsynced'): Promise<AppendFile>;
  truncate(path: string, size: number): Promise<void>;
  /** `unsynced`: after a power failure the file may still have its old name. */
  rename(from: string, to: string, kind?: 'unsynced'): Promise<void>;
  /** Removes a file, or a folder with all it holds; something already gone is not an error. */
  remove(path: string): Promise<void>;
  makeFolder(path: string, mode: number): Promise<void>;
  /** The absolute path with every symbolic link resolved. */
  realPath(path: string): Promise<string>;
  /** What a symbolic link says, and whose it is; null: something else is there, or nothing. */
  readLink(path: string): Promise<{ readonly target: string; readonly uid: number } | null>;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** 0: none of it is read. */
  readonly bodyLimitBytes: number;
  /** Kubernetes probes accept any certificate; so do hooks unless told otherwise. */
  readonly verifyCertificate: boolean;
  readonly signal: CancelSignal;
  readonly whyRefused?: RefuseAddress;
}

/**
 * Asked of each IP address that the host has, before a connection is opened, which then goes to one of these. A text says
 * what the address is, and refuses the host; null lets it pass.
 */
export type RefuseAddress = (address: string) => string | null;

export interface HttpAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
  /** Bytes of the body that were read; no more are read than the limit. */
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
