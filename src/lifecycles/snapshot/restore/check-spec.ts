/** The rules for the spec of a SnapshotRestore that its schema cannot express. Pure. */
import { checkObjectName, checkOnce } from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import { checkHook } from './check-hook.ts';
import type { ClaimSettings, RestoreStage, SnapshotRestoreSpec } from './kinds.ts';
import { type Findings, judge } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { ValidateInput } from '../schema/validate.ts';
import { restoreSpecSchema } from './spec-schema.ts';

const ACCESS_MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];
export const STAGES: readonly RestoreStage[] = ['preRestore', 'postRestore', 'verify'];

export function checkRestoreSpec(
  spec: SnapshotRestoreSpec,
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  const { source, claims = [], storageClassName, accessModes } = spec;
  return [
    ...checkSource(source),
    ...claims.flatMap((claim, index) => checkClaim(`spec.claims[${index}]`, claim)),
    ...checkOnce(
      claims.map(({ sourceClaimName }) => sourceClaimName),
      (index) => `spec.claims[${index}].sourceClaimName`,
    ),
    ...checkClass('spec.storageClassName', storageClassName),
    ...checkModes('spec.accessModes', accessModes),
    ...checkHooks(spec, resolveRecipe),
  ];
}

export const NO_CHECK =
  'give at least one check: a rehearsal without a check proves nothing about the copy';

function checkSource({
  applicationSnapshotName: application,
  volumeSnapshotNames: names,
}: SnapshotRestoreSpec['source']): FieldProblem[] {
  const at = 'spec.source';
  if ((application === undefined) === (names === undefined)) {
    const detail = 'give exactly one of applicationSnapshotName and volumeSnapshotNames';
    return names === undefined
      ? [required(at, detail)]
      : [forbidden(`${at}.volumeSnapshotNames`, `${detail}: remove one of them`)];
  }
  if (application !== undefined) {
    return checkObjectName(`${at}.applicationSnapshotName`, application, 'the ApplicationSnapshot');
  }
  const place = (index: number): string => `${at}.volumeSnapshotNames[${index}]`;
  const all = names ?? [];
  return [
    ...all.flatMap((name, index) => checkObjectName(place(index), name, 'the VolumeSnapshot')),
    ...checkOnce(all, place),
  ];
}

function checkClaim(field: string, claim: ClaimSettings): FieldProblem[] {
  const { sourceClaimName, claimName, storageClassName, accessModes, size } = claim;
  const problems = checkObjectName(`${field}.sourceClaimName`, sourceClaimName, 'the source claim');
  if (claimName !== undefined) {
    problems.push(...checkObjectName(`${field}.claimName`, claimName, 'the new claim'));
  }
  if (size !== undefined && !((parseQuantity(size)?.nanos ?? 0n) > 0n)) {
    problems.push(invalid(`${field}.size`, size, 'must be a quantity above 0, such as 10Gi'));
  }
  return [
    ...problems,
    ...checkClass(`${field}.storageClassName`, storageClassName),
    ...checkModes(`${field}.accessModes`, accessModes),
  ];
}

function checkClass(field: string, name: string | undefined): FieldProblem[] {
  return name === undefined ? [] : checkObjectName(field, name, 'the storage class');
}

function checkModes(field: string, modes: readonly string[] = []): FieldProblem[] {
  return modes.flatMap((mode, index) =>
    ACCESS_MODES.includes(mode)
      ? []
      : [invalid(`${field}[${index}]`, mode, `must be one of ${ACCESS_MODES.join(', ')}`)],
  );
}

const NO_STOP = 'a rehearsal must not stop the application: remove this hook, or scratch';

function checkHooks(spec: SnapshotRestoreSpec, resolveRecipe: ResolveRecipe): FieldProblem[] {
  const named = STAGES.flatMap((stage) =>
    (spec[stage] ?? []).map((hook, index) => ({ hook, stage, field: `spec.${stage}[${index}]` })),
  );
  const stops = spec.scratch === true ? named.filter(({ hook }) => hook.scale !== undefined) : [];
  return [
    ...stops.map(({ field }) => forbidden(`${field}.scale`, NO_STOP)),
    ...named.flatMap(({ hook, stage, field }) => checkHook(hook, { field, stage, resolveRecipe })),
    ...checkOnce(
      named.map(({ hook }) => hook.name),
      (index) => `${named[index]?.field ?? ''}.name`,
    ),
  ];
}

const UNCHANGED = 'the spec of a restore never changes: create another SnapshotRestore';

/** Validates a SnapshotRestore for the webhook: its schema, its rules, and that its spec never changes. */
export function validateRestore({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined) {
    const same = sameJson(before['spec'], object['spec']);
    return { errors: same ? [] : [forbidden('spec', UNCHANGED)], warnings: [] };
  }
  return judgeRestoreSpec(object['spec'], resolveRecipe);
}

/** The controller calls this function too, since the webhook may not have run. */
export function judgeRestoreSpec(value: unknown, resolveRecipe: ResolveRecipe): Findings {
  const check = (spec: SnapshotRestoreSpec): FieldProblem[] =>
    checkRestoreSpec(spec, resolveRecipe);
  return judge(restoreSpecSchema, { field: 'spec', value }, { check, warn: warnings });
}

function warnings({ verify = [], requiredVerdict }: SnapshotRestoreSpec): string[] {
  return [
    ...(verify.length > 0 ? [] : ['spec.verify: without a check, the copy is not verified']),
    ...(requiredVerdict === 'Any'
      ? ['spec.requiredVerdict: Any restores a snapshot of unknown consistency']
      : []),
  ];
}
