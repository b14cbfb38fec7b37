import type { AppendFile, Files } from '../../src/platform/platform.ts';
import { posixError } from '../../src/platform/posix-error.ts';
import type { Fault } from './faults.ts';
import type { Random } from './random.ts';
import type { SimProcess, World } from './world.ts';

export interface DiskFaults {
  /** Probability that one write or sync fails, from 0 to 1. */
  readonly failure: number;
  /** Probability that one operation takes seconds, from 0 to 1. */
  readonly slowness: number;
}

export const noDiskFaults: DiskFaults = { failure: 0, slowness: 0 };

/**
 * One file as the kernel and the disk see it. As on Linux, bytes whose sync failed stay readable, but are not written
 * again. After a later sync, the disk has zeros in their place.
 */
interface Stored {
  /** Content that a reader sees. */
  bytes: string;
  /** Content that the disk would have if everything were written now. */
  image: string;
  /** Content that is on the disk for certain. */
  durable: string;
}

interface Operation<T> {
  readonly what: string;
  readonly apply: () => T;
  /** Effect of an operation that fails; absent: none. */
  readonly onFailure?: () => void;
  /** Effect of an operation that a crash interrupts; absent: the effect of `apply`. */
  readonly onCrash?: () => void;
  /** Error of an injected failure; absent: no failure is injected. */
  readonly mayFailWith?: 'ENOSPC' | 'EIO';
}

interface Pending {
  readonly process: SimProcess;
  readonly interrupt: () => void;
}

/**
 * A disk with exactly the guarantees of `Files`: a power failure can lose or tear unsynced data at any moment. Data
 * that a killed process has written stays.
 */
export class SimDisk {
  readonly #world: World;
  readonly #random: Random;
  readonly #files = new Map<string, Stored>();
  readonly #counts = new Map<string, number>();
  #pending: Pending[] = [];
  #failNext: string | null = null;
  /** Number of operations that have failed by an injected fault. */
  failures: number = 0;
  readonly #slow: Fault;
  faults: DiskFaults;

  constructor(options: { world: World; random: Random; faults: DiskFaults }) {
    this.#world = options.world;
    this.#random = options.random;
    this.faults = options.faults;
    this.#slow = options.world.faults.of('disk slow');
  }

