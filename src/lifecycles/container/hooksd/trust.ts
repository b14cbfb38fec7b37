/**
 * Whether somebody who should not may decide what runs: hook files name programs that run as root, so
 * a file or folder that others may write to is refused, unless that was allowed explicitly.
 * Looked at: the folder, the file, and for a symbolic link the folder of what it points to. Not looked
 * at: the folders further up, which are the administrator's.
 */
import type { FileStat } from '../../../platform/platform.ts';
import type { Problem } from '../../../model/problem.ts';

const WRITABLE_BY_OTHERS = 0o022;

export interface Trust {
  /** User ids that may own hook files and their folders: root, and whoever we run as. */
  readonly owners: readonly number[];
  /** Reads them all the same; for development machines. */
  readonly allowUntrusted: boolean;
}

/** Why the file or folder at `path` is not to be trusted, if so. */
export function distrust(path: string, stat: FileStat, trust: Trust): Problem | undefined {
  if (trust.allowUntrusted) return undefined;
  if ((stat.mode & WRITABLE_BY_OTHERS) !== 0) {
    const mode = stat.mode.toString(8).padStart(4, '0');
    return refusal(path, {
      received: `its mode is ${mode}, so that its group or everybody may write to it`,
      next: `Run "chmod go-w ${path}"`,
    });
  }
  if (!trust.owners.includes(stat.uid)) {
    return refusal(path, {
      received: `it belongs to user ${stat.uid}, and may belong to ${trust.owners.join(' or ')}`,
      next: `Run "chown ${trust.owners[0] ?? 0} ${path}"`,
    });
  }
  return undefined;
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
