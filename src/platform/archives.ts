/** Unpacks untrusted archives of files, such as the layers of an image. */
export interface Archives {
  /**
   * Unpacks a tar file, gzipped or not, over the content of `root`. Nothing is written outside of `root`, whatever
   * links the archive or the directory contain. Rejects with a POSIX code: EFBIG beyond a limit, ENOTSUP for an archive
   * that is compressed with zstd, EBADMSG for a file that is not a tar archive.
   */
  unpack(path: string, root: string, options: UnpackOptions): Promise<Unpacked>;
  /** The digest of a file: "sha256:…". */
  digest(path: string): Promise<string>;
  /** Copies a directory with modes, links and, for root, owners. Only files, directories and links are copied. */
  copyFolder(from: string, to: string, limits: ArchiveLimits): Promise<Unpacked>;
  /** Removes a directory, whatever the modes of its subdirectories. */
  removeFolder(path: string): Promise<void>;
}

export interface ArchiveLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

export interface UnpackOptions extends ArchiveLimits {
  /** Whether ".wh." entries delete files of lower layers, as in the layers of an image. */
  readonly whiteouts: boolean;
}

export interface Unpacked {
  /** "sha256:…" of the uncompressed archive; for a directory, of its whole content. */
  readonly digest: string;
  readonly bytes: number;
  readonly entries: number;
  /** Number of devices and pipes, which are never unpacked. */
  readonly leftOut: number;
}
