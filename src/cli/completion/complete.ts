/** `lifehook __complete WORDS`, which completion scripts call: prints what may stand there, one a line; nothing on failure. */
import type { Command } from 'commander';
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import { wantedValue } from './wanted-value.ts';
import { valuesOf } from './values.ts';

/** Milliseconds that a person waits after a Tab. */
const PATIENCE_MS = 3_000;

/**
 * A shell splits other words, and bash expands them: names come from files of a project, and a Tab must not run what is
 * in one.
 */
const PLAIN = /^[\p{L}\p{N}_.:@%+=,/-]+$/u;

export async function runComplete(program: Command, words: readonly string[]): Promise<number> {
  const wanted = wantedValue(program, words);
  if (wanted === null) return exitCodes.done;
  const values = wanted.kind === 'choices' ? wanted.values : await lookedUp(program, wanted);
  for (const value of values.filter((one) => PLAIN.test(one))) {
    process.stdout.write(`${value}\n`);
  }
  return exitCodes.done;
}

async function lookedUp(
  program: Command,
  { source, options }: Extract<ReturnType<typeof wantedValue>, { kind: 'source' }>,
): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(resolve, PATIENCE_MS, []).unref();
  });
  try {
    return await Promise.race([valuesOf(source, { program, options }), late]);
  } catch {
    // No server, no file, no right: there is nothing to offer.
    return [];
  }
}
