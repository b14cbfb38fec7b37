/** What an image says of itself: its config as OCI and Docker write it, as far as it is used. */
import { LifehookError } from '../../../../src/model/problem.ts';
import type { LocalImage } from '../../../../src/platform/container-runtime.ts';

export type ImageConfig = LocalImage['config'];

export const emptyConfig: ImageConfig = {
  entrypoint: [],
  command: [],
  env: {},
  workingDir: null,
  user: null,
};

export interface ReadConfig {
  readonly config: ImageConfig;
  /** Of each layer, without its compression, the lowest first. */
  readonly diffIds: readonly string[];
}

export function readImageConfig(text: string, file: string): ReadConfig {
  const image = parseObject(text, file);
  const config = objectAt(image, 'config');
  const rootfs = objectAt(image, 'rootfs');
  const env = textsAt(config, 'Env').map((entry): [string, string] => {
    const at = entry.indexOf('=');
    return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
  });
  return {
    config: {
      entrypoint: textsAt(config, 'Entrypoint'),
      command: textsAt(config, 'Cmd'),
      env: Object.fromEntries(env),
      workingDir: textAt(config, 'WorkingDir'),
      user: textAt(config, 'User'),
    },
    diffIds: textsAt(rootfs, 'diff_ids'),
  };
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseObject(text: string, file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw damaged(`${file} must hold a JSON object, and does not`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = object[key];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === 'string');
}

/** Absent and empty are one. */
export function textAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function damaged(what: string): LifehookError {
  return new LifehookError({
    code: 'LHN302',
    severity: 'error',
    message: `The image cannot be imported: ${what}.`,
    next: 'Save or build the image again; nothing was imported.',
  });
}
