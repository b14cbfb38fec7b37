/** Names that resolve to no object of the files, or to one without the key that is asked for. Pure. */
import { fieldsAt, textAt } from '../../../kube/fields.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Problem } from '../../../model/problem.ts';
import { shownPath } from '../../convert/conversion.ts';
import { findingOf, type LintObject, titleOf } from './lint-object.ts';
import type { ObjectIndex } from './object-index.ts';
import { type Reference, referencesOf } from './references.ts';

/** `strict`: all objects are among the files, so that what is not there is nowhere. */
export function checkReferences(
  object: LintObject,
  index: ObjectIndex,
  strict: boolean,
): readonly Problem[] {
  return referencesOf(object).flatMap((reference) => {
    const found = index.find(reference, object);
    if (found !== undefined) return missingKey(object, reference, found);
    if (index.isGenerated(reference) || isByTemplate(reference, object, index)) return [];
    return [unresolved(object, reference, { meant: index.meant(reference, object), strict })];
  });
}

/** A claim of a StatefulSet has the name of the template, of the set, and a number. */
function isByTemplate({ kind, name }: Reference, object: LintObject, index: ObjectIndex): boolean {
  if (kind !== 'PersistentVolumeClaim') return false;
  return index.ofKind('apps', 'StatefulSet', object).some((set) => {
    const templates = fieldsAt(set.value, 'spec')['volumeClaimTemplates'];
    if (!Array.isArray(templates)) return false;
    return templates.some((one) => {
      const prefix = `${textAt(one, 'metadata', 'name')}-${set.name}-`;
      return name.startsWith(prefix) && /^\d+$/u.test(name.slice(prefix.length));
    });
  });
}

function unresolved(
  object: LintObject,
  { kind, name, path }: Reference,
  { meant, strict }: { readonly meant: string | null; readonly strict: boolean },
): Problem {
  return findingOf(object, {
    code: meant === null ? 'LHM011' : 'LHM010',
    severity: meant === null && !strict ? 'warning' : 'error',
    path,
    message: `${shownPath(path)} names the ${kind} ${JSON.stringify(name)}, which is not among the files.`,
    next:
      meant === null
        ? `Add it to the files, or see that it is on the cluster before this ${object.kind}.`
        : `Did you mean ${JSON.stringify(meant)}?`,
  });
}

function missingKey(object: LintObject, reference: Reference, found: LintObject): Problem[] {
  const { key, path } = reference;
  if (key === undefined || !['ConfigMap', 'Secret'].includes(found.kind)) return [];
  const keys = ['data', 'stringData', 'binaryData'].flatMap((field) =>
    Object.keys(fieldsAt(found.value, field)),
  );
  if (keys.includes(key)) return [];
  const near = nearestWord(key, keys);
  const at = [...path.slice(0, -1), 'key'];
  return [
    findingOf(object, {
      code: 'LHM012',
      severity: 'error',
      path: at,
      message: `${shownPath(at)} is ${JSON.stringify(key)}, and the ${titleOf(found)} has no such key.`,
      next:
        near === null
          ? `Its keys: ${keys.join(', ') || 'none'}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    }),
  ];
}
