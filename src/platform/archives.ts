/** Archives of files, unpacked without trusting them: what an image is made of. */
export interface Archives {
  /**
   * Unpacks a tar file, also a gzipped one, over what `root` holds. Nothing is written outside of it,
   * whatever links the archive or the folder hold. Rejects with a POSIX code: EFBIG beyond a limit,
   * ENOTSUP for a compression that is not known, EBADMSG for what is no such archive.
   */
  unpack(path: string, root: string, options: UnpackOptions): Promise<Unpacked>;
  /** "sha256:…" of a file. */
  digest(path: string): Promise<string>;
  /** Copies a folder with modes, links and, for root, owners. What is no file, folder or link is left out. */
  copyFolder(from: string, to: string, limits: ArchiveLimits): Promise<Unpacked>;
  /** Removes it, whatever modes its folders have. */
  removeFolder(path: string): Promise<void>;
}

export interface ArchiveLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

export interface UnpackOptions extends ArchiveLimits {
  /** ".wh." entries take away what lies below, as in the layers of an image. */
  readonly whiteouts: boolean;
}

export interface Unpacked {
  /** "sha256:…" of the archive without its compression; of a folder, of all that it holds. */
  readonly digest: string;
  readonly bytes: number;
  readonly entries: number;
  /** Devices and pipes, which are nobody's to bring. */
  readonly leftOut: number;
}
