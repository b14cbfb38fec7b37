/** Finds the objects of all files by kind, name and namespace. Pure. */
import { groupOf } from '../../../kube/object.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { LintObject } from './lint-object.ts';

export interface Wanted {
  /** '': the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** An object that a kustomization generates. Its name gets a suffix. */
export interface GeneratedObject {
  readonly kind: string;
  readonly name: string;
}

export interface ObjectIndex {
  readonly all: readonly LintObject[];
  /** Searches the namespace of `from`. An object without a namespace matches every namespace. */
  findAll(wanted: Wanted, from: LintObject): readonly LintObject[];
  /** The first of these objects. */
  find(wanted: Wanted, from: LintObject): LintObject | undefined;
  /** The most similar name of an object; null: none is similar. */
  meant(wanted: Wanted, from: LintObject): string | null;
  isGenerated(wanted: Wanted): boolean;
  ofKind(group: string, kind: string, from: LintObject): readonly LintObject[];
}

export function indexObjects(
  all: readonly LintObject[],
  generated: readonly GeneratedObject[],
): ObjectIndex {
  const byKind = new Map<string, LintObject[]>();
  for (const object of all) {
    const key = `${groupOf(object.apiVersion)}/${object.kind}`;
    const list = byKind.get(key);
    if (list === undefined) byKind.set(key, [object]);
    else list.push(object);
  }
  const ofKind: ObjectIndex['ofKind'] = (group, kind, from) =>
    (byKind.get(`${group}/${kind}`) ?? []).filter((one) => sameNamespace(one, from));
  const findAll: ObjectIndex['findAll'] = ({ group, kind, name }, from) =>
    ofKind(group, kind, from).filter((one) => one.name === name);
  return {
    all,
    ofKind,
    isGenerated: (wanted) =>
      generated.some(({ kind, name }) => kind === wanted.kind && name === wanted.name),
    findAll,
    find: (wanted, from) => findAll(wanted, from)[0],
    meant: ({ group, kind, name }, from) =>
      nearName(
        name,
        ofKind(group, kind, from).map((one) => one.name),
      ),
  };
}

export function sameNamespace(one: LintObject, other: LintObject): boolean {
  return one.namespace === other.namespace || one.namespace === '' || other.namespace === '';
}

/**
 * The most similar known name; null: none is similar. Names that differ by a number or a letter, such as db-1 and db-2,
 * are not misspellings of each other.
 */
export function nearName(written: string, known: readonly string[]): string | null {
  const parts = written.split(/[-.]/u);
  const candidates = known.filter((name) => {
    if (digitsOf(name) !== digitsOf(written)) return false;
    const others = name.split(/[-.]/u);
    if (others.length !== parts.length) return true;
    return parts.every((part, index) => {
      const other = others[index] ?? '';
      return part === other || Math.min(part.length, other.length) >= TYPO_LENGTH_MIN;
    });
  });
  return nearestWord(written, candidates);
}

const TYPO_LENGTH_MIN = 3;

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, '');
