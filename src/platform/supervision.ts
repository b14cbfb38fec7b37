/**
 * What a supervisor needs beyond `Processes`: children that outlive the call that started them, and
 * the end of processes that somebody else started. The native shim brings all of it; Node brings it
 * without the subreaper, so there the exit status of an adopted process stays unknown.
 */
import type { Descendant, DescendantQuestion } from './descendants.ts';
import type { Exit, Signal } from './platform.ts';

export interface ShimProcesses {
  /**
   * From now on orphaned descendants become our children (Linux PR_SET_CHILD_SUBREAPER), so that
   * their exit status can be read. False where that is not possible.
   */
  becomeSubreaper(): boolean;
  /** Starts a program in a session of its own, with each standard stream connected as named. */
  spawnDetached(spec: DetachedSpec): DetachedProcess;
  /**
   * Resolves when the process has ended: with its exit status if it is our child, also an adopted
   * one, else with null. A process that is already gone resolves at once.
   */
  waitForEnd(pid: number): Promise<Exit | null>;
  /**
   * Our living descendants. An orphan is among them if we are a subreaper, or if it was known before.
   */
  descendants(question: DescendantQuestion): readonly Descendant[];
  /** False when there is no such process, or when it is another user's. */
  signalProcess(pid: number, signal: Signal): boolean;
  /** From now on the signal calls back instead of ending us. */
  onSignal(signal: Signal, callback: () => void): void;
}

export interface DetachedSpec {
  /** The program's path; looked up on our own PATH when it holds no slash. */
  readonly file: string;
  /** The whole argv, argv[0] included. */
  readonly argv: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A file to read from; absent: /dev/null. "/dev/stdin" is our own, also where it is a socket, which cannot be opened. */
  readonly stdinFile?: string;
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  /** It is killed when we are. (Under Node it is not.) */
  readonly endsWithUs?: true;
}

/** Where an output stream goes. */
export type OutputTarget =
  | { readonly kind: 'null' }
  | { readonly kind: 'inherit' }
  | { readonly kind: 'append'; readonly path: string; readonly mode: number };

export interface DetachedProcess {
  readonly pid: number;
  /** Rejects only if the program could not be started. */
  readonly exited: Promise<Exit>;
}
