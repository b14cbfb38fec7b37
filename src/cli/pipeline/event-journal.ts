/**
 * The events of one session in a file, NDJSON: what `rerun`, a timeline and people read afterwards. What is told while
 * the disk is busy waits in memory, and both the waiting and the file have an end: what is beyond is counted, and the
 * count is the last line.
 */
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type { AppendFile, Files } from '../../platform/platform.ts';

/** Of the file, UTF-16 units. */
const MAX_FILE_UNITS = 16_777_216;
/** That wait for the disk, UTF-16 units. */
const MAX_WAITING_UNITS = 4_194_304;
const MODE = 0o600;

export class EventJournal {
  readonly #file: AppendFile;
  #waiting = '';
  #written = 0;
  #dropped = 0;
  #writing: Promise<void> | null = null;

  private constructor(file: AppendFile) {
    this.#file = file;
  }

  static async open(path: string, files: Files): Promise<EventJournal> {
    return new EventJournal(await files.openAppend(path, MODE));
  }

  /** Never throws: a full disk costs the record, and not the pipeline. */
  add(event: PipelineEvent): void {
    const line = `${JSON.stringify(event)}\n`;
    const waits = this.#waiting.length + line.length;
    if (this.#written + waits > MAX_FILE_UNITS || waits > MAX_WAITING_UNITS) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += line;
    this.#writing ??= this.#write();
  }

  /** When all that was added is there. */
  async close(): Promise<void> {
    await this.#writing;
    try {
      if (this.#dropped > 0) {
        await this.#file.write(`${JSON.stringify({ type: 'Missed', count: this.#dropped })}\n`);
      }
    } catch {
      // As in `add`.
    } finally {
      await this.#file.close();
    }
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting !== '') {
        const text = this.#waiting;
        this.#waiting = '';
        this.#written += text.length;
        await this.#file.write(text);
      }
    } catch {
      this.#written = MAX_FILE_UNITS;
    } finally {
      this.#writing = null;
    }
  }
}
