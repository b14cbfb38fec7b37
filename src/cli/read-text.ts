/** Reads texts that a user names. A text that is too long for `readDocuments` is read only until that is known. */
import { createReadStream } from 'node:fs';
import process from 'node:process';
import type { Readable } from 'node:stream';

import { DOCUMENTS_CHARACTERS_MAX } from '../model/located-document.ts';

/** Rejects with an error that has the path, also if it is that of a directory. */
export async function readText(path: string): Promise<string> {
  try {
    return await textOf(createReadStream(path, { encoding: 'utf8' }));
  } catch (error) {
    throw error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;
  }
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
