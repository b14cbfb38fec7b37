/** Parses YAML documents into Kubernetes objects. Pure. */
import { isObject, textAt } from '../../../kube/fields.ts';
import type { KubeObject } from '../../../kube/object.ts';
import {
  type DocumentPath,
  type LocatedDocument,
  readDocuments,
} from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';
import { errorOf } from '../config/config-problem.ts';

export interface ParsedManifests {
  readonly objects: readonly KubeObject[];
  readonly problems: readonly Problem[];
}

/** Maximum number of objects in one text. */
const MAX_OBJECTS = 10_000;

/**
 * Parses the objects in a text. `file`: the name of the text in problems. Empty documents are skipped; items of a List
 * are returned as objects.
 */
export function parseManifests(file: string, text: string): ParsedManifests {
  const { documents, problems: unreadable, inexact } = readDocuments(file, text, 'kubectl');
  const objects: KubeObject[] = [];
  const problems: Problem[] = [...unreadable, ...inexact];
  for (const document of documents) {
    for (const { value, path } of itemsOf(document.value)) {
      if (value === null || value === undefined) continue;
      const wrong = problemOf(value, path, document);
      if (wrong !== null) problems.push(wrong);
      else if (objects.length < MAX_OBJECTS) objects.push(value);
      else problems.push(tooMany(file));
      if (objects.length >= MAX_OBJECTS && problems.length > 0) return { objects, problems };
    }
  }
  return { objects, problems };
}

interface Item {
  readonly value: unknown;
  readonly path: DocumentPath;
}

function itemsOf(value: unknown): readonly Item[] {
  if (!isObject(value) || value['kind'] !== 'List' || !Array.isArray(value['items'])) {
    return [{ value, path: [] }];
  }
  return value['items'].map((item: unknown, index) => ({ value: item, path: ['items', index] }));
}

/**
 * The problem of a value that is not an object with a kind and a name; null: none. A value without a problem is an
 * object.
 */
function problemOf(value: unknown, path: DocumentPath, document: LocatedDocument): Problem | null {
  const wrong = (message: string, next: string, ...more: DocumentPath): Problem =>
    errorOf('LHL401', { at: document.positionOf([...path, ...more]), message, next });
  if (!isObject(value)) {
    return wrong('A manifest must be a map.', 'Write apiVersion, kind and metadata.');
  }
  for (const name of ['apiVersion', 'kind']) {
    const text = value[name];
    if (typeof text === 'string' && text !== '') continue;
    return wrong(`A manifest needs a string for "${name}".`, `Write ${name}.`, name);
  }
  const { metadata } = value;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof name === 'string' && name !== '') return null;
  const message = `This ${textAt(value, 'kind')} needs a string for "metadata.name".`;
  return wrong(
    message,
    'Write metadata.name: with generateName each deployment would create another object.',
    'metadata',
    'name',
  );
}

function tooMany(file: string): Problem {
  const message = `There are more than ${MAX_OBJECTS} objects.`;
  return errorOf('LHL401', { at: { file, line: 1, column: 1 }, message, next: 'Split them.' });
}
