/**
 * A log file of bounded size. A piece that does not fit starts a new file, and the full file replaces NAME.1. At least
 * the newest `maxBytes` are kept, unless the full file cannot be renamed. A piece is never split between the two files.
 *
 * Writes are synchronous: a slow disk slows the container. A full disk does not stop it: the lost bytes are counted and
 * reported in the log at the next successful write. Also runs natively: uses nothing that QuickJS lacks.
 */
import type { ByteText } from '../platform/platform.ts';
import type { ContainerIo, LogOutput } from '../platform/supervisor-host.ts';
import type { OutputName } from './outputs.ts';

export interface OutputLog {
  add(stream: OutputName, bytes: ByteText): void;
  /** Writes the rest and closes the files. */
  close(): void;
}

export type LogIo = Pick<ContainerIo, 'openLog' | 'renameNow'>;

export interface RotatedPlace {
  readonly path: string;
  /** Maximum size of each of the two files, except for a piece that is longer, and the text about lost bytes. */
  readonly maxBytes: number;
  /** The text that the log has in place of the lost bytes. */
  readonly gap: (lostBytes: number) => ByteText;
}

export class RotatedFile {
  readonly #io: LogIo;
  readonly #place: RotatedPlace;
  #output: LogOutput | null = null;
  #lostBytes = 0;

  constructor(io: LogIo, place: RotatedPlace) {
    this.#io = io;
    this.#place = place;
  }

  /** Creates an empty file. If it is not called, the first write creates the file. */
  open(): void {
    this.#guarded(0, () => {
      this.#opened();
    });
  }

  write(piece: ByteText): void {
    const gap = this.#lostBytes === 0 ? '' : this.#place.gap(this.#lostBytes);
    this.#guarded(piece.length, () => {
      const { size } = this.#opened();
      if (size > 0 && size + piece.length > this.#place.maxBytes) this.#rotate();
      this.#append(gap + piece);
      this.#lostBytes = 0;
    });
  }

  /**
   * Appends to the log. A full disk takes a part of a text. That part is removed, so that no line of the log is cut
   * off.
   */
  #append(text: ByteText): void {
    const output = this.#opened();
    const { size } = output;
    try {
      output.write(text);
    } catch (error) {
      output.truncate(size);
      throw error;
    }
  }

  close(): void {
    if (this.#lostBytes > 0) this.write('');
    this.#output?.close();
    this.#output = null;
  }

  #opened(): LogOutput {
    this.#output ??= this.#io.openLog(this.#place.path);
    return this.#output;
  }

  #rotate(): void {
    const { path } = this.#place;
    this.#output?.close();
    this.#output = null;
    try {
      this.#io.renameNow(path, `${path}.1`);
    } catch {
      // Either a user has removed the file, or its output is dropped, since the newest output counts.
      this.#opened().truncate(0);
    }
  }

  #guarded(bytes: number, write: () => void): void {
    try {
      write();
    } catch {
      this.#lostBytes += bytes;
    }
  }
}

/** Maximum size of each of the two files of a stream. */
export const STREAM_LOG_MAX_BYTES: number = 10 * 1024 * 1024;

/**
 * The output of a container of `lifehook oci`: one file for each stream, byte for byte. A stream without output has no
 * file.
 */
export class StreamLogs implements OutputLog {
  readonly #files: Readonly<Record<OutputName, RotatedFile>>;

  constructor(io: LogIo, folder: string, maxBytes: number = STREAM_LOG_MAX_BYTES) {
    const open = (name: OutputName): RotatedFile =>
      new RotatedFile(io, { path: `${folder}/${name}.log`, maxBytes, gap: lostText });
    this.#files = { stdout: open('stdout'), stderr: open('stderr') };
  }

  add(stream: OutputName, bytes: ByteText): void {
    this.#files[stream].write(bytes);
  }

  close(): void {
    this.#files.stdout.close();
    this.#files.stderr.close();
  }
}

function lostText(lostBytes: number): ByteText {
  return `\n[lifehook: ${lostBytes} bytes of output were lost here]\n`;
}
