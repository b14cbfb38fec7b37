import { decodeUtf8File } from '../../../platform/byte-text.ts';
import type { Files } from '../../../platform/platform.ts';

/** The text of a user's file; null: it cannot be read. */
export async function textOf(path: string, files: Pick<Files, 'read'>): Promise<string | null> {
  const bytes = await files.read(path).catch(() => null);
  return bytes === null ? null : decodeUtf8File(bytes);
}
