/** Finds every problem of the objects of some files, of each object alone and of all together. No I/O. */
import { fieldsAt } from '../../../kube/fields.ts';
import { type LocatedDocument, readDocuments } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';
import { manifestRules } from '../../lifecycle-manifests.ts';
import { checkObject } from './check-object.ts';
import { checkReferences } from './check-references.ts';
import { checkSelectors, type LabelledPod, labelledPods } from './check-selectors.ts';
import { definedKinds } from './kind-schemas.ts';
import { isNoMap } from '../../convert/conversion.ts';
import { findingOf, type LintObject, lintObjects, titleOf } from './lint-object.ts';
import type { ManifestSettings } from './manifest-rules.ts';
import { type GeneratedObject, indexObjects, type ObjectIndex } from './object-index.ts';
import { isOwn } from './own-kinds.ts';
import { unknownVersion } from './used-version.ts';

export interface ManifestFile {
  /** The name of the file in messages. */
  readonly file: string;
  readonly text: string;
  /** True: the user named the file, so it must be a manifest. A file found in a directory may be something else. */
  readonly isNamed: boolean;
  /** True: the file is a patch of a kustomization, and its objects are incomplete. */
  readonly isPatch?: boolean;
}

export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

export interface ManifestFindings {
  readonly problems: readonly Problem[];
  /** Files with objects, in the order of the inputs. */
  readonly files: readonly string[];
  readonly objects: number;
  /** Files, and objects of files, that were not checked; and a Kubernetes version that is not known. */
  readonly skipped: readonly Skipped[];
}

export async function lintManifests(
  files: readonly ManifestFile[],
  settings: ManifestSettings & { readonly generated: readonly GeneratedObject[] },
): Promise<ManifestFindings> {
  const read = files.map(readManifest);
  const objects = read.flatMap((one) => one.objects);
  const kinds = await definedKinds(objects);
  const rules = Object.values(manifestRules);
  const index = indexObjects(objects, settings.generated);
  const others = { index, pods: labelledPods(objects), strict: settings.strict };
  const patches = new Set(files.flatMap(({ file, isPatch }) => (isPatch === true ? [file] : [])));
  const skipped: Skipped[] = [];
  const found = objects.flatMap((object) => {
    const isPatch = patches.has(object.file);
    const { problems, note } = checkObject(object, kinds, { ...settings, isPatch, rules });
    if (note !== undefined) {
      skipped.push({ path: `${object.file}: ${titleOf(object)}`, reason: note });
    }
    // References are checked only in whole objects of a known kind: a patch lacks fields, and in an unknown kind the
    // fields with references are not known.
    const isWhole =
      !isPatch && note === undefined && !problems.some(({ code }) => IDENTITY.includes(code));
    return [...problems, ...(isWhole ? checkTogether(object, others) : [])];
  });
  return {
    problems: inOrder(files, [
      ...read.flatMap(({ problems }) => problems),
      ...found,
      ...twice(objects),
    ]),
    files: read.flatMap(({ file, isManifest }) => (isManifest ? [file] : [])),
    objects: objects.length,
    skipped: [
      ...(objects.length > 0 ? unknownVersion(settings.serverMinor) : []),
      ...read.flatMap((one) => one.skipped),
      ...skipped,
    ],
  };
}

const IDENTITY = ['LHG066', 'LHM004', 'LHM005', 'LHM006', 'LHM008', 'LHM009'];

interface Others {
  readonly index: ObjectIndex;
  readonly pods: readonly LabelledPod[];
  readonly strict: boolean;
}

function checkTogether(object: LintObject, { index, pods, strict }: Others): readonly Problem[] {
  return [
    ...checkReferences(object, index, strict),
    ...checkSelectors(object, pods),
    ...(isOwn(object) ? checkOwnTogether(object, index) : []),
  ];
}

function checkOwnTogether(object: LintObject, index: ObjectIndex): readonly Problem[] {
  const rules = Object.values(manifestRules);
  return rules.flatMap((rule) => rule.checkTogether?.(object, index) ?? []);
}

interface ReadManifest {
  readonly file: string;
  readonly isManifest: boolean;
  readonly objects: readonly LintObject[];
  readonly problems: readonly Problem[];
  readonly skipped: readonly Skipped[];
}

