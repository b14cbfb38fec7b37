/** `lifehook oci records`: lists the runs of hooks of all runtimes, newest first. */
import { resolve } from 'node:path';
import type { AttemptResult } from '../../model/attempt.ts';
import { spoolFolder } from '../../lifecycles/container/life/life.ts';
import { readSpool, type HookRecord } from '../../lifecycles/container/hook-runs/read-spool.ts';
import { nodeFiles } from '../../platform/files.ts';
import { exitCodes } from '../exit-codes.ts';
import { lifeRoot } from './life-options.ts';
import { type Listing, printListing, toneOf } from '../listing.ts';
import type { ListFormat } from '../shared-options.ts';
import { requireFolder } from '../require-folder.ts';

export interface RecordsCommandOptions {
  readonly root?: string;
  readonly spool?: string;
  readonly limit: string;
  readonly output: ListFormat;
}

export async function runOciRecords(options: RecordsCommandOptions): Promise<number> {
  const { limit, output } = options;
  const spool =
    options.spool === undefined
      ? resolve(spoolFolder(lifeRoot(options)))
      : requireFolder('--spool', options.spool);
  const records = await readSpool(nodeFiles, spool, { limit: Number(limit) });
  printListing(recordsListing(records), output);
  return exitCodes.done;
}

function recordsListing(items: readonly HookRecord[]): Listing<HookRecord> {
  return {
    items,
    nameOf: ({ container, hook }) => `${container}/${hook}`,
    columns: [
      { heading: 'STARTED', cell: ({ startedAtMs }) => new Date(startedAtMs).toISOString() },
      { heading: 'CONTAINER', cell: ({ container }) => shortId(container) },
      { heading: 'STAGE', cell: ({ stage }) => stage },
      { heading: 'HOOK', cell: ({ hook }) => hook },
      { heading: 'OUTCOME', cell: outcomeText, tone: (record) => toneOf(outcomeText(record)) },
      { heading: 'MS', cell: durationText },
      { heading: 'OUTPUT', cell: ({ result }) => lastLine(result).slice(0, OUTPUT_MAX) },
      { heading: 'CONTAINER ID', cell: ({ container }) => container, isWide: true },
    ],
  };
}

/** Maximum number of characters that are shown of a hook's last output line. */
const OUTPUT_MAX = 60;

/** The ids of container engines. Users type only their first characters. */
const ENGINE_ID = /^[0-9a-f]{64}$/;

function shortId(container: string): string {
  return ENGINE_ID.test(container) ? container.slice(0, 12) : container;
}

function outcomeText({ attempts, result }: HookRecord): string {
  const tries = attempts > 1 ? ` (attempt ${attempts})` : '';
  return `${result?.outcome ?? 'running'}${tries}`;
}

function durationText({ result }: HookRecord): string {
  return result === null || result.outcome === 'Unknown' ? '' : result.durationMs.toFixed(1);
}

function lastLine(result: AttemptResult | null): string {
  if (result === null) return '';
  const { stdout, stderr } = result;
  return `${stdout.text}\n${stderr.text}`.trimEnd().split('\n').at(-1) ?? '';
}
