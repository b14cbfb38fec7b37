/** `lifehook ui`: serves the timeline of this machine until a signal arrives, or writes it to a file. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { LifehookError } from '../../model/problem.ts';
import { encodeUtf8 } from '../../platform/byte-text.ts';
import { errorText } from '../../platform/error-text.ts';
import { whenAborted } from '../../platform/linked-signal.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import { exportedPage } from '../../timeline/page.ts';
import { exportOf } from '../../timeline/timeline-service.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { sayWhere } from '../kube-connection.ts';
import { type OpenSource, openSources, type SourceOptions } from './sources.ts';
import { newKey, newLink, ownTimelinePage, serveTimeline } from './timeline-link.ts';

export interface UiOptions extends SourceOptions {
  readonly port: number;
  readonly open: boolean;
  /** Path of the file, which ends with .html or .json. */
  readonly export?: string;
}

const { clock, files } = nodePlatform;
const EXPORT_MODE = 0o600;

export async function runUi(options: UiOptions): Promise<number> {
  const store = new BarStore({ clock });
  const ending = new AbortController();
  const stop = cancelOnSignals();
  stop.addEventListener('abort', () => {
    ending.abort();
  });
  const sources = await openSources(options, { store, signal: ending.signal });
  const { export: file } = options;
  if (file === undefined) return serve(options, store, { sources, signal: ending.signal });
  const exitCode = await exportTo(file, store, { sources, signal: ending.signal });
  ending.abort();
  return exitCode;
}

/** Writes all spans of the sources to the file, unless the signal aborts before all are read. Returns the exit code. */
export async function exportTo(
  file: string,
  store: BarStore,
  { sources, signal }: Following,
): Promise<number> {
  await Promise.all(sources.map(({ listed }) => listed()));
  if (signal.aborted) return exitCodes.interrupted;
  await writeExport(file, store);
  return exitCodes.done;
}

interface Following {
  readonly sources: readonly OpenSource[];
  readonly signal: AbortSignal;
}

async function serve(
  { port, open }: UiOptions,
  store: BarStore,
  { sources, signal }: Following,
): Promise<number> {
  const key = newKey();
  const linkAdvice = 'start `lifehook ui` again, and open the link that it prints';
  const address = { host: '127.0.0.1', port };
  const rival = 'another `lifehook ui` of this machine';
  const server = await sayWhere(
    { option: '--port', address, code: 'LHG016', rival },
    serveTimeline({ store, key, port, linkAdvice }),
  );
  try {
    report(newLink(server.url, key), sources);
    if (open) await openBrowser(newLink(server.url, key), signal);
    await Promise.all([whenAborted(signal), ...sources.map(({ running }) => running())]);
  } finally {
    await server.close();
  }
  return exitCodes.done;
}

function report(link: string, sources: readonly OpenSource[]): void {
  const names = sources.map(({ name }) => `  ${name}\n`).join('');
  const nothing =
    '  nothing: start it in the directory of a skaffold.yaml, with --records, or with a kubeconfig\n';
  process.stdout.write(`The timeline, with a link that works once:
  ${link}

It shows:
${names === '' ? nothing : names}Press Ctrl-C to stop it.
`);
}

async function writeExport(file: string, store: BarStore): Promise<void> {
  const page = exportOf({ store, clock });
  const text = file.endsWith('.json')
    ? `${JSON.stringify(page, null, 2)}\n`
    : exportedPage(ownTimelinePage(), page);
  await files.replace(file, encodeUtf8(text), { mode: EXPORT_MODE }).catch((error: unknown) => {
    throw notWritten(file, error);
  });
  for (const { name, problem } of page.sources) {
    if (problem !== null) process.stderr.write(`warning: ${name} is incomplete: ${problem}\n`);
  }
  process.stdout.write(`${page.bars.length} spans are in ${file}.\n`);
}

function notWritten(file: string, error: unknown): LifehookError {
  return new LifehookError(
    {
      code: 'LHG017',
      message: `The timeline cannot be written to ${file}: ${errorText(error)}.`,
      next: 'Name a file in a directory that exists and that you may write to, on a disk with free space.',
    },
    { cause: error },
  );
}

const MODE = 0o600;

/**
 * Opens a link in the browser of this desktop, if there is one. The link is passed in a file that only this user can
 * read: other users can read command lines, and could use the link first. Never rejects: the terminal shows the link
 * too. The file is removed when the signal aborts.
 */
export async function openBrowser(link: string, signal: AbortSignal): Promise<void> {
  const program = opener();
  if (program === null) return;
  try {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-ui-'));
    const file = join(folder, 'timeline.html');
    const text = `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`;
    await writeFile(file, text, { mode: MODE });
    signal.addEventListener('abort', () => {
      void rm(folder, { recursive: true, force: true });
    });
    const child = spawn(program, [file], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // The file could not be written, for example because the disk is full. The terminal shows the link.
  }
}

/** The program that opens a file in the browser; null: stdout is no terminal, or there is no desktop. */
function opener(): string | null {
  const { env, platform, stdout } = process;
  if (!stdout.isTTY) return null;
  if (platform === 'darwin') return 'open';
  const hasDesktop = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDesktop ? 'xdg-open' : null;
}
