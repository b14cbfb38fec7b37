/** Kubeconfig fields that hold base64 data or name a file: certificates, keys and tokens. */
import { LifehookError } from '../model/problem.ts';
import { errorText } from '../platform/error-text.ts';
import type { ByteText, Files } from '../platform/platform.ts';
import { badField, type ConfigEntry, textField } from './kube-config-entries.ts';

/** `FIELD-data`, or the file in `FIELD`; undefined: both are absent. */
export async function readEntryData(
  entry: ConfigEntry,
  field: string,
  files: Files,
): Promise<ByteText | undefined> {
  const data = textField(entry, `${field}-data`);
  if (data !== undefined) return decodeBase64(entry, `${field}-data`, data);
  if (textField(entry, field) === undefined) return undefined;
  return readNamedFile(entry, field, files);
}

export async function readNamedFile(
  entry: ConfigEntry,
  field: string,
  files: Files,
): Promise<ByteText> {
  const path = resolvePath(entry.file.path, textField(entry, field) ?? '');
  try {
    return await files.read(path);
  } catch (cause) {
    const why = errorText(cause);
    throw new LifehookError(
      {
        code: 'LHK007',
        severity: 'error',
        message: `The kubeconfig names "${path}" as ${field} of "${entry.name}", and it cannot be read: ${why}.`,
        at: entry.file.positionOf([...entry.path, field]),
        next: 'Make the file readable, or correct its path.',
      },
      { cause },
    );
  }
}

/** A relative path is relative to the directory of the kubeconfig. */
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
    throw badField(entry, field, 'required is base64, and this is not');
  }
}
