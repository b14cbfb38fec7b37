/**
 * The host of the shim programs: the platform, and the functions of a program that runs in place of another one (its
 * command line, its descriptors, its exit). The native shim and Node both implement it.
 */
import type { Fingerprints } from './fingerprint.ts';
import type { ByteText, Exit, Files, Platform, Signal } from './platform.ts';
import type { ShimProcesses } from './supervision.ts';

export interface ShimHost extends Platform {
  readonly supervision: ShimProcesses;
  readonly fingerprints: Fingerprints;
  /** The command line without the program's own name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  /** One sentence that says why this host is slower than the native one; null: it is not. */
  readonly slowness: string | null;
  /** The file of this program, with every symbolic link resolved. */
  selfPath(): Promise<string>;
  /** Like `files.replace`, without waiting for the disk: after a power failure the file may be empty. */
  readonly replaceUnsynced: Files['replace'];
  /**
   * Opens a file for partial reads. The reads stay in the opened file, even if another process replaces it meanwhile.
   */
  openRead(path: string): Promise<RandomAccess>;
  /** Reads standard input up to its end or the limit. */
  readInput(limitBytes: number): ByteText;
  /** Writes the whole text at once; a closed reader is not an error. */
  print(stream: 'stdout' | 'stderr', text: string): void;
  /**
   * Replaces this process with the program (exec), with the same command line byte for byte, environment and
   * descriptors. Rejects if it cannot be started. (Node has no exec: it runs the program, waits for it, and exits in
   * the same way.)
   */
  become(path: string, inherited: InheritedDescriptors): Promise<never>;
  /** Starts the program as `become` does, in the same process group, and continues. */
  runInPlace(path: string, inherited: InheritedDescriptors): StandIn;
  /**
   * Kills this program after the given number of seconds, even if it is stuck. (Under Node only if its event loop
   * runs.)
   */
  endAfter(seconds: number): void;
  /** Exits as the other program did: with its exit code, or by its signal. */
  end(exit: Exit): never;
}

export interface RandomAccess {
  /** The result is shorter than `length` only at the end of the file. */
  read(from: number, length: number): Promise<ByteText>;
  close(): void;
}

/** Number of descriptors from 3 up that the container inherits. The native shim passes on all open ones. */
export type InheritedDescriptors = number;

export interface StandIn {
  readonly exited: Promise<Exit>;
  /** Signals only the program, not its process group. */
  signal(signal: Signal): void;
}
