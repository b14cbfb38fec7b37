/**
 * Watches hook directories.
 *
 * - `current` is always one complete set: a new one replaces it when it is complete.
 * - A set is loaded from directories that are stable: two reads, `SETTLE_MS` apart, that return the
 *     same. Directories that never are stable are loaded after `SETTLE_MAX_MS` nevertheless.
 * - A file that becomes bad stays in force in its last good version; if it never was good, the file that it
 *     would mask stays in force. Either way there is one alarm. A file whose program other users may write
 *     is no longer in force.
 * - A removed file is no longer in force; a recreated one, even a whole directory, is read again.
 *
 * We poll instead of being notified: fs.watch loses a directory that is removed and recreated, reports one rename as
 * four events, and reports no change of a network file system. After an event we would have to read the directory
 * anyway. Polling a thousand files costs milliseconds.
 */
import type { Problem } from '../../../model/problem.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import type { Files, Timers } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { HookFile } from './hook-file.ts';
import { pathTrust } from './path-trust.ts';
import { distrustOfProgram, missingProgram, runsOnHost } from './program.ts';
import { rememberGood, resolveScans, type LastGood, type LoadedSet } from './resolve.ts';
import { scanFolders, type FolderScan, type ScanOptions } from './scan.ts';

export const POLL_INTERVAL_MS = 1_000;
export const SETTLE_MS = 200;
export const SETTLE_MAX_MS = 2_000;

export interface WatchOptions {
  readonly scan: ScanOptions;
  readonly fingerprints: Fingerprints;
  readonly timers: Timers;
  readonly onReload: (set: LoadedSet) => void;
  /** Errors that the previous set did not have. */
  readonly onAlarm: (problems: readonly Problem[]) => void;
}

export class HookWatch {
  readonly #options: WatchOptions;
  #current: LoadedSet = { active: [], entries: [], problems: [], failedFolders: [] };
  #lastGood: LastGood = new Map();
  #programs: Programs = new Map();
  /** The state from which `#current` was loaded. */
  #loaded = '';
  /** The state at the last poll. */
  #seen = '';
  /** Milliseconds for which the state has been changing. */
  #movingMs = 0;
  #callOff: () => void = () => {};
  #stopped = false;

  private constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Resolves when the first set is loaded. Its problems are in the set; alarms are for later changes. */
  static async start(options: WatchOptions): Promise<HookWatch> {
    const watch = new HookWatch(options);
    await watch.#load((await watch.#look()).folders);
    watch.#lookAgainIn(POLL_INTERVAL_MS);
    return watch;
  }

  get current(): LoadedSet {
    return this.#current;
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff();
  }

  #lookAgainIn(ms: number): void {
    if (this.#stopped) return;
    this.#callOff = this.#options.timers.after(ms, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const look = await this.#look();
    const state = stateOf(look);
    if (state === this.#loaded) {
      this.#movingMs = 0;
      this.#lookAgainIn(POLL_INTERVAL_MS);
    } else if (state === this.#seen || this.#movingMs >= SETTLE_MAX_MS) {
      this.#movingMs = 0;
      await this.#reload(look.folders);
      this.#lookAgainIn(POLL_INTERVAL_MS);
    } else {
      this.#movingMs += SETTLE_MS;
      this.#lookAgainIn(SETTLE_MS);
    }
    this.#seen = state;
  }

  async #reload(folders: string): Promise<void> {
    const before = new Set(this.#current.problems.map((problem) => JSON.stringify(problem)));
    await this.#load(folders);
    if (this.#stopped) return;
    const alarms = this.#current.problems.filter(
      (problem) => problem.severity === 'error' && !before.has(JSON.stringify(problem)),
    );
    if (alarms.length > 0) this.#options.onAlarm(alarms);
    this.#options.onReload(this.#current);
  }

  async #load(folders: string): Promise<void> {
    const scans = await scanFolders(this.#options.scan);
    this.#current = resolveScans(scans, this.#lastGood);
    this.#lastGood = rememberGood(scans, this.#lastGood);
    this.#programs = programsOf(scans);
    // `folders` is the state before the read, so the next poll sees a change that was made during the read.
    this.#loaded = stateOf({ folders, troubles: troublesOf(this.#programs) });
  }

  /** The stat results of everything that the set depends on. */
  async #look(): Promise<Look> {
    const { scan, fingerprints } = this.#options;
    const { files } = scan;
    const paths = pathTrust(files, scan);
    const folders: string[] = [];
    for (const folder of scan.folders) {
      folders.push(await lookAtFolder(folder, { files, fingerprints }));
      // The poll itself detects a missing directory.
      await paths.above(folder).catch(() => undefined);
    }
    const above = JSON.stringify([...paths.passed()]);
    const programs = new Map<string, Program>();
    for (const [path, { file }] of this.#programs) {
      const trouble = await troubleOf(file, { files, trust: scan, paths });
      programs.set(path, { file, trouble });
    }
    return { folders: `${folders.join(' ')} ${above}`, troubles: troublesOf(programs) };
  }
}

interface Look {
  readonly folders: string;
  /** The programs of hooks that are missing, or that other users may write. */
  readonly troubles: readonly string[];
}

type Trouble = 'missing' | 'unsafe';

interface Program {
  /** One of the hook files that name the program. */
  readonly file: HookFile;
  readonly trouble: Trouble | null;
}

/** Keyed by path, as of the load of the set. */
type Programs = ReadonlyMap<string, Program>;

function stateOf({ folders, troubles }: Look): string {
  return JSON.stringify([folders, troubles]);
}

function troublesOf(programs: Programs): string[] {
  return [...programs].flatMap(([path, { trouble }]) =>
    trouble === null ? [] : [`${trouble} ${path}`],
  );
}

function programsOf(scans: readonly FolderScan[]): Programs {
  const findings = scans.flatMap((scan) => scan.findings);
  return new Map(
    findings.flatMap((finding) =>
      'file' in finding && runsOnHost(finding.file)
        ? [[finding.file.hook.path, { trouble: troubles[finding.kind], file: finding.file }]]
        : [],
    ),
  );
}

const troubles = { good: null, broken: 'missing', unsafe: 'unsafe' } as const;

async function troubleOf(
  file: HookFile,
  looking: Parameters<typeof distrustOfProgram>[1],
): Promise<Trouble | null> {
  if ((await missingProgram(file, looking.files)) !== undefined) return 'missing';
  return (await distrustOfProgram(file, looking)) === undefined ? null : 'unsafe';
}

async function lookAtFolder(
  folder: string,
  { files, fingerprints }: { files: Files; fingerprints: Fingerprints },
): Promise<string> {
  try {
    const names = (await files.list(folder)).filter((name) => name.endsWith('.json')).toSorted();
    // The directory itself is included: its mode decides whether its content is trusted.
    const looked = ['.', ...names].map((name) => `${name}/`).join('');
    return `${fingerprints.fingerprint(folder, looked, 0).hash}`;
  } catch (error) {
    return codeOf(error) ?? 'unreadable';
  }
}
