/**
 * The log of one container: a line per record, `<RFC3339 nano time> <stdout|stderr> <F|P> <text>`.
 * A line longer than a record comes in several, all but the last marked P; so does a last line without
 * an end. When the file is full it is renamed to NAME.1, over the one before.
 *
 * Written at once: a disk that is slower than the container slows the container. A disk that takes
 * nothing more does not end it: what is lost is counted, and said in the log once there is room.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { ContainerIo, LogOutput } from '../platform/supervisor-host.ts';
import type { ByteText, Clock } from '../platform/platform.ts';

/** Of text, the head not counted. */
export const RECORD_MAX_BYTES: number = 16 * 1024;
/** Of both files together. */
export const LOG_DEFAULT_BYTES: number = 20 * 1024 * 1024;
/** Less would lose most of one record's neighbours at each turn. */
export const LOG_LEAST_BYTES: number = 64 * 1024;

/** Written together, so that a file is never longer than its limit by more than this. */
const batchBytes = 32 * 1024;

type StreamName = 'stdout' | 'stderr';

export interface LogPlace {
  readonly path: string;
  /** Of both files together. */
  readonly maxBytes: number;
}

export class ContainerLog {
  readonly #io: Pick<ContainerIo, 'openLog' | 'renameNow'>;
  readonly #clock: Clock;
  readonly #place: LogPlace;
  readonly #unfinished: Record<StreamName, ByteText> = { stdout: '', stderr: '' };
  #output: LogOutput | null = null;
  #lostBytes = 0;

  constructor(
    { io, clock }: { io: Pick<ContainerIo, 'openLog' | 'renameNow'>; clock: Clock },
    place: LogPlace,
  ) {
    this.#io = io;
    this.#clock = clock;
    this.#place = place;
    // There from the first moment on, also for a container that says nothing.
    this.#guarded('', () => {
      this.#output = io.openLog(place.path);
    });
  }

  add(stream: StreamName, bytes: ByteText): void {
    const text = this.#unfinished[stream] + bytes;
    const time = timeText(this.#clock.nowMs());
    let from = 0;
    let batch = '';
    const flush = (least: number): void => {
      if (batch.length <= least) return;
      this.#write(batch);
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
      if (rest !== '') this.#write(record(`${timeText(this.#clock.nowMs())} ${stream} P`, rest));
    }
    this.#write('');
    this.#output?.close();
  }

  #write(records: ByteText): void {
    const gap = this.#lostBytes === 0 ? '' : this.#gap();
    this.#guarded(records, () => {
      this.#output ??= this.#io.openLog(this.#place.path);
      if (this.#output.size + records.length > this.#place.maxBytes / 2) this.#rotate();
      this.#output.write(gap + records);
      this.#lostBytes = 0;
    });
  }

  #rotate(): void {
    const { path } = this.#place;
    this.#output?.close();
    this.#output = null;
    this.#io.renameNow(path, `${path}.1`);
    this.#output = this.#io.openLog(path);
  }

  #gap(): ByteText {
    const text = `[lifehook: ${this.#lostBytes} bytes of log could not be written here]`;
    return record(`${timeText(this.#clock.nowMs())} stderr F`, text);
  }

  #guarded(records: ByteText, write: () => void): void {
    try {
      write();
    } catch {
      this.#lostBytes += records.length;
    }
  }
}

function record(head: string, text: ByteText): ByteText {
  return `${head} ${text}\n`;
}

/** Our clock tells milliseconds; the format has nine digits. */
function timeText(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('Z', '000000Z');
}
