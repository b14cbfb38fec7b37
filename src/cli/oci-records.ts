/** `lifehook oci records`: what hooks did, whoever ran them, newest first. */
import { resolve } from 'node:path';
import process from 'node:process';
import type { AttemptResult } from '../model/attempt.ts';
import { spoolFolder } from '../lifecycles/container/life/life.ts';
import { readSpool, type HookRecord } from '../lifecycles/container/hook-runs/read-spool.ts';
import { nodeFiles } from '../platform/files.ts';
import { exitCodes } from './exit-codes.ts';
import { lifeRoot } from './life-options.ts';
import { requireFolder } from './require-folder.ts';
import { textTable } from './text-table.ts';

export interface RecordsCommandOptions {
  readonly root?: string;
  readonly spool?: string;
  readonly limit: string;
  readonly output: string;
}

export async function runOciRecords(options: RecordsCommandOptions): Promise<number> {
  const { limit, output } = options;
  const spool =
    options.spool === undefined
      ? resolve(spoolFolder(lifeRoot(options)))
      : requireFolder('--spool', options.spool);
  const records = await readSpool(nodeFiles, spool, { limit: Number(limit) });
  if (output === 'json') process.stdout.write(`${JSON.stringify(records, null, 2)}\n`);
  else process.stdout.write(textTable(heading, records.map(row)));
  return exitCodes.done;
}

const heading = ['STARTED', 'CONTAINER', 'STAGE', 'HOOK', 'OUTCOME', 'MS', 'OUTPUT'];

/** The ids of container engines, of which people use the beginning. */
const engineId = /^[0-9a-f]{64}$/;

function row({ startedAtMs, container, stage, hook, attempts, result }: HookRecord): string[] {
  const tries = attempts > 1 ? ` (attempt ${attempts})` : '';
  return [
    new Date(startedAtMs).toISOString(),
    engineId.test(container) ? container.slice(0, 12) : container,
    stage,
    hook,
    `${result?.outcome ?? 'running'}${tries}`,
    result === null || result.outcome === 'Unknown' ? '' : result.durationMs.toFixed(1),
    result === null ? '' : lastLine(result).slice(0, 60),
  ];
}

function lastLine({ stdout, stderr }: AttemptResult): string {
  return `${stdout.text}\n${stderr.text}`.trimEnd().split('\n').at(-1) ?? '';
}
