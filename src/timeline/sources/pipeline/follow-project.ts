/**
 * Reads the sessions of a pipeline's project from its `.lifehook` directory, including the new records of running
 * sessions. It polls: watching every file of every session would cost more, and be no more reliable.
 */
import type { PipelineEvent } from '../../../lifecycles/pipeline/events/pipeline-event.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { FileTails } from '../../../platform/file-tails.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf, unlessMissing } from '../../../platform/posix-error.ts';
import { decodeJournal } from '../../../store/journal-line.ts';
import type { ProcessIdentity, ProcessTable } from '../../../store/process-table.ts';
import type { Bar } from '../../bar.ts';
import type { BarStore } from '../../bar-store.ts';
import { GrowingLines } from '../follow-node.ts';
import { SessionFold } from './session-fold.ts';

/** Number of last output lines that are kept of a session that was killed. */
const MAX_PRINTED = 200;
/** Maximum number of sessions; only the newest are read. A project keeps about thirty. */
const MAX_SESSIONS = 100;

export interface FollowProjectOptions {
  readonly store: Pick<BarStore, 'put' | 'setSource'>;
  readonly files: Pick<Files, 'list' | 'read'>;
  readonly tails: FileTails;
  readonly processes: ProcessTable;
  /** The directory `.lifehook` of the project, absolute. */
  readonly stateFolder: string;
  /** Name of the project on the page. */
  readonly name: string;
}

interface KnownSession {
  readonly folder: string;
  fold: SessionFold | null;
  readonly events: GrowingLines;
  readonly journal: GrowingLines;
  /** Whether the session has ended and all its files were read. */
  isRead: boolean;
}

/** The fields of session.json that the timeline needs. */
interface SessionFile {
  readonly process: ProcessIdentity;
  readonly verb: string;
  readonly file: string;
  readonly exitCode?: number;
}

export class ProjectSource {
  readonly #options: FollowProjectOptions;
  readonly #sessions = new Map<string, KnownSession>();

  constructor(options: FollowProjectOptions) {
    this.#options = options;
  }

  /** Reads the records since the last call. Never rejects: a failure becomes the problem of the source. */
  async readNews(): Promise<void> {
    const { store, name } = this.#options;
    const problems: string[] = [];
    const noted = async <T>(reading: Promise<T>): Promise<T | null> => {
      try {
        return await reading;
      } catch (error) {
        problems.push(errorText(error));
        return null;
      }
    };
    for (const session of (await noted(this.#list())) ?? []) {
      // An unreadable session must not prevent the reading of the others.
      if (!session.isRead) await noted(this.#read(session));
    }
    store.setSource(name, problems[0] ?? null);
  }

  /** The newest sessions, oldest first. */
  async #list(): Promise<KnownSession[]> {
    const { stateFolder, tails } = this.#options;
    const names = (await this.#namesIn(`${stateFolder}/sessions`)).toSorted().slice(-MAX_SESSIONS);
    for (const name of this.#sessions.keys()) {
      if (!names.includes(name)) this.#sessions.delete(name);
    }
    return names.map((name) => {
      const known = this.#sessions.get(name);
      if (known !== undefined) return known;
      const folder = `${stateFolder}/sessions/${name}`;
      const events = new GrowingLines(tails, `${folder}/events.ndjson`);
      const journal = new GrowingLines(tails, `${folder}/journal/journal.jsonl`);
      const session: KnownSession = { folder, fold: null, events, journal, isRead: false };
      this.#sessions.set(name, session);
      return session;
    });
  }

  async #namesIn(folder: string): Promise<string[]> {
    return (await unlessMissing(this.#options.files.list(folder))) ?? [];
  }

  async #read(session: KnownSession): Promise<void> {
    const { store, processes } = this.#options;
    const file = await this.#sessionFile(session.folder);
    if (file === null) return;
    session.fold ??= new SessionFold({
      id: session.folder.slice(session.folder.lastIndexOf('-') + 1),
      verb: file.verb,
      folder: file.file.slice(0, file.file.lastIndexOf('/')),
    });
    const { fold } = session;
    // Checked before the files are read: if the process has exited by now, they have everything that it wrote.
    const isOver = file.exitCode !== undefined || !(await processes.isAlive(file.process));
    for await (const bars of newBars(session, fold)) for (const bar of bars) store.put(bar);
    if (!isOver) return;
    const printed = file.exitCode === undefined ? await this.#lastPrinted(session.folder) : [];
    for (const bar of fold.close(printed)) store.put(bar);
    session.isRead = true;
  }

  /**
   * The last output lines of a session. They are read each time, and not cached while the session runs: in the file,
   * secrets that become known later are masked.
   */
  async #lastPrinted(folder: string): Promise<readonly Output[]> {
    const file = new GrowingLines(this.#options.tails, `${folder}/events.ndjson`);
    let last: string[] = [];
    for await (const lines of allOf(file)) {
      last = [...last, ...lines.filter(isOutput)].slice(-MAX_PRINTED);
    }
    return last.flatMap((line) => outputIn(line) ?? []);
  }

  /** null: the file is not written yet, or was removed meanwhile. */
  async #sessionFile(folder: string): Promise<SessionFile | null> {
    try {
      const text = decodeUtf8(await this.#options.files.read(`${folder}/session.json`));
      // Never incomplete, since the session writes the file atomically.
      return JSON.parse(text) as SessionFile;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw error;
    }
  }
}

type Output = Extract<PipelineEvent, { type: 'Output' }>;

/** Bars as soon as their part of a file is read: that part is not read again if the next one cannot be read. */
async function* newBars(session: KnownSession, fold: SessionFold): AsyncGenerator<Bar[], void> {
  const records = (await session.journal.next()).flatMap(recordsIn);
  yield records.flatMap((record) => fold.record(record));
  for await (const lines of allOf(session.events)) {
    // Outputs are not parsed: they are most of the lines, and create no spans.
    const reported = lines.flatMap((line) => (isOutput(line) ? [] : (eventIn(line) ?? [])));
    yield reported.flatMap((event) => fold.event(event));
  }
}

/** All lines of a file, in parts, since a long file needs several reads. Its writer limits its size. */
async function* allOf(file: GrowingLines): AsyncGenerator<readonly string[], void> {
  for (let lines = await file.next(); lines.length > 0; lines = await file.next()) yield lines;
}

/**
 * The records in a line of the journal. A damaged line is skipped here: the process that resumes the journal reports
 * it.
 */
function recordsIn(line: string): RunRecord[] {
  return decodeJournal(`${line}\n`, '') as RunRecord[];
}

function isOutput(line: string): boolean {
  return line.includes('"type":"Output"');
}

/** null: the line was cut off when its session was killed. */
function outputIn(line: string): Output | null {
  const event = eventIn(line);
  return event?.type === 'Output' ? event : null;
}

/** null: the line was cut off when its session was killed. */
function eventIn(line: string): PipelineEvent | null {
  try {
    // Not validated: a session of Lifehook has written the line.
    const event = JSON.parse(decodeUtf8(line)) as PipelineEvent;
    return typeof event.atMs === 'number' ? event : null;
  } catch {
    return null;
  }
}
