/**
 * Cuts directories, restores them as new directories, and removes cuts.
 *
 * - A cut is recorded before it begins and after it ends. A repeated request with the same name returns an ended cut
 *   unchanged. A cut that has not ended was never reported to a client, so it is repeated.
 * - If a method fails, the next one is tried, but not after a timeout: the next one would time out too.
 * - While one of our programs is stuck on a source, no other program starts there.
 * - Volumes of one subvolume are cut together, at one moment; others one after the other. The latter is atomic only if
 *   no volume changed during the cut, which `one-moment.ts` proves.
 */
import type { Platform } from '../../../../../src/platform/platform.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import { cutOf, parentOf, SUBVOLUME_INODE, readRecord, recordPath, writeRecord } from './layout.ts';
import {
  argvOf,
  type Method,
  type Place,
  TIMEOUT_MS,
  type Cut,
  joined,
  type Part,
  type Source,
  waysOf,
} from './ways.ts';
import { type Before, beforeCopying, type Proof, proveUnchanged } from './one-moment.ts';
import { type ProgramEnd, runProgram } from '../../runtime/run-program.ts';

export type { Cut } from './ways.ts';

export type CutterPlatform = Pick<Platform, 'clock' | 'timers' | 'files' | 'processes'>;

export type CutResult =
  | { readonly kind: 'cut'; readonly cut: Cut }
  | ({ readonly kind: 'failed' } & CutFailure);

export interface CutFailure {
  /** True if nothing of the cut is left. False if the cut may still complete, or is still blocked. */
  readonly final: boolean;
  readonly message: string;
}

const FOLDER_MODE = 0o700;

/**
 * Maximum number of copies, if the source changes during each copy, and the milliseconds within which another copy may
 * start: the application may be frozen meanwhile.
 */
const COPIES_MAX = 3;
const AGAIN_WITHIN_MS = 5_000;

export class Cutter {
  readonly #platform: CutterPlatform;
  /** Error messages about programs that do not exit, by source. */
  readonly #stuck = new Map<string, string>();

  constructor(platform: CutterPlatform) {
    this.#platform = platform;
  }

