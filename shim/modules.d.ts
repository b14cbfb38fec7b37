/** The modules that exist only inside a shim program. */

/** The functions of native.c, ends.c and fingerprint.c. A negative result is a negated errno. */
declare module 'lifehook:native' {
  type Bytes = string;
  export function exec(path: string): number;
  export function spawn(
    ...call: [
      pathAndFolder: Bytes,
      argv: Bytes | null,
      env: Bytes | null,
      stdin: number,
      stdout: number,
      stderr: number,
      bond: 0 | 1 | 2 | 3,
    ]
  ): number;
  export function pipe(ours: 0 | 1): [read: number, write: number] | number;
  export function signals(fd: number, ...numbers: number[]): number;
  export function subreaper(): number;
  export function alarm(seconds: number): void;
  export function sync(fd: number): number;
  export function truncate(fd: number, size: number): number;
  export function own(...call: [fd: number, mode: number, uid: number, gid: number]): number;
  export function read(fd: number, limit: number): Bytes | number;
  export function write(fd: number, bytes: Bytes): number;
  export function decode(bytes: Bytes): string;
  export function encode(text: string): Bytes;
  export function fingerprint(
    folder: string,
    names: string,
    seed: number,
  ): [hash: number, newestMs: number];
}

/** The functions of supervisor.c. A negative result is a negated errno. */
declare module 'lifehook:supervisor' {
  export function listen(path: string): number;
  export function accept(fd: number): number;
  export function receive(fd: number): number;
  export function terminal(): [ours: number, childEnds: number] | number;
  export function resize(fd: number, columns: number, rows: number): number;
  export function dress(
    ...how: [terminal: 0 | 1, uid: number, gid?: number, ...groups: number[]]
  ): void;
}

/** The used part of QuickJS's module `os`. */
declare module 'qjs:os' {
  export interface Stat {
    readonly mode: number;
    readonly size: number;
    readonly mtime: number;
    readonly uid: number;
    readonly gid: number;
    readonly ino: number;
  }
  export interface Timer {
    readonly timer: unique symbol;
  }
  export const SEEK_SET: number;
  export const WNOHANG: number;
  export const S_IFMT: number;
  export const S_IFREG: number;
  export const S_IFDIR: number;
  export function open(path: string, flags: number, mode?: number): number;
  export function seek(fd: number, offset: number, whence: number): number;
  export function close(fd: number): number;
  export function read(
    ...call: [fd: number, buffer: ArrayBuffer, offset: number, length: number]
  ): number;
  export function rename(from: string, to: string): number;
  export function remove(path: string): number;
  export function mkdir(path: string, mode: number): number;
  export function stat(path: string): [Stat, number];
  export function lstat(path: string): [Stat, number];
  export function readdir(path: string): [string[], number];
  export function realpath(path: string): [string, number];
  export function readlink(path: string): [string, number];
  export function kill(pid: number, signal: number): number;
  export function getpid(): number;
  export function waitpid(pid: number, options: number): [pid: number, status: number];
  export function now(): number;
  export function setTimeout(callback: () => void, ms: number): Timer;
  export function clearTimeout(timer: Timer): void;
  export function setReadHandler(fd: number, callback: (() => void) | null): void;
  export function setWriteHandler(fd: number, callback: (() => void) | null): void;
}

/** The used part of QuickJS's module `std`. */
declare module 'qjs:std' {
  export function exit(code: number): never;
  export function getenviron(): Record<string, string>;
}

/** The whole command line; the first item is the program. */
declare const scriptArgs: readonly string[];
