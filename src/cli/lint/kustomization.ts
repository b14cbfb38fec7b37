/** Reads a kustomization: its fields, the files that it names, its patches, and the objects that it generates. */
import { stat } from 'node:fs/promises';
import { dirname, join, normalize, resolve } from 'node:path';

import { fieldsAt, listAt, textAt } from '../../kube/fields.ts';
import {
  type DocumentPath,
  type LocatedDocument,
  readDocuments,
} from '../../model/located-document.ts';
import { nearestWord } from '../../model/nearest-word.ts';
import type { Problem } from '../../model/problem.ts';
import { shownPath } from '../convert/conversion.ts';
import type { GeneratedObject } from './manifests/object-index.ts';

export interface Kustomization {
  readonly problems: readonly Problem[];
  /** Absolute paths of patches, which contain only parts of objects. */
  readonly patches: readonly string[];
  readonly generated: readonly GeneratedObject[];
}

const PATHS = [
  'bases',
  'components',
  'configurations',
  'crds',
  'generators',
  'patchesStrategicMerge',
  'resources',
  'transformers',
  'validators',
] as const;

const OTHERS = [
  'apiVersion',
  'buildMetadata',
  'commonAnnotations',
  'commonLabels',
  'configMapGenerator',
  'generatorOptions',
  'helmChartInflationGenerator',
  'helmCharts',
  'helmGlobals',
  'images',
  'kind',
  'labels',
  'metadata',
  'namePrefix',
  'nameSuffix',
  'namespace',
  'openapi',
  'patches',
  'patchesJson6902',
  'replacements',
  'replicas',
  'secretGenerator',
  'sortOptions',
  'vars',
] as const;

const FIELDS: readonly string[] = [...PATHS, ...OTHERS];

export async function readKustomization(file: string, written: string): Promise<Kustomization> {
  const { documents, problems } = readDocuments(file, written, 'kubectl');
  const found = await Promise.all(documents.map((document) => readOne(file, document)));
  return {
    problems: [...problems, ...found.flatMap((one) => one.problems)],
    patches: found.flatMap(({ patches }) => patches),
    generated: found.flatMap(({ generated }) => generated),
  };
}

interface NamedFile {
  readonly name: string;
  readonly path: DocumentPath;
}

async function readOne(file: string, document: LocatedDocument): Promise<Kustomization> {
  const value = fieldsAt(document.value);
  const inHere = (name: string): string => normalize(join(dirname(file), name));
  const named = [...PATHS.flatMap((field) => texts(value[field], [field])), ...insideOf(value)];
  const missing = await Promise.all(
    named.filter(isLocal).map(async (one) => ((await isThere(inHere(one.name))) ? [] : [one])),
  );
  const patches = [...texts(value['patchesStrategicMerge'], []), ...insideOf(value)];
  return {
    problems: [
      ...unknownFields(value, document),
      ...missing.flat().map((one) => missingFile(one, document)),
    ],
    patches: patches.filter(isLocal).map(({ name }) => resolve(inHere(name))),
    generated: [
      ...generatedBy(value['configMapGenerator'], 'ConfigMap'),
      ...generatedBy(value['secretGenerator'], 'Secret'),
    ],
  };
}

/** The files that patches and replacements name. */
function insideOf(value: Readonly<Record<string, unknown>>): readonly NamedFile[] {
  return ['patches', 'patchesJson6902', 'replacements'].flatMap((field) =>
    listAt(value[field]).flatMap((one, index) => {
      const name = textAt(fieldsAt(one)['path']);
      return name === '' ? [] : [{ name, path: [field, index, 'path'] }];
    }),
  );
}

function texts(value: unknown, path: DocumentPath): readonly NamedFile[] {
  return listAt(value).flatMap((one, index) =>
    textAt(one) === '' ? [] : [{ name: textAt(one), path: [...path, index] }],
  );
}

/** False: the entry is a URL or inline YAML. */
function isLocal({ name }: NamedFile): boolean {
  if (/\n|:\/\/|\?ref=|^(?:git::)?[a-z][\w.-]*@[^\s/:]+[/:]/iu.test(name)) return false;
  return !/^[\w-]+(?:\.[\w-]+)*\.(?:com|dev|io|net|org)[/:]/u.test(name);
}

function generatedBy(value: unknown, kind: string): readonly GeneratedObject[] {
  return listAt(value).map((one) => ({ kind, name: textAt(fieldsAt(one)['name']) }));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

function unknownFields(
  value: Readonly<Record<string, unknown>>,
  document: LocatedDocument,
): readonly Problem[] {
  return Object.keys(value)
    .filter((name) => !FIELDS.includes(name))
    .map((name) => {
      const near = nearestWord(name, FIELDS);
      return {
        code: 'LHM001',
        severity: 'error',
        at: document.positionOfKey([name]),
        path: name,
        message: `Kustomization: there is no field ${name}.`,
        next: near === null ? 'Remove it, or correct its name.' : `Did you mean ${near}?`,
      };
    });
}

function missingFile({ name, path }: NamedFile, document: LocatedDocument): Problem {
  return {
    code: 'LHM025',
    severity: 'error',
    at: document.positionOf(path),
    path: shownPath(path),
    message: `Kustomization: ${shownPath(path)} is ${JSON.stringify(name)}, which does not exist.`,
    next: 'Correct the path: it is relative to the directory of the kustomization.',
  };
}
