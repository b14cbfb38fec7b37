/**
 * The process functions of a supervisor beyond `Processes`: children that outlive the call that started them, and the
 * end of processes that another process started. The native shim implements all of them. Node cannot become a
 * subreaper, so under Node the exit status of an adopted process stays unknown.
 */
import type { Descendant, DescendantQuestion } from './descendants.ts';
import type { Exit, Signal, ByteText } from './platform.ts';

export interface ShimProcesses {
  /**
   * From now on orphaned descendants become our children (Linux PR_SET_CHILD_SUBREAPER), so that their exit status can
   * be read. False: the system does not support it.
   */
  becomeSubreaper(): boolean;
  /** Starts a program in a separate session, with its standard streams connected as the spec says. */
  spawnDetached(spec: DetachedSpec): DetachedProcess;
  /**
   * Resolves when the process has exited. The result is its exit status if it is our child, started or adopted; else
   * null. Resolves at once for a process that has already exited.
   */
  waitForEnd(pid: number): Promise<Exit | null>;
  /**
   * Our living descendants. An orphan is among them only if we are a subreaper, or if it was known before. Throws if the
   * system lacks file descriptors or memory.
   */
  descendants(question: DescendantQuestion): readonly Descendant[];
  /** Returns false if there is no such process, or if it belongs to another user. */
  signalProcess(pid: number, signal: Signal): boolean;
  /** From now on this signal calls back instead of terminating this process. */
  onSignal(signal: Signal, callback: () => void): void;
}

export interface DetachedSpec {
  /** The program's path; searched on our own PATH if it has no slash. */
  readonly file: string;
  /** The whole argv, argv[0] included. */
  readonly argv: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * A file to read from; absent: /dev/null. "/dev/stdin" means our own stdin, even if it is a socket, which cannot be
   * opened by its path.
   */
  readonly stdinFile?: string;
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  /** The process is killed when we exit. (Under Node it is not.) */
  readonly endsWithUs?: true;
}

export type OutputTarget =
  | { readonly kind: 'null' }
  | { readonly kind: 'inherit' }
  | { readonly kind: 'append'; readonly path: string; readonly mode: number };

export interface DetachedProcess {
  readonly pid: number;
  /** Rejects only if the program could not be started. */
  readonly exited: Promise<Exit>;
}

/** The functions of a node for its supervisors: starts one, or connects to a running one. */
export interface Supervisors {
  /**
   * Starts a supervisor that outlives us, with its own directory as working directory. It writes its errors to
   * supervisor.log there.
   */
  start(call: SupervisorCall): DetachedProcess;
  /** Rejects with ECONNREFUSED if the supervisor has exited, and with ENOENT if it never listened. */
  connect(socketPath: string): Promise<SupervisorConnection>;
}

export interface SupervisorCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

export interface SupervisorConnection {
  /**
   * All received bytes; they end when the connection has ended for any reason. While they are not read, the peer cannot
   * send.
   */
  readonly incoming: AsyncIterable<ByteText>;
  write(bytes: ByteText): void;
  close(): void;
}