  /** Cuts the directories. `name`: name of the request; a repeated request has the same name. */
  async cut(paths: readonly string[], name: string): Promise<CutResult> {
    const { clock } = this.#platform;
    const sources = await Promise.all(paths.map((path) => this.#sourceOf(path)));
    const startMs = clock.monotonicMs();
    for (let attempt = 1; ; attempt += 1) {
      const parts = new Map<string, Part>();
      const failure = await this.#cutAll(sources, name, parts);
      if (failure !== null) return { kind: 'failed', ...failure };
      const spentMs = clock.monotonicMs() - startMs;
      if (attempt === COPIES_MAX || spentMs > AGAIN_WITHIN_MS || !isWorthAnother(parts)) {
        return { kind: 'cut', cut: joined(sources, parts) };
      }
      for (const { target } of parts.values()) await this.remove(target);
    }
  }

  /** Fills `parts`. Parts that are copies are recorded here, with one proof, once all parts are cut. */
  async #cutAll(
    sources: readonly Source[],
    name: string,
    parts: Map<string, Part>,
  ): Promise<CutFailure | null> {
    const isByFile = sources.every(({ subvolume }) => !subvolume);
    const before = isByFile ? await beforeCopying(this.#platform, sources.map(pathOf)) : null;
    for (const [index, source] of sources.entries()) {
      const own = sources.length === 1 ? name : `${name}-${index}`;
      const failure = await this.#cutPart(source, own, parts);
      if (failure !== null) return failure;
    }
    const open = [...parts].filter(([, { method, isKnown }]) => method !== 'btrfs' && !isKnown);
    if (open.length === 0) return null;
    const proof = await this.#proofOf(parts, before);
    for (const [from, part] of open) {
      const proven = { ...part, proof };
      parts.set(from, proven);
      await this.#record(proven);
    }
    return null;
  }

  async #proofOf(parts: ReadonlyMap<string, Part>, before: Before | null): Promise<Proof> {
    const all = [...parts.values()];
    if (before === null || all.some(({ isKnown }) => isKnown)) {
      return { unchanged: false, changed: false, reason: 'the copy was not made in one attempt' };
    }
    return proveUnchanged(this.#platform, before, all);
  }

  async #record({ source, target, method, cutAtMs, proof }: Part): Promise<void> {
    const record = { source, startedAtMs: cutAtMs, method, cutAtMs, proof };
    await writeRecord(this.#platform.files, target, record);
  }

  /** Creates a directory with the content of a cut. Resolves to an error message, or to null. */
  async restore(handle: string, target: string): Promise<string | null> {
    const partial = `${target}.partial`;
    await this.#platform.files.remove(partial);
    for (const method of ['reflink', 'copy'] as const) {
      const failure = await this.#run(method, { source: handle, target: partial });
      if (failure === null) {
        await this.#platform.files.rename(partial, target);
        return null;
      }
      await this.#platform.files.remove(partial);
      if (!failure.next) return failure.message;
      if (method === 'copy') return failure.message;
    }
    return null;
  }

  /** Removes a cut. Resolves to an error message, or to null. Handles of other drivers are refused. */
  async remove(handle: string): Promise<string | null> {
    const cut = cutOf(handle);
    if (cut === null) return `${handle} is not in a directory of the snapshotter`;
    const { files } = this.#platform;
    if (await this.#exists(cut)) {
      const argv = ['btrfs', 'subvolume', 'delete', cut];
      const subvolume = (await files.stat(cut)).inode === SUBVOLUME_INODE;
      const end = subvolume ? await runProgram(this.#platform, argv, TIMEOUT_MS.btrfs) : null;
      if (end === null || !succeeded(end)) await files.remove(cut);
    }
    await files.remove(recordPath(cut));
    return null;
  }

  /**
   * Removes everything of a cut with this name, ended or not. Resolves to an error message if a program is stuck there.
   */
  async discard(paths: readonly string[], name: string): Promise<string | null> {
    const sources = await Promise.all(paths.map((path) => this.#sourceOf(path)));
    for (const [index, source] of sources.entries()) {
      const blocked = this.#blockedBy(source);
      if (blocked !== null) return blocked;
      const own = paths.length === 1 ? name : `${name}-${index}`;
      for (const { folder } of waysOf(source)) await this.remove(`${folder}/${own}`);
    }
    return null;
  }

  async isThere(handle: string): Promise<boolean> {
    return this.#exists(handle);
  }

  /**
   * Creates a directory, as a subvolume if the file system has them: its content can then be cut at one moment. An
   * existing path stays unchanged.
   */
  async makeRoot(path: string, mode: number = FOLDER_MODE): Promise<void> {
    if (await this.#exists(path)) return;
    const { files } = this.#platform;
    await files.makeFolder(parentOf(path), FOLDER_MODE);
    // The shell sets the umask, because btrfs has no option for the mode.
    const script = 'umask "$1" && exec btrfs subvolume create "$2"';
    const umask = (~mode & 0o777).toString(8);
    const argv = ['sh', '-c', script, 'sh', umask, path];
    const end = await runProgram(this.#platform, argv, TIMEOUT_MS.btrfs);
    if (!succeeded(end)) await files.makeFolder(path, mode);
  }

  async #sourceOf(path: string): Promise<Source> {
    for (const root of [path, parentOf(path)]) {
      if (root !== '/' && (await this.#inode(root)) === SUBVOLUME_INODE) {
        return { path, root, subvolume: true };
      }
    }
    return { path, root: path, subvolume: false };
  }

  /** Cuts the source, unless `parts` already has it; null if it succeeds. */
  async #cutPart(
    source: Source,
    name: string,
    parts: Map<string, Part>,
  ): Promise<CutFailure | null> {
    if (parts.has(source.root)) return null;
    const blocked = this.#blockedBy(source);
    if (blocked !== null) return { final: false, message: blocked };
    const failures: string[] = [];
    for (const { method, from, folder } of waysOf(source)) {
      const place = { source: from, target: `${folder}/${name}` };
      const result = await this.#cutOnce(method, place);
      if (!('message' in result)) {
        parts.set(from, result);
        return null;
      }
      failures.push(`${method}: ${result.message}`);
      if (!result.next) return { final: result.final, message: failures.join('; ') };
    }
    return { final: true, message: failures.join('; ') };
  }

  async #cutOnce(method: Method, place: Place): Promise<Part | Attempt> {
    const { files, clock } = this.#platform;
    const { source, target } = place;
    const known = await readRecord(files, target);
    if (known !== null && (await this.#exists(target))) {
      return { source, target, ...known, isKnown: true };
    }
    try {
      await files.makeFolder(parentOf(target), FOLDER_MODE);
      if (await this.#exists(target)) await this.remove(target);
      await writeRecord(files, target, { source, startedAtMs: clock.nowMs() });
    } catch (error) {
      return { next: true, final: true, message: String(error) };
    }
    const failure = await this.#run(method, place);
    if (failure !== null) {
      if (failure.final) await this.remove(target);
      return failure;
    }
    // A copy is only in memory, so it is synced. A snapshot of a subvolume is on disk at once.
    if (method !== 'btrfs')
      await runProgram(this.#platform, ['sync', '-f', target], TIMEOUT_MS.copy);
    const part = { source, target, method, cutAtMs: clock.nowMs(), proof: null, isKnown: false };
    // A copy is recorded later, with its proof.
    if (method === 'btrfs') await this.#record(part);
    return part;
  }

  async #run(method: Method, place: Place): Promise<Attempt | null> {
    const end = await runProgram(this.#platform, argvOf(method, place), TIMEOUT_MS[method]);
    if (succeeded(end)) return null;
    if (end.kind === 'stuck') this.#remember(place.source, end);
    const late = end.kind === 'late' || end.kind === 'stuck';
    return { next: !late, final: end.kind !== 'stuck', message: end.message };
  }

  #blockedBy({ root, path }: Source): string | null {
    const why = this.#stuck.get(root) ?? this.#stuck.get(path);
    return why === undefined ? null : blockedMessage(path, why);
  }

  #remember(source: string, { message, exited }: Extract<ProgramEnd, { kind: 'stuck' }>): void {
    this.#stuck.set(source, message);
    void exited.then(() => this.#stuck.delete(source));
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#inode(path)) !== null;
  }

  async #inode(path: string): Promise<number | null> {
    try {
      return (await this.#platform.files.stat(path)).inode;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw error;
    }
  }
}

function pathOf({ path }: Source): string {
  return path;
}

/** True if a change was detected, and this request itself has copied everything. */
function isWorthAnother(parts: ReadonlyMap<string, Part>): boolean {
  const all = [...parts.values()];
  return all.some(({ proof }) => proof?.changed === true) && all.every(({ isKnown }) => !isKnown);
}

interface Attempt extends CutFailure {
  /** True if the next method may succeed. */
  readonly next: boolean;
}

function succeeded(end: ProgramEnd): boolean {
  return end.kind === 'ended' && end.code === 0;
}

function blockedMessage(root: string, why: string): string {
  return (
    `an earlier cut of ${root} is still blocked (${why}). If a hook has frozen this filesystem (fsfreeze), ` +
    'nothing can be cut on it: thaw it, and use a hook that stops the application instead'
  );
}
