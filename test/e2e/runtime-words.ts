/** Helpers for the tests of the runners: how to pass a script, and how to read a log. */
import { readFile } from 'node:fs/promises';
import type { ExecSpec, RunningContainer } from '../../src/platform/container-runtime.ts';
import { neverAborted } from './runtime-stand.ts';

export const plain: Omit<ExecSpec, 'argv'> = { stdin: false, tty: false, signal: neverAborted };

export const sh = (script: string, more: Partial<ExecSpec> = {}): ExecSpec => ({
  ...plain,
  argv: ['sh', '-c', script],
  ...more,
});

/** The text of the log. Partial records are joined, as a log reader does. */
export async function logOf(container: RunningContainer, stream?: string): Promise<string> {
  const records = (await readFile(container.logPath, 'latin1')).split('\n').slice(0, -1);
  return records
    .map((record) => /^(\S+) (stdout|stderr) ([FP]) (.*)$/s.exec(record) ?? [])
    .filter(([, , name]) => stream === undefined || name === stream)
    .map(([, , , tag, text]) => (tag === 'F' ? `${text}\n` : text))
    .join('');
}

export const said = (container: RunningContainer, text: string) => (): Promise<boolean> =>
  logOf(container).then((log) => log.includes(text));
