/**
 * Merges the named entries of several kubeconfig files. As in kubectl, the first file that has an entry of that name,
 * or a current context, takes precedence. Reads the fields of entries, also those that contain base64 data or name a
 * file.
 */
import { LifehookError } from '../model/problem.ts';
import { nearestWord } from '../model/nearest-word.ts';
import { errorText } from '../platform/error-text.ts';
import type { ByteText, Files } from '../platform/platform.ts';
import { isObject } from './fields.ts';
import type { FieldPath, KubeConfigFile } from './kube-config-file.ts';
import type { JsonObject } from './object.ts';

/** One cluster, user or context of a kubeconfig. */
export interface ConfigEntry {
  readonly name: string;
  readonly fields: JsonObject;
  readonly file: KubeConfigFile;
  readonly path: FieldPath;
}

const KINDS = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

type ListName = keyof typeof KINDS;

export function currentContext(
  files: readonly KubeConfigFile[],
  chosen: string | undefined,
): ConfigEntry {
  if (chosen !== undefined) return findEntry(files, 'contexts', { name: chosen });
  for (const file of files) {
    const name = file.value['current-context'];
    if (typeof name === 'string' && name !== '') {
      const by = { file, path: ['current-context'] };
      return findEntry(files, 'contexts', { name, by });
    }
  }
  const entries = entriesOf(files, 'contexts');
  const choice = entries.length === 0 ? '' : `${choiceOf(entries)} `;
  throw new LifehookError({
    code: 'LHK004',
    message: `A context is required; ${namesOf(files)} sets no current-context.`,
    next: `${choice}Name one with --context, or run \`kubectl config use-context NAME\`.`,
  });
}

export interface Wanted {
  readonly name: string;
  /** The field that names the entry; absent: the caller chose it. */
  readonly by?: { readonly file: KubeConfigFile; readonly path: FieldPath };
}

export function findEntry(
  files: readonly KubeConfigFile[],
  list: ListName,
  { name, by }: Wanted,
): ConfigEntry {
  const entries = entriesOf(files, list);
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  throw new LifehookError({
    code: list === 'contexts' ? 'LHK004' : 'LHK005',
    message: `The ${KINDS[list]} "${name}" is not in ${namesOf(files)}.`,
    ...(by === undefined ? {} : { at: by.file.positionOf(by.path) }),
    next: adviceFor(name, entries),
  });
}

/** The text of a field; undefined if it is absent, null or empty. */
export function textField(entry: ConfigEntry, field: string): string | undefined {
  const value = entry.fields[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  // The value may be a password.
  const kind = Array.isArray(value) ? 'list' : typeof value;
  throw badField(entry, field, `a string is required, and this is of the type ${kind}`);
}

export function badField(entry: ConfigEntry, field: string, why: string): LifehookError {
  return new LifehookError({
    code: 'LHK006',
    message: `The field "${field}" of "${entry.name}" in the kubeconfig: ${why}.`,
    at: entry.file.positionOf([...entry.path, field]),
    next: 'Correct the field, or let the tool that wrote the file write it again.',
  });
}

export function entriesOf(files: readonly KubeConfigFile[], list: ListName): ConfigEntry[] {
  return files.flatMap((file) => {
    const items = file.value[list];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item, index) => {
      if (!isObject(item) || typeof item['name'] !== 'string') return [];
      const inner = item[KINDS[list]];
      const path = [list, index, KINDS[list]];
      return [{ name: item['name'], fields: isObject(inner) ? inner : {}, file, path }];
    });
  });
}

function adviceFor(name: string, entries: readonly ConfigEntry[]): string {
  const near = nearestWord(
    name,
    entries.map((entry) => entry.name),
  );
  if (near !== null) return `Did you mean "${near}"?`;
  return entries.length === 0
    ? 'Add it to the file, or name one that the file has.'
    : choiceOf(entries);
}

/** Maximum number of names in a message. */
const MAX_SHOWN = 10;

function choiceOf(entries: readonly ConfigEntry[]): string {
  const names = entries.slice(0, MAX_SHOWN).map(({ name }) => `"${name}"`);
  const more = entries.length > MAX_SHOWN ? ` and ${entries.length - MAX_SHOWN} more` : '';
  return `There is ${names.join(', ')}${more}.`;
}

function namesOf(files: readonly KubeConfigFile[]): string {
  return files.map(({ path }) => path).join(', ');
}

/**
 * A certificate, key or token: the base64 in `FIELD-data`, or the file in `FIELD`; undefined: both fields are absent.
 */
export async function readEntryData(
  entry: ConfigEntry,
  field: string,
  files: Files,
): Promise<ByteText | undefined> {
  const data = textField(entry, `${field}-data`);
  if (data !== undefined) return decodeBase64(entry, `${field}-data`, data);
  const named = textField(entry, field);
  return named === undefined ? undefined : readNamedFile(entry, { field, named }, files);
}

export async function readNamedFile(
  entry: ConfigEntry,
  { field, named }: { readonly field: string; readonly named: string },
  files: Files,
): Promise<ByteText> {
  const path = resolvePath(entry.file.path, named);
  try {
    return await files.read(path);
  } catch (cause) {
    const why = errorText(cause);
    throw new LifehookError(
      {
        code: 'LHK007',
        message: `The kubeconfig names "${path}" as ${field} of "${entry.name}", and it cannot be read: ${why}.`,
        at: entry.file.positionOf([...entry.path, field]),
        next: 'Make the file readable, or correct its path.',
      },
      { cause },
    );
  }
}

/** The path for this process: a relative path in a kubeconfig is relative to the directory of that file. */
export function resolvePath(configPath: string, path: string): string {
  if (path.startsWith('/')) return path;
  const plain = path.replace(/^\.\//, '');
  const slash = configPath.lastIndexOf('/');
  return slash === -1 ? path : `${configPath.slice(0, slash)}/${plain}`;
}

function decodeBase64(entry: ConfigEntry, field: string, data: string): ByteText {
  try {
    return atob(data);
  } catch {
    throw badField(entry, field, 'base64 is required, and this is not');
  }
}
