/** Reads the address and the keys of the receiver of notifications, once at the start. No error quotes them (ENG-N3). */
import { readFile, stat } from 'node:fs/promises';

import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { secrets } from '../../kube/resources.ts';
import { loadYaml } from '../../model/yaml-text.ts';
import { LifehookError } from '../../model/problem.ts';
import { shellWords } from '../../model/shell-words.ts';
import { type Receiver, receiverOf } from '../../observe/notifications/receiver.ts';
import { errorText } from '../../platform/error-text.ts';

export interface ReceiverPlace {
  /** Name of a Secret in the controllers' namespace. */
  readonly secret?: string;
  readonly file?: string;
}

/** null: the options name no receiver. Throws LHK109. */
export async function readReceiver(
  { secret, file }: ReceiverPlace,
  { client, namespace }: { readonly client: KubeClient; readonly namespace: string },
): Promise<Receiver | null> {
  if (secret !== undefined && file !== undefined) {
    throw unreadable(
      'both a Secret and a file are given',
      'Use one of --notify-secret, --notify-file.',
    );
  }
  if (secret !== undefined) return fromSecret(client, { namespace, name: secret });
  return file === undefined ? null : fromFile(file);
}

async function fromSecret(
  client: KubeClient,
  key: { readonly namespace: string; readonly name: string },
): Promise<Receiver> {
  const source = `Secret ${key.namespace}/${key.name}`;
  try {
    const { data = {} } = await client.get(secrets, key);
    const texts = Object.entries(data).map(([name, value]) => [
      name,
      Buffer.from(value, 'base64').toString('utf8'),
    ]);
    return receiverOf(Object.fromEntries(texts) as Record<string, string>, source);
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Forbidden')) throw error;
    const next =
      'Create the Secret with the keys url and secret (or template), and grant get on it to the controllers.';
    throw unreadable(`${source}: ${errorText(error)}`, next);
  }
}

const OTHERS = 0o077;

async function fromFile(path: string): Promise<Receiver> {
  try {
    const stats = await stat(path);
    // Opening a pipe would wait for a process that writes to it, and no signal could end the controllers.
    if (!stats.isFile()) throw unreadable(`${path} is not a regular file`, 'Name a regular file.');
    const { mode } = stats;
    if ((mode & OTHERS) !== 0) {
      const next = `Run \`${shellWords(['chmod', '600', path])}\`.`;
      throw unreadable(`other users may read ${path}, which holds secrets`, next);
    }
    const { parse } = await loadYaml();
    return receiverOf(textsIn(parse(await readFile(path, 'utf8')), path), path);
  } catch (error) {
    if (error instanceof LifehookError) throw error;
    // The parser's message quotes the text, which contains secrets.
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it is not YAML';
    throw unreadable(
      `${path}: ${why}`,
      'Write a YAML file with the keys url and secret (or template).',
    );
  }
}

function textsIn(value: unknown, path: string): Record<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
    return Object.fromEntries(entries);
  }
  throw unreadable(`${path} has values that are not strings`, 'Quote them.');
}

function unreadable(what: string, next: string): LifehookError {
  const message = `Notifications cannot be sent: ${what}.`;
  return new LifehookError({ code: 'LHK109', message, next });
}
