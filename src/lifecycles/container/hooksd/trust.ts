/**
 * Decides whether other users control what is run: hook files name programs that run as root, so a file or directory
 * that others may write to is refused, unless that was allowed explicitly. This module judges one file or
 * directory; `path-trust.ts` judges the directories above it.
 */
import type { FileStat } from '../../../platform/platform.ts';
import type { Problem } from '../../../model/problem.ts';

const WRITABLE_BY_OTHERS = 0o022;

export interface Trust {
  /** User ids that may own hook files and their directories: root, and our own. */
  readonly owners: readonly number[];
  /** Accepts untrusted files; for development machines. */
  readonly allowUntrusted: boolean;
}

/** Why the file or directory at `path` is not trusted, if so. */
export function distrust(path: string, stat: FileStat, trust: Trust): Problem | undefined {
  if (trust.allowUntrusted) return undefined;
  if ((stat.mode & WRITABLE_BY_OTHERS) !== 0) {
    const mode = stat.mode.toString(8).padStart(4, '0');
    return refusal(path, {
      received: `its mode is ${mode}, so that its group or everybody may write to it`,
      next: `Run "chmod go-w ${path}"`,
    });
  }
  return trust.owners.includes(stat.uid) ? undefined : foreignOwner(path, stat, trust);
}

export function foreignOwner(
  path: string,
  { uid }: Pick<FileStat, 'uid'>,
  { owners }: Trust,
): Problem {
  return refusal(path, {
    received: `it belongs to user ${uid}, and may belong to ${owners.join(' or ')}`,
    next: `Run "chown ${owners[0] ?? 0} ${path}"`,
  });
}

/** The uid that the kernel shows for owners without a mapping in a user namespace. */
const OVERFLOW_UID = 65_534;

/**
 * Root and our own uid. In a user namespace (rootless Podman) the host's root has no mapping, and
 * its files show the overflow user: there that one counts too. `uidMap`: /proc/self/uid_map.
 */
export function trustedOwners(uid: number, uidMap: string): number[] {
  const owners = uid === 0 ? [0] : [0, uid];
  return /^\s*0\s+0\s+4294967295\s*$/.test(uidMap) ? owners : [...owners, OVERFLOW_UID];
}

function refusal(path: string, { received, next }: { received: string; next: string }): Problem {
  return {
    code: 'LHC112',
    severity: 'error',
    message: `Only trusted users may decide which hooks run: ${path} is refused, since ${received}.`,
    at: { file: path, line: 1, column: 1 },
    next: `${next}, or allow untrusted hook files explicitly.`,
  };
}
