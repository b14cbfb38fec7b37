/**
 * Writes the events of one session to an NDJSON file, for `rerun`, a timeline and users. Events within 10 ms share a
 * write. The file and the events that wait in memory are both bounded. Events beyond the bounds are counted, and the
 * count is the last line. Output has bounds of its own, so that much output displaces no event of a hook or a phase.
 */
import { eventsIn, type StampedLines } from '../../lifecycles/pipeline/events/event-history.ts';
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type { Masker } from '../../model/secrets.ts';
import type { AppendFile, Files, Timers } from '../../platform/platform.ts';

interface Bounds {
  /** Maximum size of the file, in UTF-16 units. */
  readonly file: number;
  /** Maximum size of the events that wait for the disk, in UTF-16 units. */
  readonly waiting: number;
}

const OUTPUT_BOUNDS: Bounds = { file: 16_777_216, waiting: 4_194_304 };
/** Bounds of all events except output, a quarter larger than those of output. */
const EVENT_BOUNDS: Bounds = { file: 20_971_520, waiting: 5_242_880 };
/** Milliseconds that an event waits at most for others. */
const GATHER_MS = 10;
const MODE = 0o600;

interface Disk {
  readonly files: Files;
  readonly timers: Timers;
}

export class EventJournal {
  readonly #path: string;
  readonly #files: Files;
  #file: AppendFile;
  readonly #timers: Timers;
  readonly #outputHead = new OutputHead();
  #stopTimer: (() => void) | null = null;
  readonly #waiting = new GatheredText();
  #written = 0;
  #dropped = 0;
  #writing: Promise<void> | null = null;

  private constructor(path: string, { files, timers }: Disk, file: AppendFile) {
    this.#path = path;
    this.#files = files;
    this.#file = file;
    this.#timers = timers;
  }

  static async open(path: string, disk: Disk): Promise<EventJournal> {
    return new EventJournal(path, disk, await disk.files.openAppend(path, MODE));
  }

  /** Adds an event to the file. Never throws: if the disk is full, the event is lost and the pipeline continues. */
  add(event: PipelineEvent): void {
    if (event.type === 'Output') this.#addText(this.#outputHead.line(event), OUTPUT_BOUNDS);
    else this.#addText(jsonLine(event), EVENT_BOUNDS);
  }

  /** Adds one event for each line, as far as the bounds allow. */
  addLines(lines: StampedLines): void {
    // Skips the JSON encoding of lines that cannot fit.
    if (!this.#fits(this.#outputHead.unitsMin(lines), OUTPUT_BOUNDS)) {
      this.#dropped += lines.count;
      return;
    }
    const text = this.#outputHead.lines(lines);
    if (this.#fits(text.length, OUTPUT_BOUNDS)) this.#addText(text, OUTPUT_BOUNDS);
    else for (const event of eventsIn(lines)) this.add(event);
  }

  #addText(text: string, bounds: Bounds): void {
    if (!this.#fits(text.length, bounds)) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.add(text);
    if (this.#writing !== null || this.#stopTimer !== null) return;
    this.#stopTimer = this.#timers.after(GATHER_MS, () => {
      this.#begin();
    });
  }

  /**
   * Masks secrets in events that were added before. A masked line is padded with spaces to its old length, so that a
   * follower of the file keeps its position. Never throws, like `add`.
   */
  async maskEarlier(masker: Pick<Masker, 'text'>): Promise<void> {
    // An event that is added between two writes starts the timer again.
    while (this.#writing !== null || this.#stopTimer !== null) {
      if (this.#writing === null) this.#begin();
      await this.#writing;
    }
    this.#writing = this.#rewrite(masker).then(() => this.#write());
    await this.#writing;
  }

  /** Resolves when all added events are in the file. */
  async close(): Promise<void> {
    if (this.#stopTimer !== null) this.#begin();
    await this.#writing;
    try {
      if (this.#dropped > 0) {
        await this.#file.write(jsonLine({ type: 'Missed', count: this.#dropped }));
      }
    } catch {
      // A failed write is ignored, as in `add`.
    } finally {
      await this.#file.close();
    }
  }

  #fits(units: number, bounds: Bounds): boolean {
    const waits = this.#waiting.units + units;
    return this.#written + waits <= bounds.file && waits <= bounds.waiting;
  }

  #begin(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#writing = this.#write();
  }