  #failing(kind: string): Fault {
    return this.#world.faults.of(kind === 'sync' ? 'sync fails' : 'disk full', kind);
  }

  /** Content that a reader sees; empty if there is no such file. */
  visible(path: string): string {
    return this.#files.get(path)?.bytes ?? '';
  }

  /** Content that certainly survives a power failure at this moment. */
  durable(path: string): string {
    return this.#files.get(path)?.durable ?? '';
  }

  /** Overwrites a file as another process or a bad sector would. */
  overwrite(path: string, bytes: string): void {
    this.#files.set(path, storedFor(bytes));
  }

  /** Makes the next operation of this kind fail: "write", "sync" or "replace". */
  failNext(kind: string): void {
    this.#failNext = kind;
  }

  /** Number of operations of this kind so far. */
  count(kind: string): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** Kills the process. The kernel continues to run, so written data stays. */
  kill(process: SimProcess): void {
    this.#dropPending(process);
  }

  /** Cuts the power. After the restart, the disk has the durable data and a random part of the rest. */
  losePower(process: SimProcess): void {
    this.#dropPending(process);
    for (const stored of this.#files.values()) {
      const rest = stored.image.slice(stored.durable.length);
      const left = rest.slice(0, this.#random.between(0, rest.length));
      const zeros = this.#random.chance(0.3) ? this.#random.between(0, left.length) : 0;
      const bytes = stored.durable + '\0'.repeat(zeros) + left.slice(zeros);
      Object.assign(stored, { bytes, image: bytes, durable: bytes });
    }
  }

  #dropPending(process: SimProcess): void {
    const mine = this.#pending.filter((pending) => pending.process === process);
    this.#pending = this.#pending.filter((pending) => pending.process !== process);
    for (const { interrupt } of mine) {
      if (this.#random.chance(0.5)) interrupt();
    }
  }

  filesOf(process: SimProcess): Files {
    const run = <T>(operation: Operation<T>): Promise<T> => this.#run(process, operation);
    return {
      read: (path) =>
        run({ what: `read ${path}`, apply: () => this.#get(path).bytes, onCrash: nothing }),
      readStart: async (path, bytes) => {
        const apply = (): string => this.#get(path).bytes.slice(0, bytes);
        return run({ what: `read ${path}`, apply, onCrash: nothing });
      },
      list: (folder) => run({ what: `list ${folder}`, apply: () => this.#namesIn(folder) }),
      replace: (path, content) => {
        const put = (): void => {
          this.#files.set(path, storedFor(content));
        };
        // The last step of `replace` syncs the directory. If only that fails, the new file exists.
        const onFailure = this.#random.chance(0.5) ? put : nothing;
        const what = `replace ${path} (${content.length} bytes)`;
        return run({ what, apply: put, onFailure, mayFailWith: 'ENOSPC' });
      },
      // As on a real disk, the file exists for a moment without its content.
      create: async (path, content) => {
        const createEmpty = (): void => {
          if (this.#files.has(path)) throw posixError('EEXIST', `EEXIST: file exists, ${path}`);
          this.#files.set(path, storedFor(''));
        };
        await run({ what: `create ${path}`, apply: createEmpty, onCrash: nothing });
        const fill = (): unknown => this.#files.set(path, storedFor(content));
        await run({ what: `fill ${path}`, apply: fill });
      },
      openAppend: async (path, _mode, kind) => {
        const apply = (): Stored => this.#get(path);
        const file = await run({ what: `open ${path}`, apply, onCrash: nothing });
        const plain = this.#appendFile(run, file);
        return kind === 'durable' ? durableOf(plain) : plain;
      },
      truncate: async (path, size) => {
        const cut = (): unknown =>
          this.#files.set(path, storedFor(this.#get(path).bytes.slice(0, size)));
        await run({ what: `truncate ${path} to ${size}`, apply: cut, onCrash: nothing });
      },
      remove: async (path) => {
        await run({ what: `remove ${path}`, apply: () => this.#files.delete(path) });
      },
      makeFolder: (path) => run({ what: `make ${path}`, apply: nothing }),
      stat: notSimulated,
      rename: notSimulated,
      realPath: notSimulated,
      readLink: notSimulated,
    };
  }

  /** Appends to the opened file, even if another file has replaced it under its name. */
  #appendFile(run: <T>(operation: Operation<T>) => Promise<T>, file: Stored): AppendFile {
    const add = (text: string): void => {
      file.bytes += text;
      file.image += text;
    };
    return {
      write: (text) => {
        const part = text.slice(0, this.#random.between(0, text.length));
        return run({
          what: `write ${text.length} bytes`,
          apply: () => {
            add(text);
          },
          onFailure: () => {
            add(part);
          },
          onCrash: () => {
            add(part);
          },
          mayFailWith: 'ENOSPC',
        });
      },
      sync: () =>
        run({
          what: 'sync',
          apply: () => {
            file.durable = file.image;
          },
          onFailure: () => {
            file.image = file.durable + '\0'.repeat(file.image.length - file.durable.length);
          },
          mayFailWith: 'EIO',
        }),
      close: () => Promise.resolve(),
    };
  }

  #run<T>(process: SimProcess, operation: Operation<T>): Promise<T> {
    const { what, apply, onFailure, onCrash, mayFailWith } = operation;
    const slow = this.#slow.chance(this.#random, this.faults.slowness);
    const delayMs = this.#random.between(0, slow ? SLOW_MS : USUAL_MS);
    const fails = mayFailWith !== undefined && this.#fails(what);
    return new Promise((resolve, reject) => {
      const pending: Pending = { process, interrupt: onCrash ?? apply };
      this.#pending.push(pending);
      this.#world.after(delayMs, () => {
        if (!this.#pending.includes(pending)) return;
        this.#pending = this.#pending.filter((other) => other !== pending);
        this.#world.note(`disk: ${what}${fails ? ` fails with ${mayFailWith}` : ''}`);
        try {
          if (!fails) {
            resolve(apply());
            return;
          }
          this.failures += 1;
          onFailure?.();
          reject(posixError(mayFailWith, `${mayFailWith}: simulated, ${what}`));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  #fails(what: string): boolean {
    const [kind = ''] = what.split(' ');
    this.#counts.set(kind, this.count(kind) + 1);
    const chosen = this.#failNext === kind;
    if (chosen) this.#failNext = null;
    return chosen || this.#failing(kind).chance(this.#random, this.faults.failure);
  }

  #get(path: string): Stored {
    const file = this.#files.get(path);
    if (file === undefined) throw posixError('ENOENT', `ENOENT: no such file, ${path}`);
    return file;
  }

  #namesIn(folder: string): string[] {
    const prefix = `${folder}/`;
    return [...this.#files.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length));
  }
}

const USUAL_MS = 3;
const SLOW_MS = 4_000;

/** Writes and then syncs. Each of the two can fail, and a crash can happen between them. */
function durableOf(file: AppendFile): AppendFile {
  return {
    ...file,
    write: async (text) => {
      await file.write(text);
      await file.sync();
    },
  };
}

function storedFor(content: string): Stored {
  return { bytes: content, image: content, durable: content };
}

function nothing(): void {}

function notSimulated(): Promise<never> {
  return Promise.reject(new Error('the simulated disk lacks this operation'));
}
