/**
 * Writes a record that cannot be made again later, because only this process knows its content, such as the exit of a
 * container. Also runs natively: uses nothing that QuickJS lacks.
 */
import { errorText } from '../platform/error-text.ts';
import type { Timers } from '../platform/platform.ts';
import { codeOf } from '../platform/posix-error.ts';
import type { ShimHost } from '../platform/shim-host.ts';
import { backoffMs, sleep } from '../platform/sleep.ts';

const RECORD_RETRY = { firstMs: 100, maxMs: 10_000 };

interface KeepingHost {
  readonly timers: Timers;
  readonly print: ShimHost['print'];
}

/**
 * Retries until the write succeeds. Reports the first failure in the log of the supervisor, and again after the success,
 * since a full disk loses the first report. Rejects if the directory was removed: then no one can read the record.
 * Rejects too with an error that is not of the system.
 */
export async function keepRecord(
  { timers, print }: KeepingHost,
  write: () => Promise<void>,
): Promise<void> {
  let why = '';
  for (let failures = 1; ; failures += 1) {
    try {
      await write();
      if (why !== '') print('stderr', `The end of the container was recorded late: ${why}.\n`);
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === null || code === 'ENOENT') throw error;
      why ||= errorText(error);
      if (failures === 1) print('stderr', firstReport(why));
      await sleep(timers, backoffMs(failures, RECORD_RETRY, 1));
    }
  }
}

function firstReport(why: string): string {
  return `The end of the container cannot be recorded yet: ${why}. The supervisor retries until it can.\n`;
}