  async #rewrite(masker: Pick<Masker, 'text'>): Promise<void> {
    try {
      const bytes = await this.#files.read(this.#path);
      const text = Buffer.from(bytes, 'latin1').toString();
      // Masks the whole text first, because there is usually nothing to mask.
      if (masker.text(text) === text) return;
      const lines = text.split('\n');
      const masked = lines.map((line) => maskedLine(line, masker));
      await this.#file.close();
      const content = Buffer.from(masked.join('\n')).toString('latin1');
      await this.#files
        .replace(this.#path, content, { mode: MODE })
        .catch(() => this.#cut(lines, masked));
      this.#file = await this.#files.openAppend(this.#path, MODE);
    } catch {
      this.#written = EVENT_BOUNDS.file;
    }
  }

  /** Cuts the file before its first secret: if the disk is full, the events are lost, but no secret stays. */
  async #cut(lines: readonly string[], masked: readonly string[]): Promise<void> {
    this.#written = EVENT_BOUNDS.file;
    const clean = lines.slice(
      0,
      lines.findIndex((line, index) => line !== masked[index]),
    );
    // Every line ends with a line feed, so the last item of `lines` is empty.
    this.#dropped += lines.length - 1 - clean.length;
    const size = clean.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    await this.#files.truncate(this.#path, size);
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.units > 0) {
        const text = this.#waiting.take();
        this.#written += text.length;
        await this.#file.write(text);
      }
    } catch {
      this.#written = EVENT_BOUNDS.file;
    } finally {
      this.#writing = null;
    }
  }
}

/**
 * Lines that wait for a write. They are joined as they arrive, because V8 is slow to free long chains of joined
 * strings.
 */
class GatheredText {
  #lines: string[] = [];
  #pieces: string[] = [];
  units = 0;

  add(line: string): void {
    this.units += line.length;
    this.#lines.push(line);
    if (this.#lines.length >= JOINED_LINES) this.#join();
  }

  take(): string {
    this.#join();
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.units = 0;
    return text;
  }

  #join(): void {
    this.#pieces.push(this.#lines.join(''));
    this.#lines = [];
  }
}

const JOINED_LINES = 256;

type Output = Extract<PipelineEvent, { type: 'Output' }>;

/** Encodes events of output, by far the most frequent ones. Within a hook only time and text differ. */
class OutputHead {
  #of: Pick<Output, 'runId' | 'source' | 'stream'> | null = null;
  #head = '';

  line(event: Output): string {
    return `${this.#begin(event)}${JSON.stringify(event.line)}}\n`;
  }

  /** The same text as `line` returns for each line, joined. */
  lines(lines: StampedLines): string {
    // If the text has no backslash, "\n" in its JSON can only be a line feed.
    if (lines.text.includes('\\')) {
      return eventsIn(lines)
        .map((event) => (event.type === 'Output' ? this.line(event) : ''))
        .join('');
    }
    const begin = this.#begin(lines);
    // "$" is special in a replacement text.
    const between = `"}\n${begin}"`.replaceAll('$', '$$$$');
    const json = JSON.stringify(lines.text).replaceAll(LINE_FEEDS, between);
    return `${begin}${json}}\n`;
  }

  /** Lower bound of the length of the encoded lines. */
  unitsMin(lines: StampedLines): number {
    return this.#begin(lines).length;
  }

  #begin({ atMs, runId, source, stream }: Omit<Output, 'type' | 'line'>): string {
    const of = this.#of;
    if (of?.source !== source || of.stream !== stream || of.runId !== runId) {
      this.#of = { runId, source, stream };
      this.#head = JSON.stringify({ runId, type: 'Output', source, stream }).slice(1, -1);
    }
    return `{"atMs":${atMs},${this.#head},"line":`;
  }
}

/**
 * A line feed in JSON. Not a string: with a string as pattern, V8 builds the result as a chain with a link per match.
 */
const LINE_FEEDS = /\\n/g;

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function maskedLine(line: string, masker: Pick<Masker, 'text'>): string {
  const masked = masker.text(line);
  if (masked === line) return line;
  const missing = Buffer.byteLength(line) - Buffer.byteLength(masked);
  return masked + ' '.repeat(Math.max(0, missing));
}
