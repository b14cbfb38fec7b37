/**
 * What a command tells the runner that it starts beside one hook, and what the runner leaves behind: the
 * end of the hook, in a file, since the exit of the runner cannot say whether the deadline was the cause.
 */
import type { End } from '../../../handlers/command.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import { decodeUtf8 } from '../config/byte-text.ts';

export interface HookOrder {
  /** Milliseconds; null: no deadline. */
  readonly timeoutMs: number | null;
  /** Where the runner says who it is, and then how the hook ended. */
  readonly endFile: string;
  readonly file: string;
  readonly argv: readonly string[];
}

export type RunnerReport =
  | { readonly kind: 'running'; readonly runner: ProcessIdentity }
  | { readonly kind: 'ended'; readonly end: End };

/** The first argument of a runner that has such an order. */
export const KEEP_DEADLINE = '--keep-deadline';

export function writeHookOrder({ timeoutMs, endFile, file, argv }: HookOrder): string[] {
  return [KEEP_DEADLINE, `${timeoutMs ?? 'none'}:${endFile}`, file, ...argv];
}

/** Null: these arguments were written by somebody else. */
export function readHookOrder(args: readonly string[]): HookOrder | null {
  const [first, options = '', file = '', ...argv] = args;
  const [, milliseconds, endFile] = /^(none|\d+(?:\.\d+)?):(.+)$/s.exec(options) ?? [];
  if (first !== KEEP_DEADLINE || endFile === undefined || file === '') return null;
  return { timeoutMs: milliseconds === 'none' ? null : Number(milliseconds), endFile, file, argv };
}

/** Null: there is none, or not a whole one. */
export async function readReport(files: Files, path: string): Promise<RunnerReport | null> {
  try {
    return JSON.parse(decodeUtf8(await files.read(path))) as RunnerReport;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
