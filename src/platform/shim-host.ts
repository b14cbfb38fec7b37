/**
 * The world of the shim programs: the platform, and what belongs to a program that stands in another
 * one's place: its command line, its descriptors, its end. The native shim and Node both bring one.
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
  /** Why this host is slower than it could be, as a sentence; null: it is not. */
  readonly slowness: string | null;
  /** This program's own file, every symbolic link resolved. */
  selfPath(): Promise<string>;
  /** As `files.replace`, without waiting for the disk: after a power failure the file may be empty. */
  readonly replaceUnsynced: Files['replace'];
  /** For reading parts of a file that somebody may replace meanwhile: it stays the one that was opened. */
  openRead(path: string): Promise<RandomAccess>;
  /** All of standard input, up to its end or the limit. */
  readInput(limitBytes: number): ByteText;
  /** Written at once, whole; a reader that is gone is not an error. */
  print(stream: 'stdout' | 'stderr', text: string): void;
  /**
   * Becomes that program, with our command line byte for byte, our environment and our descriptors.
   * Rejects when it cannot be started. (Node cannot: it runs the program, waits, and ends alike.)
   */
  become(path: string, inherited: InheritedDescriptors): Promise<never>;
  /** Starts that program in our place and in our process group, as `become`, but outlives it. */
  runInPlace(path: string, inherited: InheritedDescriptors): StandIn;
  /**
   * Kills this program after that time, also one that is stuck. (Under Node only one that still serves
   * its timers.)
   */
  endAfter(seconds: number): void;
  /** Ends this program as that one ended: with its exit code, or by its signal. */
  end(exit: Exit): never;
}

export interface RandomAccess {
  /** Shorter than `length` only at the end of the file. */
  read(from: number, length: number): Promise<ByteText>;
  close(): void;
}

/** How many descriptors from 3 up are meant for the container. The native shim hands on all there are. */
export type InheritedDescriptors = number;

export interface StandIn {
  readonly exited: Promise<Exit>;
  /** To the program alone. */
  signal(signal: Signal): void;
}
