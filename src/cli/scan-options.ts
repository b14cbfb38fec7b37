/** The options of hook folders as the reader takes them. Loads the pattern engine: import it late. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { DEFAULT_HOOK_FOLDERS } from '../lifecycles/container/points.ts';
import { re2Compiler } from '../model/re2.ts';
import type { ScanOptions } from '../lifecycles/container/hooksd/scan.ts';
import { trustedOwners } from '../lifecycles/container/hooksd/trust.ts';
import { nodeFiles } from '../platform/files.ts';
import type { FolderOptions } from './hook-folders.ts';

export function scanOptions({ hooksDir, allowUntrusted }: FolderOptions): ScanOptions {
  return {
    files: nodeFiles,
    compile: re2Compiler(),
    folders: (hooksDir ?? DEFAULT_HOOK_FOLDERS).map((folder) => resolve(folder)),
    owners: ownersHere(),
    allowUntrusted: allowUntrusted ?? false,
  };
}

/** Whose hook files count, for this process. */
export function ownersHere(): readonly number[] {
  const uid = process.getuid?.() ?? 0;
  try {
    return trustedOwners(uid, readFileSync('/proc/self/uid_map', 'utf8'));
  } catch {
    // Without user namespaces root is root.
    return uid === 0 ? [0] : [0, uid];
  }
}
