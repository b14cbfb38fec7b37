/**
 * The output of a container of `lifehook oci`: one file for each stream, byte for byte. A stream without output has no
 * file. Also runs natively: uses nothing that QuickJS lacks.
 */
import type { ByteText } from '../platform/platform.ts';
import type { OutputName } from './outputs.ts';
import { RotatedFile, type LogIo, type OutputLog } from './rotated-file.ts';

/** Limit for each of the two files of a stream. */
export const STREAM_LOG_MAX_BYTES: number = 10 * 1024 * 1024;

export class StreamLogs implements OutputLog {
  readonly #files: Readonly<Record<OutputName, RotatedFile>>;

  constructor(io: LogIo, folder: string, maxBytes: number = STREAM_LOG_MAX_BYTES) {
    const open = (name: OutputName): RotatedFile =>
      new RotatedFile(io, { path: `${folder}/${name}.log`, maxBytes, gap });
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

function gap(lostBytes: number): ByteText {
  return `\n[lifehook: ${lostBytes} bytes of output were lost here]\n`;
}
