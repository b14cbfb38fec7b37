/**
 * One number for the state of many files, cheap enough for every start of a container: a thousand files in a
 * millisecond natively. It is no protection against a deliberate collision: that needs the permission to change the
 * files, and so their content.
 */
export interface Fingerprints {
  /** `names` in `folder`, each followed by "/"; a file that cannot be inspected counts as absent. */
  fingerprint(folder: string, names: string, seed: number): Fingerprint;
}

export interface Fingerprint {
  /** 32 bits. */
  readonly hash: number;
  /** The latest change of content or attributes among them; wall-clock milliseconds. */
  readonly newestMs: number;
}

/**
 * The facts of a file that the number depends on. The change time covers mode, owner and a modification time that a
 * program has set back. Times in nanoseconds.
 */
export interface FileFacts {
  readonly inode: bigint;
  readonly size: bigint;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

/** Equal to shim/fingerprint.c: each of the two reads an index that the other built. */
export function mixFile(hash: number, { inode, size, modifiedNs, changedNs }: FileFacts): number {
  return [inode, size, modifiedNs, changedNs].reduce((mixed, value) => mix(mixed, value), hash);
}

const low32 = 0xffff_ffffn;

function mix(hash: number, value: bigint): number {
  const first = Math.imul(hash ^ Number(value & low32), 0x0100_0193);
  const second = first ^ Number((value >> 32n) & low32) ^ (first >>> 15);
  return Math.imul(second, 0x85eb_ca6b) >>> 0;
}
