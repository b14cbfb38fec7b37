/** Reads texts that a user names. A text that is too long for `readDocuments` is read only until that is known. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import type { Readable } from 'node:stream';

import { DOCUMENTS_CHARACTERS_MAX } from '../model/located-document.ts';
import { LifehookError } from '../model/problem.ts';
import { fileType, notAFile } from './not-a-file.ts';

/**
 * Reads a file, or a pipe until its writers close it. Rejects with an error that has the path, also if it is that of a
 * directory.
 */
export async function readText(path: string): Promise<string> {
  try {
    return await textOf(createReadStream(path, { encoding: 'utf8' }));
  } catch (error) {
    throw error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;
  }
}

/**
 * Reads a file whose path must stay usable: it is read again, or together with the files next to it. Rejects with
 * LHM021 if it is not a regular file. Opening a pipe would wait for a process that writes to it, and a command that
 * handles signals could not be interrupted.
 */
export async function readFileText(path: string): Promise<string> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new LifehookError(notAFile(path, fileType(stats)));
  return readText(path);
}

export function standardInput(): Promise<string> {
  return textOf(process.stdin.setEncoding('utf8'));
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const piece of stream) {
    text += String(piece);
    if (text.length > DOCUMENTS_CHARACTERS_MAX) break;
  }
  return text;
}
