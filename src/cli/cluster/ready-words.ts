/** What a cluster's process says on descriptor 3 to who started it in the background. */
import { closeSync, writeSync } from 'node:fs';
import process from 'node:process';

export const READY = 'ready\n';
/** Another process has the state folder. */
export const IN_USE = 'in use\n';

/** False: nobody started it in the background. */
export function sayToStarter(word: typeof READY | typeof IN_USE): boolean {
  const descriptor = Number(process.env['LIFEHOOK_READY_FD'] ?? Number.NaN);
  if (Number.isNaN(descriptor)) return false;
  writeSync(descriptor, word);
  closeSync(descriptor);
  return true;
}
