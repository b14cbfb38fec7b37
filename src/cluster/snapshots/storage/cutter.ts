/**
 * Cuts folders, gives them back as new folders, and removes cuts.
 *
 *  S1 A cut is written down before it begins and after it has ended. Asked again under the same name, one
 *     that has ended is given back as it is; one that has not was seen by nobody, and is made anew.
 *  S2 What a method cannot do here falls to the next; a deadline does not, for the next would meet it too.
 *  S3 While a program of ours is stuck on a place, nothing else is begun there.
 *  S4 Volumes of one subvolume are cut together, in one moment; others one after the other, and then the
 *     whole is not atomic.
 */
import type { Platform } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { besideFolder, cutOf, insideFolder, parentOf, SUBVOLUME_INODE } from './layout.ts';
import { argvOf, isAtomic, type Method, type Place, TIMEOUT_MS } from './methods.ts';
import { readRecord, recordPath, writeRecord } from './record.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

export type CutterPlatform = Pick<Platform, 'clock' | 'timers' | 'files' | 'processes'>;

export interface Cut {
  /** The folders as they were, in the order in which they were asked for. */
  readonly handles: readonly string[];
  /** The least of them, where they differ. */
  readonly method: Method;
  /** All of it is of one moment. */
  readonly atomic: boolean;
  readonly cutAtMs: number;
}

export type CutResult =
  | { readonly kind: 'cut'; readonly cut: Cut }
  /** `final`: nothing is left of it. Otherwise it may still come, or is still blocked. */
  | { readonly kind: 'failed'; readonly final: boolean; readonly message: string };

const FOLDER_MODE = 0o700;

export class Cutter {
  readonly #platform: CutterPlatform;
  /** By what is cut: programs that did not end. */
  readonly #stuck = new Map<string, string>();

  constructor(platform: CutterPlatform) {
    this.#platform = platform;
  }

  /** `name` is the same for the same request, however often it is made. */
  async cut(paths: readonly string[], name: string): Promise<CutResult> {
    const sources = await Promise.all(paths.map((path) => this.#sourceOf(path)));
    const parts = new Map<string, Part>();
    for (const [index, source] of sources.entries()) {
      const part = await this.#cutPart(
        source,
        paths.length === 1 ? name : `${name}-${index}`,
        parts,
      );
      if (part !== null) return { kind: 'failed', final: part.final, message: part.message };
    }
    return { kind: 'cut', cut: joined(sources, parts) };
  }

  /** A new folder with what the handle holds. */
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

  /** Resolves with why it could not be, or null. A handle that is not ours is left alone. */
  async remove(handle: string): Promise<string | null> {
    const cut = cutOf(handle);
    if (cut === null) return `${handle} does not lie in a folder of the snapshotter`;
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

  /** Removes what a cut of this name has left, ended or not; while one is stuck there, it says so. */
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
   * A subvolume where the filesystem has such, so that what lies in it can be cut in one moment. What is
   * there already stays as it is.
   */
  async makeRoot(path: string, mode: number = FOLDER_MODE): Promise<void> {
    if (await this.#exists(path)) return;
    const { files } = this.#platform;
    await files.makeFolder(parentOf(path), FOLDER_MODE);
    // The program has no option for the mode.
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

  /** Adds to the parts what the source still needs; null: it has it. */
  async #cutPart(source: Source, name: string, parts: Map<string, Part>): Promise<Failure | null> {
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
    if (known !== null && (await this.#exists(target))) return { target, ...known };
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
    // What was copied is in memory only; a snapshot of a subvolume is on disk when it is made.
    if (method !== 'btrfs')
      await runProgram(this.#platform, ['sync', '-f', target], TIMEOUT_MS.copy);
    const record = { method, cutAtMs: clock.nowMs() };
    await writeRecord(files, target, { source, startedAtMs: record.cutAtMs, ...record });
    return { target, ...record };
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

  #remember(source: string, { message, gone }: Extract<ProgramEnd, { kind: 'stuck' }>): void {
    this.#stuck.set(source, message);
    void gone.then(() => this.#stuck.delete(source));
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

interface Source {
  readonly path: string;
  /** What is cut: the subvolume that it is or lies in, else the folder itself. */
  readonly root: string;
  readonly subvolume: boolean;
}

interface Part {
  readonly target: string;
  readonly method: Method;
  readonly cutAtMs: number;
}

interface Failure {
  readonly final: boolean;
  readonly message: string;
}

interface Attempt extends Failure {
  /** Whether another method may do better. */
  readonly next: boolean;
}

interface Way {
  readonly method: Method;
  /** What is cut. */
  readonly from: string;
  readonly folder: string;
}

function waysOf({ path, root, subvolume }: Source): readonly Way[] {
  const btrfs = [besideFolder(root), insideFolder(root)].map((folder): Way => ({
    method: 'btrfs',
    from: root,
    folder,
  }));
  const folder = besideFolder(path);
  return [
    ...(subvolume ? btrfs : []),
    { method: 'reflink', from: path, folder },
    { method: 'copy', from: path, folder },
  ];
}

function joined(sources: readonly Source[], parts: ReadonlyMap<string, Part>): Cut {
  const all = [...parts.values()];
  const order: readonly Method[] = ['copy', 'reflink', 'btrfs'];
  const method = order.find((each) => all.some((part) => part.method === each)) ?? 'copy';
  return {
    handles: sources.map(({ path, root }) => {
      const part = parts.get(root) ?? parts.get(path);
      const within = part?.method === 'btrfs' ? path.slice(root.length) : '';
      return `${part?.target ?? ''}${within}`;
    }),
    method,
    atomic: isAtomic(method) && all.length === 1,
    cutAtMs: Math.max(...all.map(({ cutAtMs }) => cutAtMs)),
  };
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
