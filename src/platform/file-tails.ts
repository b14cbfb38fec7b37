import type { ByteText } from './platform.ts';

/** Files that grow while they are read, and are renamed meanwhile: logs. */
export interface FileTails {
  /** null: there is no such file. */
  open(path: string): Promise<FileTail | null>;
}

export interface FileTail {
  /** The same for the same file, whatever it is called now. */
  readonly identity: string;
  /** What is there from this offset on, at most so many bytes; '' at the end as it is now. */
  read(offset: number, maxBytes: number): Promise<ByteText>;
  close(): Promise<void>;
}
