/** The options of hook folders as the reader takes them. Loads the pattern engine: import it late. */
import { resolve } from 'node:path';
import process from 'node:process';
import { DEFAULT_HOOK_FOLDERS } from '../lifecycles/container/points.ts';
import { re2Compiler } from '../lifecycles/container/hooksd/re2.ts';
import type { ScanOptions } from '../lifecycles/container/hooksd/scan.ts';
import { nodeFiles } from '../platform/files.ts';
import type { FolderOptions } from './hook-folders.ts';

export function scanOptions({ hooksDir, allowUntrusted }: FolderOptions): ScanOptions {
  return {
    files: nodeFiles,
    compile: re2Compiler(),
    folders: (hooksDir ?? DEFAULT_HOOK_FOLDERS).map((folder) => resolve(folder)),
    owners: trustedOwners(),
    allowUntrusted: allowUntrusted ?? false,
  };
}

export function trustedOwners(): readonly number[] {
  const self = process.getuid?.() ?? 0;
  return self === 0 ? [0] : [0, self];
}
