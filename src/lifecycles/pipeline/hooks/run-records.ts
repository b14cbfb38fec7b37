/** Stores the run records for `rerun`: one file per run, in a directory that only this user can enter. */
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { RecordedRun } from './recorded-run.ts';

/** Number of records that are left when the oldest are removed. */
export const MAX_RECORDED_RUNS = 500;

/** Number of records above MAX_RECORDED_RUNS that are kept until the oldest are removed. */
const SLACK_RUNS = 100;

/** Maximum number of open files: far below the 256 descriptors of a tight `ulimit -n`. */
const READS_AT_ONCE = 16;

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const RUN_ID = /^[\w.-]{1,128}$/;

export class RunRecords {
  readonly #files: Files;
  readonly #folder: string;
  /** The number of records; null: not counted yet. */
  #count: number | null = null;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  async write(run: RecordedRun): Promise<void> {
    await this.#files.makeFolder(this.#folder, FOLDER_MODE);
    await this.#files.replace(this.#pathOf(run.runId), asciiJson(run), { mode: FILE_MODE });
    this.#count = this.#count === null ? (await this.#names()).length : this.#count + 1;
    if (this.#count > MAX_RECORDED_RUNS + SLACK_RUNS) await this.#removeOldest();
  }

  /** Removes the records of earlier versions: they contain values of the caller's environment. */
  async removeEarlier(): Promise<void> {
    const names = await this.#files.list(this.#folder).catch(nullWhereMissing);
    for (const name of names ?? []) {
      if (!isOwn(name)) await this.#files.remove(`${this.#folder}/${name}`);
    }
  }

  /** null: there is no record with this id, or it is damaged. Rejects if the record exists but cannot be read. */
  async read(runId: string): Promise<RecordedRun | null> {
    if (!RUN_ID.test(runId)) return null;
    const text = await this.#files.read(this.#pathOf(runId)).catch(nullWhereMissing);
    return text === null ? null : parseRun(text);
  }

  /** All records, newest first, without damaged ones. Rejects if a record cannot be read. */
  async all(): Promise<readonly RecordedRun[]> {
    const runs = await inGroups(await this.#names(), (name) =>
      this.read(name.slice(0, -ENDING.length)),
    );
    return runs.filter((run) => run !== null).toSorted((a, b) => b.atMs - a.atMs);
  }

  #pathOf(runId: string): string {
    return `${this.#folder}/${runId}${ENDING}`;
  }

  async #names(): Promise<string[]> {
    const names = await this.#files.list(this.#folder).catch(nullWhereMissing);
    return (names ?? []).filter((name) => name.endsWith(ENDING));
  }

  async #removeOldest(): Promise<void> {
    this.#count = MAX_RECORDED_RUNS;
    try {
      // Uses file times only: reading hundreds of records would be most of the cost of a hook.
      const dated = await inGroups(await this.#names(), async (name) => {
        const path = `${this.#folder}/${name}`;
        const stat = await this.#files.stat(path).catch(nullWhereMissing);
        return { path, mtimeMs: stat?.mtimeMs ?? 0 };
      });
      const newestFirst = dated.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
      for (const { path } of newestFirst.slice(MAX_RECORDED_RUNS)) await this.#files.remove(path);
    } catch {
      // An error here must not fail the hook: its record is written. The next write counts the files and prunes again.
      this.#count = null;
    }
  }
}

/** Works in small groups, so that a low limit of descriptors is enough. */
async function inGroups<T>(
  names: readonly string[],
  look: (name: string) => Promise<T>,
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < names.length; at += READS_AT_ONCE) {
    const group = names.slice(at, at + READS_AT_ONCE);
    all.push(...(await Promise.all(group.map((name) => look(name)))));
  }
  return all;
}

/** Earlier versions wrote `<id>.json`, so the name shows which version wrote a record. */
const ENDING = '.run.json';

/** Whether this version wrote the file. A temporary file counts too: another session may be writing it. */
function isOwn(name: string): boolean {
  return name.endsWith(ENDING) || name.endsWith(`${ENDING}.tmp`);
}

function nullWhereMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

/** JSON with all characters outside ASCII escaped, since a file is written byte by byte (see ByteText). */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uFFFF]/g,
    (unit) => String.raw`\u` + (unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  );
}

function parseRun(text: string): RecordedRun | null {
  try {
    const value = JSON.parse(text) as Partial<RecordedRun> | null;
    const isWhole =
      typeof value?.runId === 'string' &&
      typeof value.address === 'string' &&
      typeof value.atMs === 'number' &&
      Array.isArray(value.variables) &&
      typeof value.values === 'object' &&
      typeof value.contract?.set === 'object';
    return isWhole ? (value as RecordedRun) : null;
  } catch {
    return null;
  }
}
