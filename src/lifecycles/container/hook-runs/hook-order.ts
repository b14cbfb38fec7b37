/**
 * Defines the order that a command gives to the runner of one hook, and the report that the runner returns. The report
 * is a file with the hook's result: the runner's exit code cannot say whether the deadline stopped the hook.
 */
import type { End } from '../../../handlers/command.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

export interface HookOrder {
  /** Milliseconds; null: no deadline. */
  readonly timeoutMs: number | null;
  /**
   * The process of the command that waits for the hook. If this process is dead, the runner does not start the hook.
   */
  readonly by: ProcessIdentity;
  /** The file in which the runner writes its identity, and then the hook's result. */
  readonly endFile: string;
  readonly file: string;
  readonly argv: readonly string[];
}

export type RunnerReport =
  | { readonly kind: 'running'; readonly runner: ProcessIdentity }
  | { readonly kind: 'ended'; readonly end: End };

/** The first argument of a runner that gets a hook order. */
export const KEEP_DEADLINE = '--keep-deadline';

export function writeHookOrder({ timeoutMs, by, endFile, file, argv }: HookOrder): string[] {
  const options = [timeoutMs ?? 'none', by.pid, by.started, endFile].join(':');
  return [KEEP_DEADLINE, options, file, ...argv];
}

/** The order in the arguments of a runner; null: another program wrote these arguments. */
export function readHookOrder(args: readonly string[]): HookOrder | null {
  const [first, options = '', file = '', ...argv] = args;
  const [, milliseconds, pid, started, endFile] = ORDER.exec(options) ?? [];
  if (first !== KEEP_DEADLINE || started === undefined || endFile === undefined || file === '') {
    return null;
  }
  const timeoutMs = milliseconds === 'none' ? null : Number(milliseconds);
  return { timeoutMs, by: { pid: Number(pid), started }, endFile, file, argv };
}

const ORDER = /^(none|\d+(?:\.\d+)?):(\d+):([^:]+):(.+)$/s;

/** null: the report is missing or incomplete. */
export async function readReport(files: Files, path: string): Promise<RunnerReport | null> {
  try {
    return JSON.parse(decodeUtf8(await files.read(path))) as RunnerReport;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