function readManifest({ file, text, isNamed, isPatch = false }: ManifestFile): ReadManifest {
  const { documents, problems } = readDocuments(file, text, 'kubectl');
  const nothing = { file, isManifest: false, objects: [], problems: [], skipped: [] };
  // A file that is too long was not parsed, so it may be undamaged.
  const isDamaged =
    problems.some(({ code }) => code !== 'LHG031') ||
    documents.some(({ value }) => hasMapAsKey(value));
  if (isDamaged && hasPlaceholder(text)) {
    if (isNamed) return { ...nothing, problems: [unrendered(file)] };
    return { ...nothing, skipped: [{ path: file, reason: 'a template: render it first' }] };
  }
  const objects = documents.flatMap((document) => lintObjects(file, document));
  if (objects.some(looksLikeObject)) {
    const others = documents.filter(isNoMap).map(noObject);
    return { ...nothing, isManifest: true, objects, problems: [...problems, ...others] };
  }
  if (problems.length > 0) return { ...nothing, problems };
  if (!isNamed || isPatch) {
    return { ...nothing, skipped: [{ path: file, reason: 'not a Kubernetes object' }] };
  }
  return { ...nothing, problems: [noManifest(file)] };
}

/**
 * A placeholder in quotes or in a block scalar may be the text of an alert: then the file is a manifest. A binary file
 * may have the characters of one by chance.
 */
function hasPlaceholder(text: string): boolean {
  return text.includes('{{') && !text.includes('\0');
}

/**
 * True: the value has a map as a key, which no object of Kubernetes has. YAML reads `image: {{ .Values.image }}` as
 * such a map, whose key becomes "{ .Values.image }".
 */
function hasMapAsKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMapAsKey);
  return Object.entries(fieldsAt(value)).some(
    ([key, part]) => key.startsWith('{ ') || hasMapAsKey(part),
  );
}

function noObject(document: LocatedDocument): Problem {
  return {
    code: 'LHM008',
    severity: 'error',
    at: document.positionOf([]),
    message: 'This document is no map, and so no object: kubectl refuses it.',
    next: 'Remove it, or correct the indentation.',
  };
}

function unrendered(file: string): Problem {
  return {
    code: 'LHM026',
    severity: 'error',
    at: { file, line: 1, column: 1 },
    message: 'This is a template: only its rendered form is a manifest.',
    next: 'Lint the rendered manifests, for example with `helm template . | lifehook lint -`.',
  };
}

/** True also if one of apiVersion and kind is misspelt. */
function looksLikeObject({ value }: LintObject): boolean {
  const names = ['apiVersion', 'kind'].filter((name) => Object.hasOwn(value, name));
  if (names.length === 2) return true;
  return (
    names.length === 1 && ['metadata', 'spec', 'data'].some((name) => Object.hasOwn(value, name))
  );
}

function noManifest(file: string): Problem {
  return {
    code: 'LHG067',
    severity: 'error',
    at: { file, line: 1, column: 1 },
    message: 'This is no hooks.d directory or file, no bundle, no skaffold.yaml and no manifest.',
    next: 'Name one of these; an object of Kubernetes has apiVersion, kind and metadata.',
  };
}

/** The problem of an object that has the name of an earlier one in the same file: the second replaces the first. */
function twice(objects: readonly LintObject[]): readonly Problem[] {
  const seen = new Map<string, LintObject>();
  return objects.flatMap((object) => {
    const { file, apiVersion, kind, namespace, name } = object;
    if (name === '' || fieldsAt(object.value['metadata'])['name'] === undefined) return [];
    const key = JSON.stringify([file, apiVersion, kind, namespace, name]);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, object);
      return [];
    }
    return [
      findingOf(object, {
        code: 'LHM017',
        severity: 'warning',
        path: ['metadata', 'name'],
        message: `line ${first.positionOf(['metadata', 'name']).line} of the file has an object of the same kind and name, which this one replaces.`,
        next: 'Give one of them another name, or remove it.',
      }),
    ];
  });
}

function inOrder(files: readonly ManifestFile[], problems: readonly Problem[]): readonly Problem[] {
  const order = new Map(files.map(({ file }, index) => [file, index]));
  const keyOf = ({ at }: Problem): readonly number[] =>
    at === undefined ? [0, 0, 0] : [order.get(at.file) ?? 0, at.line, at.column];
  const keyed = problems.map((problem) => ({ problem, key: keyOf(problem) }));
  return keyed.toSorted((one, other) => compare(one.key, other.key)).map(({ problem }) => problem);
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((part, at) => part !== other[at]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
