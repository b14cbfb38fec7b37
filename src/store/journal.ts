/**
 * An append-only journal: values that `append` has acknowledged survive `kill -9` and a power failure at
 * any moment. One file, one writer.
 *
 *  ENG-J1 Acknowledged is durable: an append resolves only after the durable write that covers it.
 *  ENG-J2 A line is written only when the one before it is durable, so a crash can tear only the last one.
 *  ENG-J3 The file is always complete: opening and rotation write a new one next to it and rename it over the old
 *     one. So opening removes a torn end. After a failed sync, lines may be readable in the page cache but not durable;
 *     opening makes them durable.
 *  ENG-J4 After one failure nothing is appended to the file. It is unknown how much has reached the disk, and a line
 *     after a torn line would be lost together with it. The journal refuses every append until it is opened again, or,
 *     with `recovers`, until it has written the file anew from the index, without the values that it had rejected.
 */
import { LifehookError } from '../model/problem.ts';
import type { AppendFile, Files } from '../platform/platform.ts';
import { unlessMissing } from '../platform/posix-error.ts';
import { decodeJournal, encodeLine, encodeValue } from './journal-line.ts';
import type { ProcessTable } from './process-table.ts';
import { takeWriterLock, type WriterLock } from './writer-lock.ts';

/** The file is rotated if it would exceed this many bytes. */
const DEFAULT_LIMIT_BYTES = 8_388_608;

/** Maximum bytes of one value as JSON. */
export const MAX_VALUE_BYTES = 1_048_576;

/** Maximum bytes of the values in one line; a single value may be longer. */
const MAX_LINE_BYTES = 1_048_576;

/** Maximum number of appends that wait for their line, besides those in the line that is being written. */
export const MAX_WAITING = 10_000;

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The state that is derived from the values. It decides which values a rotation keeps. */
export interface JournalIndex {
  /**
   * Called with every value in order: on opening with the stored ones, later with each durable one before its append
   * resolves.
   */
  add(value: unknown, bytes: number): void;
  /** Drops unneeded values until the others fit into `maxBytes`. Returns the others, in order. */
  shrink(maxBytes: number): readonly unknown[];
}

export interface JournalOptions {
  readonly files: Files;
  readonly folder: string;
  readonly processes: ProcessTable;
  readonly index: JournalIndex;
  readonly limitBytes?: number;
  /** Maximum bytes of a value. Absent: MAX_VALUE_BYTES. */
  readonly maxValueBytes?: number;
  /**
   * Whether appends are accepted again once the disk can be written (ENG-J4). Only for values that do not depend on a
   * rejected one. Absent: false.
   */
  readonly recovers?: boolean;
}

interface Waiting {
  readonly value: unknown;
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface OpenFile {
  readonly handle: AppendFile;
  sizeBytes: number;
  /**
   * File size in bytes for the next rotation. After a rotation that dropped little, it is twice the size of the file.
   */
  readonly rotateAtBytes: number;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #lock: WriterLock;
  readonly #waiting: Waiting[] = [];
  #file: OpenFile;
  #writing: Promise<void> | null = null;
  #refusal: LifehookError | null = null;
  /** Whether the file may have an incomplete line at its end, or be closed. */
  #broken = false;

  private constructor(options: JournalOptions, lock: WriterLock, file: OpenFile) {
    this.#options = options;
    this.#lock = lock;
    this.#file = file;
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const { files, folder, index } = options;
    await files.makeFolder(folder, FOLDER_MODE);
    const lock = await takeWriterLock(options);
    try {
      await removeLeftovers(files, folder);
      for (const value of await readValues(files, pathOf(folder))) {
        index.add(value, encodeValue(value).length);
      }
      return new Journal(options, lock, await writeAnew(options, limitOf(options)));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Resolves when the value is durable. After a rejection it may or may not be. */
  append(value: unknown): Promise<void> {
    const text = encodeValue(value);
    const { maxValueBytes = MAX_VALUE_BYTES } = this.#options;
    const refusal =
      this.#refusal ?? refuseTooLong(text, maxValueBytes) ?? refuseTooMany(this.#waiting.length);
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ value, text, resolve, reject });
      this.#writing ??= this.#writeWaiting();
    });
  }

  /** Waits for earlier appends, refuses later ones, and closes the file. */
  async close(): Promise<void> {
    this.#refusal ??= refuseAll('it is closed');
    await this.#writing;
    try {
      await this.#file.handle.close();
    } finally {
      await this.#lock.release();
    }
  }

  /**
   * Writes the waiting values. Values that are appended while one line is being synced share the next line (group
   * commit).
   */
  async #writeWaiting(): Promise<void> {
    let line: Waiting[] = [];
    try {
      while (this.#waiting.length > 0) {
        line = takeLine(this.#waiting);
        await this.#commit(line);
      }
    } catch (error) {
      this.#broken = true;
      const failure = this.#refuseAfter(error);
      for (const { reject } of [...line, ...this.#waiting.splice(0)]) reject(failure);
    }
    this.#writing = null;
  }

  #refuseAfter(error: unknown): LifehookError {
    if (this.#options.recovers === true) return refuseForNow(error);
    this.#refusal = refuseAll(`it could not be written (${describeError(error)})`, error);
    return this.#refusal;
  }

  async #commit(line: readonly Waiting[]): Promise<void> {
    const text = encodeLine(line.map((waiting) => waiting.text));
    if (this.#broken) await this.#recover();
    if (this.#file.sizeBytes + text.length > this.#file.rotateAtBytes) await this.#rotate();
    await this.#file.handle.write(text);
    this.#file.sizeBytes += text.length;
    for (const {
      value,
      text: { length },
      resolve,
    } of line) {
      this.#options.index.add(value, length);
      resolve();
    }
  }

  /** Shrinks the file to half the limit, so that rotations stay rare. */
  async #rotate(): Promise<void> {
    await this.#file.handle.close();
    this.#file = await writeAnew(this.#options, limitOf(this.#options) / 2);
  }

  /** Replaces the file by one with only the values that were acknowledged. */
  async #recover(): Promise<void> {
    const broken = this.#file.handle;
    this.#file = await writeAnew(this.#options, limitOf(this.#options));
    this.#broken = false;
    // It is closed already if a rotation failed.
    await broken.close().catch(() => {});
  }
}

