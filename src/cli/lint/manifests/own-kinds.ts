/**
 * Validates objects of Lifehook's kinds as the webhook does, and reports objects of other products that need a
 * conversion. Pure.
 */
import type { JsonObject } from '../../../kube/object.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { API_VERSION } from '../../../model/api-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { manifestConversions, manifestRules } from '../../lifecycle-manifests.ts';
import { findingOf, type LintObject } from './lint-object.ts';
import { problemsOf } from './server-findings.ts';

const VALIDATORS: Readonly<Record<string, (object: JsonObject) => Findings>> = Object.fromEntries(
  Object.values(manifestRules).flatMap(({ validators = {} }) => Object.entries(validators)),
);

export function isOwn({ apiVersion, kind }: LintObject): boolean {
  return apiVersion === API_VERSION && Object.hasOwn(VALIDATORS, kind);
}

export function checkOwn(object: LintObject): readonly Problem[] {
  const findings = VALIDATORS[object.kind]?.(object.value);
  return findings === undefined ? [] : problemsOf(object, findings);
}

/** The problem of an object of another product, whose hooks Lifehook does not run. */
export function checkForeign(object: LintObject): readonly Problem[] {
  if (!isOfOtherProduct(object)) return [];
  return [
    findingOf(object, {
      code: 'LHG066',
      severity: 'warning',
      path: ['kind'],
      message: 'it belongs to another product, and Lifehook runs none of its hooks.',
      next: 'Run `lifehook convert` on the file.',
    }),
  ];
}

export function isOfOtherProduct({ value }: LintObject): boolean {
  const conversions = Object.values(manifestConversions).flat();
  return conversions.some(({ isConvertible }) => isConvertible(value));
}
