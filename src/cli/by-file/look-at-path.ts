/** Finds the lifecycle of a path: a hooks.d directory or file, a bundle, a pipeline, or a manifest. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { fieldsAt, textAt } from '../../kube/fields.ts';
import { readDocuments } from '../../model/located-document.ts';
import { LifehookError } from '../../model/problem.ts';
import { objectsIn } from '../convert/conversion.ts';
import { fileType, notAFile } from '../not-a-file.ts';
import { readText } from '../read-text.ts';

export type Found =
  | { readonly kind: 'hooks'; readonly folder: string }
  | { readonly kind: 'bundle'; readonly folder: string }
  | { readonly kind: 'pipeline'; readonly file: string }
  | { readonly kind: 'manifest'; readonly file: string; readonly objects: readonly Named[] };

/** One object of a manifest. */
export interface Named {
  readonly kind: string;
  readonly name: string;
  /** '': no namespace is set. */
  readonly namespace: string;
}

const PIPELINES = ['skaffold.yaml', 'skaffold.yml'];

/**
 * @throws {LifehookError} LHG067 if no lifecycle has such a file or directory; LHM021 for a pipe; for a file that cannot
 *   be parsed, its problems.
 */
export async function lookAtPath(path: string): Promise<Found> {
  const stats = await stat(path);
  if (stats.isDirectory()) return lookAtFolder(path);
  // The command of the lifecycle reads the file again.
  if (!stats.isFile()) throw new LifehookError(notAFile(path, fileType(stats)));
  return lookAtFile(path);
}

async function lookAtFolder(folder: string): Promise<Found> {
  const names = await readdir(folder);
  const pipeline = PIPELINES.find((name) => names.includes(name));
  if (pipeline !== undefined) return { kind: 'pipeline', file: join(folder, pipeline) };
  if (names.includes('config.json')) return { kind: 'bundle', folder };
  if (names.some((name) => name.endsWith('.json'))) return { kind: 'hooks', folder };
  throw nothingKnown(folder);
}

async function lookAtFile(file: string): Promise<Found> {
  const { documents, problems } = readDocuments(file, await readText(file));
  const [first] = documents;
  if (isHookFile(first?.value)) return { kind: 'hooks', folder: dirname(file) };
  if (isPipeline(first?.value)) return { kind: 'pipeline', file };
  const objects = documents
    .flatMap(({ value }) => objectsIn({ value: fieldsAt(value), path: [] }))
    .map(({ value }) => named(value))
    .filter(({ kind }) => kind !== '');
  if (objects.length > 0) return { kind: 'manifest', file, objects };
  throw problems.length > 0 ? new LifehookError(problems) : nothingKnown(file);
}

function named({ kind, metadata }: Readonly<Record<string, unknown>>): Named {
  const { name, namespace } = fieldsAt(metadata);
  return { kind: textAt(kind), name: textAt(name), namespace: textAt(namespace) };
}

function nothingKnown(path: string): LifehookError {
  return new LifehookError({
    code: 'LHG067',
    at: { file: path, line: 1, column: 1 },
    message: 'This is no hooks.d directory or file, no bundle, no skaffold.yaml and no manifest.',
    next: 'Name one of these, or use the command of the lifecycle: `lifehook --help` lists the commands.',
  });
}

/**
 * True if the parsed content of a file is a hooks.d file, of either version. The content is not validated yet. No
 * object of an API server has `hook` and stages at the top level. Pure.
 */
export function isHookFile(value: unknown): boolean {
  const fields = fieldsAt(value);
  return 'hook' in fields && !('kind' in fields);
}

export function isPipeline(value: unknown): boolean {
  const { apiVersion, kind } = fieldsAt(value);
  return kind === 'Config' && textAt(apiVersion).startsWith('skaffold/');
}
