/**
 * One number for the state of many files. It is cheap enough for every start of a container: the native program reads a
 * thousand files in a millisecond. It does not protect against deliberate collisions: a user who can cause one can also
 * change the content of the files.
 */
export interface Fingerprints {
  /**
   * The fingerprint of files in `folder`. `names` has a "/" after each name. A file that cannot be inspected counts as
   * absent.
   */
  fingerprint(folder: string, names: string, seed: number): Fingerprint;
}

export interface Fingerprint {
  /** 32 bits. */
  readonly hash: number;
  /** Time of the latest change of content or attributes of any of the files, wall-clock milliseconds. */
  readonly newestMs: number;
}

/**
 * The facts of a file on which the fingerprint depends. The change time also shows a new mode or owner, and a
 * modification time that a program has set back. Times are in nanoseconds.
 */
export interface FileFacts {
  readonly inode: bigint;
  readonly size: bigint;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

/** The same algorithm as in shim/fingerprint.c: each of the two programs reads indexes that the other one built. */
export function mixFile(hash: number, { inode, size, modifiedNs, changedNs }: FileFacts): number {
  return [inode, size, modifiedNs, changedNs].reduce((mixed, value) => mix(mixed, value), hash);
}

const low32 = 0xffff_ffffn;

function mix(hash: number, value: bigint): number {
  const first = Math.imul(hash ^ Number(value & low32), 0x0100_0193);
  const second = first ^ Number((value >> 32n) & low32) ^ (first >>> 15);
  return Math.imul(second, 0x85eb_ca6b) >>> 0;
}
