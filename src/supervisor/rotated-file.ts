/**
 * A log file of bounded size: a piece that does not fit begins a new file, and the full one is renamed to NAME.1, over
 * the one before. So at least the newest `maxBytes` stay. A piece is never split between the two.
 *
 * Written at once: a disk that is slower than the container slows the container. A disk that takes nothing more does not
 * stop it: what is lost is counted, and reported in the log once there is room. Runs natively too: nothing here that
 * QuickJS lacks.
 */
import type { ByteText } from '../platform/platform.ts';
import type { ContainerIo, LogOutput } from '../platform/supervisor-host.ts';
import type { OutputName } from './outputs.ts';

/** Where the output of a container goes. */
export interface OutputLog {
  add(stream: OutputName, bytes: ByteText): void;
  /** Writes what is left. */
  close(): void;
}

export type LogIo = Pick<ContainerIo, 'openLog' | 'renameNow'>;

export interface RotatedPlace {
  readonly path: string;
  /** Of each of the two files. */
  readonly maxBytes: number;
  /** What the log says where that many bytes are missing. */
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

  /** Makes an empty file, which the first write would do otherwise. */
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
      this.#opened().write(gap + piece);
      this.#lostBytes = 0;
    });
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
    this.#io.renameNow(path, `${path}.1`);
  }

  #guarded(bytes: number, write: () => void): void {
    try {
      write();
    } catch {
      this.#lostBytes += bytes;
    }
  }
}
