/** Checks objects of the snapshot kinds in manifests, by themselves and together with other objects. Pure. */
import { numberAt, objectsAt, textAt, fieldsAt, listAt } from '../../kube/fields.ts';
import { DEFAULT_CUT_DEADLINE_SECONDS } from '../../lifecycles/snapshot/names.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import { validateRestore } from '../../lifecycles/snapshot/restore/check-spec.ts';
import { CONTAINER_NAME_KEY } from '../../lifecycles/snapshot/schema/check-targets.ts';
import {
  validateGuard,
  validateHook,
  validateSchedule,
  validateSnapshot,
  validateTemplate,
} from '../../lifecycles/snapshot/schema/validate.ts';
import { GROUP } from '../../model/api-version.ts';
import type { DocumentPath } from '../../model/located-document.ts';
import type { Problem } from '../../model/problem.ts';
import type { ManifestConversion } from '../convert/conversion.ts';
import { findingOf, type LintObject, titleOf } from '../lint/manifests/lint-object.ts';
import type { ManifestRules, PodSelector } from '../lint/manifests/manifest-rules.ts';
import type { ObjectIndex } from '../lint/manifests/object-index.ts';
import { convertHook, convertSnapshot, isForeignHook, isHookedSnapshot } from './execution-hook.ts';

export const manifestRules: ManifestRules = {
  validators: {
    ExecutionHook: (object) => validateHook({ object, resolveRecipe }),
    ExecutionHookTemplate: (object) => validateTemplate({ object, resolveRecipe }),
    ApplicationSnapshot: (object) => validateSnapshot({ object, resolveRecipe }),
    SnapshotSchedule: (object) => validateSchedule({ object, resolveRecipe }),
    SnapshotGuard: (object) => validateGuard({ object, resolveRecipe }),
    SnapshotRestore: (object) => validateRestore({ object, resolveRecipe }),
  },
  checkTogether: checkCutDeadline,
  selectorsOf,
};

export const manifestConversions: readonly ManifestConversion[] = [
  { isConvertible: isForeignHook, convert: convertHook },
  { isConvertible: isHookedSnapshot, convert: convertSnapshot },
];

function selectorsOf({ kind, value }: LintObject): readonly PodSelector[] {
  const spec = fieldsAt(value['spec']);
  switch (kind) {
    case 'ExecutionHook':
      return [selectorIn(spec, ['spec'])];
    case 'SnapshotGuard':
      return selectorsIn(spec, ['spec']);
    default:
      return snapshotSpecs(value, kind).flatMap((one) => selectorsIn(one.spec, one.path));
  }
}

/** The spec of an ApplicationSnapshot, or of the snapshots of a SnapshotSchedule; empty: the kind is another one. */
function snapshotSpecs(
  value: LintObject['value'],
  kind: string,
): readonly { readonly spec: PodSelector['holder']; readonly path: DocumentPath }[] {
  const spec = fieldsAt(value['spec']);
  if (kind === 'ApplicationSnapshot') return [{ spec, path: ['spec'] }];
  if (kind !== 'SnapshotSchedule') return [];
  const path = ['spec', 'snapshotTemplate', 'spec'];
  return [{ spec: fieldsAt(value, ...path), path }];
}

function selectorsIn(spec: PodSelector['holder'], path: DocumentPath): readonly PodSelector[] {
  return listAt(spec['executionHookInfos']).map((info, index) =>
    selectorIn(fieldsAt(info), [...path, 'executionHookInfos', index]),
  );
}

function selectorIn(holder: PodSelector['holder'], path: DocumentPath): PodSelector {
  const name = textAt(fieldsAt(holder['containerSelector'])[CONTAINER_NAME_KEY]);
  const container = { name, path: [...path, 'containerSelector', CONTAINER_NAME_KEY] };
  return { holder, path, field: 'podSelector', container };
}

/** Warns if a thaw may start before the deadline of the cut, because the snapshot would then be inconsistent. */
function checkCutDeadline(object: LintObject, index: ObjectIndex): readonly Problem[] {
  return snapshotSpecs(object.value, object.kind).flatMap(({ spec, path }) => {
    const cut = numberAt(spec, 'cutDeadlineSeconds') ?? DEFAULT_CUT_DEADLINE_SECONDS;
    return objectsAt(spec, 'executionHookInfos').flatMap((info, at) => {
      const name = textAt(info, 'executionHookTemplateName');
      const wanted = { group: GROUP, kind: 'ExecutionHookTemplate', name };
      const template = index.find(wanted, object);
      const seconds = numberAt(template?.value, 'expirationSeconds');
      if (template === undefined || seconds === undefined || seconds >= cut) return [];
      return [
        findingOf(object, {
          code: 'LHM016',
          severity: 'warning',
          path: [...path, 'executionHookInfos', at, 'executionHookTemplateName'],
          message: `the ${titleOf(template)} thaws ${seconds} s after its preAction begins (expirationSeconds), but the cut may take ${cut} s (cutDeadlineSeconds).`,
          next: `Raise expirationSeconds of the template to ${cut} or more, or lower cutDeadlineSeconds.`,
        }),
      ];
    });
  });
}
