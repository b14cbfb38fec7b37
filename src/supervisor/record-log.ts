/**
 * The log of a pod's container: one line per record, `<RFC3339 nano time> <stdout|stderr> <F|P> <text>`. A longer line
 * is split into several records, marked P except for the last; a last line without a newline is marked P too. Also
 * runs natively: uses nothing that QuickJS lacks.
 */
import type { ByteText, Clock } from '../platform/platform.ts';
import type { OutputName } from './outputs.ts';
import { RotatedFile, type LogIo, type OutputLog } from './rotated-file.ts';

/** Maximum size of the text of a record, without the head of the record. */
export const RECORD_MAX_BYTES: number = 16 * 1024;
/** Default maximum size of both files together. */
export const LOG_DEFAULT_BYTES: number = 20 * 1024 * 1024;
/** Minimum size of the log. With less, one long record could cause a rotation that drops most of the earlier lines. */
export const LOG_LEAST_BYTES: number = 64 * 1024;

/** Bytes of collected records after which they are written. */
const batchBytes = 32 * 1024;

export interface LogPlace {
  readonly path: string;
  /** Maximum size of both files together. */
  readonly maxBytes: number;
}

export class RecordLog implements OutputLog {
  readonly #clock: Clock;
  readonly #file: RotatedFile;
  readonly #unfinished: Record<OutputName, ByteText> = { stdout: '', stderr: '' };

  constructor({ io, clock }: { io: LogIo; clock: Clock }, { path, maxBytes }: LogPlace) {
    this.#clock = clock;
    const gap = (lostBytes: number): ByteText =>
      record(
        `${timeText(clock.nowMs())} stderr F`,
        `[lifehook: ${lostBytes} bytes of log could not be written here]`,
      );
    this.#file = new RotatedFile(io, { path, maxBytes: maxBytes / 2, gap });
    // Creates the file now, so that it also exists for a container without output.
    this.#file.open();
  }

  add(stream: OutputName, bytes: ByteText): void {
    const text = this.#unfinished[stream] + bytes;
    const time = timeText(this.#clock.nowMs());
    let from = 0;
    let batch = '';
    const flush = (least: number): void => {
      if (batch.length <= least) return;
      this.#file.write(batch);
      batch = '';
    };
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      for (; end - from > RECORD_MAX_BYTES; from += RECORD_MAX_BYTES) {
        batch += record(`${time} ${stream} P`, text.slice(from, from + RECORD_MAX_BYTES));
      }
      batch += record(`${time} ${stream} F`, text.slice(from, end));
      from = end + 1;
      flush(batchBytes);
    }
    for (; text.length - from > RECORD_MAX_BYTES; from += RECORD_MAX_BYTES) {
      batch += record(`${time} ${stream} P`, text.slice(from, from + RECORD_MAX_BYTES));
    }
    flush(0);
    this.#unfinished[stream] = text.slice(from);
  }

  close(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#unfinished[stream];
      if (rest === '') continue;
      this.#file.write(record(`${timeText(this.#clock.nowMs())} ${stream} P`, rest));
    }
    this.#file.close();
  }
}

function record(head: string, text: ByteText): ByteText {
  return `${head} ${text}\n`;
}

/** The time with nine decimals, as the format requires; our clock has only milliseconds. */
function timeText(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('Z', '000000Z');
}