/** Removes the temporary file of a process that was killed in `replace`; no living process can be writing one here. */
async function removeLeftovers(files: Files, folder: string): Promise<void> {
  for (const name of await files.list(folder)) {
    if (/^\.lifehook-.+\.tmp$/.test(name)) await files.remove(`${folder}/${name}`);
  }
}

async function readValues(files: Files, path: string): Promise<unknown[]> {
  const content = await unlessMissing(files.read(path));
  return content === null ? [] : decodeJournal(content, path);
}

/** Rewrites the file with the values that the index keeps. After a crash it has either its old or its new content. */
async function writeAnew(options: JournalOptions, maxBytes: number): Promise<OpenFile> {
  const { files, folder, index } = options;
  const texts = index.shrink(maxBytes).map((value) => ({ text: encodeValue(value) }));
  let content = '';
  while (texts.length > 0) content += encodeLine(takeLine(texts).map(({ text }) => text));
  await files.replace(pathOf(folder), content, { mode: FILE_MODE });
  const handle = await files.openAppend(pathOf(folder), FILE_MODE, 'durable');
  const rotateAtBytes = Math.max(limitOf(options), 2 * content.length);
  return { handle, sizeBytes: content.length, rotateAtBytes };
}

/** Removes values from the front: as many as fit into one line, but at least one. */
function takeLine<T extends { readonly text: string }>(from: T[]): T[] {
  let bytes = 0;
  const end = from.findIndex(({ text }, index) => {
    bytes += text.length;
    return index > 0 && bytes > MAX_LINE_BYTES;
  });
  return from.splice(0, end === -1 ? from.length : end);
}

function pathOf(folder: string): string {
  return `${folder}/journal.jsonl`;
}

function limitOf({ limitBytes = DEFAULT_LIMIT_BYTES }: JournalOptions): number {
  return limitBytes;
}

function refuseTooLong(text: string, maxBytes: number): LifehookError | null {
  if (text.length <= maxBytes) return null;
  return new LifehookError({
    code: 'LHE011',
    message: `A record holds at most ${maxBytes} bytes; this one has ${text.length}.`,
    next: 'Keep less in one record: less output, a smaller object, or several instead of one.',
  });
}

function refuseTooMany(waiting: number): LifehookError | null {
  if (waiting < MAX_WAITING) return null;
  return new LifehookError({
    code: 'LHE010',
    message: `${MAX_WAITING} records wait for the disk, and no more may wait: the disk is too slow.`,
    next: 'Start fewer runs at a time, or move the journal to a faster disk.',
  });
}

function refuseAll(why: string, cause?: unknown): LifehookError {
  return new LifehookError(
    {
      code: 'LHE009',
      message: `The journal accepts no more records, because ${why}.`,
      next: 'Make sure that the disk is writable and has space, then open the journal again.',
    },
    { cause },
  );
}

function refuseForNow(error: unknown): LifehookError {
  return new LifehookError(
    {
      code: 'LHE009',
      message: `The journal could not be written (${describeError(error)}).`,
      next: 'Make sure that the disk is writable and has space, then try again.',
    },
    { cause: error },
  );
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}
