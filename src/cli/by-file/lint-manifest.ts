/**
 * Everything that is wrong with the hooks of a manifest, without a cluster: of pods, of our kinds as the webhook would
 * judge them, of a DeploymentLifecycle against the Deployment beside it, and what has to be converted first. Pure.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { fieldProblemMessage } from '../../controller/definitions/field-problem.ts';
import type { Findings } from '../../controller/definitions/schema-problems.ts';
import type { JsonObject } from '../../kube/object.ts';
import type { DeploymentLifecycle } from '../../lifecycles/rollout/kinds.ts';
import { checkAgainstDeployment } from '../../lifecycles/rollout/schema/check-against-deployment.ts';
import { validateLifecycle } from '../../lifecycles/rollout/schema/validate.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import {
  validateHook,
  type ValidateInput,
  validateSnapshot,
  validateTemplate,
} from '../../lifecycles/snapshot/schema/validate.ts';
import { lintManifest as lintPods } from '../../lifecycles/pod/lint/lint.ts';
import { type LocatedDocument, readDocuments } from '../../model/located-document.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { asFields, asText } from '../convert/conversion.ts';
import { isDeploymentConfig } from '../convert/deployment-config.ts';
import { isForeignHook, isHookedSnapshot } from '../convert/execution-hook.ts';

export function lintManifest(file: string, text: string): readonly Problem[] {
  const { documents } = readDocuments(file, text, 'kubectl');
  const settings = { serverMinor: null, drainSeconds: null };
  return [
    ...lintPods(file, text, settings).problems,
    ...documents.flatMap((document) => [
      ...problemsOf(document, judged(document.value)),
      ...problemsOf(document, besideDeployment(document.value, documents)),
      ...unconverted(document),
    ]),
  ];
}

const NOTHING: Findings = { errors: [], warnings: [] };

function judged(value: unknown): Findings {
  const object = asFields(value) as unknown as JsonObject;
  if (object['apiVersion'] !== 'lifehook.dev/v1alpha1') return NOTHING;
  return VALIDATORS[asText(object['kind'])]?.({ object, resolveRecipe }) ?? NOTHING;
}

const VALIDATORS: Readonly<Record<string, (input: ValidateInput) => Findings>> = {
  ExecutionHook: validateHook,
  ExecutionHookTemplate: validateTemplate,
  ApplicationSnapshot: validateSnapshot,
  DeploymentLifecycle: validateLifecycle,
};

/** Only of a lifecycle that is right in itself: the rest would follow from what is wrong with it. */
function besideDeployment(value: unknown, documents: readonly LocatedDocument[]): Findings {
  const { kind, metadata, spec } = asFields(value);
  if (kind !== 'DeploymentLifecycle' || judged(value).errors.length > 0) return NOTHING;
  const namespace = asFields(metadata)['namespace'];
  const found = documents.find((other) => {
    const fields = asFields(other.value);
    const { name, namespace: theirs } = asFields(fields['metadata']);
    const isNamed = name === asFields(spec)['deploymentName'] && theirs === namespace;
    return fields['kind'] === 'Deployment' && isNamed && hasTemplate(fields);
  });
  if (found === undefined) return NOTHING;
  const lifecycle = value as DeploymentLifecycle;
  return checkAgainstDeployment(lifecycle, found.value as Deployment);
}

function hasTemplate(deployment: Readonly<Record<string, unknown>>): boolean {
  const template = asFields(asFields(deployment['spec'])['template']);
  return Array.isArray(asFields(template['spec'])['containers']);
}

function problemsOf(document: LocatedDocument, { errors, warnings }: Findings): Problem[] {
  return [
    ...errors.map((problem) => ({
      code: 'LHG064',
      severity: 'error' as const,
      at: placeOf(document, problem.field),
      message: `It would be refused: ${fieldProblemMessage(problem)}.`,
      next: 'Correct this field; docs/reference has all of them.',
    })),
    ...warnings.map((warning) => ({
      code: 'LHG065',
      severity: 'warning' as const,
      at: placeOf(document, FIELD.exec(warning)?.groups?.['field'] ?? ''),
      message: `${warning}.`,
      next: 'Correct it where it is not meant.',
    })),
  ];
}

/** Of a warning: it begins with its field, or names one that is not known. */
const FIELD = /^(?:unknown field ")?(?<field>[\w.[\]]+)[":]/;

function placeOf(document: LocatedDocument, field: string): Position {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  return document.positionOf(steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

function unconverted(document: LocatedDocument): Problem[] {
  const fields = asFields(document.value);
  if (![isDeploymentConfig, isForeignHook, isHookedSnapshot].some((is) => is(fields))) return [];
  const kind = asText(fields['kind']);
  return [
    {
      code: 'LHG066',
      severity: 'warning',
      at: document.positionOf(['kind']),
      message: `No hook of this ${kind} runs: it is of another product.`,
      next: 'Run `lifehook convert` on the file.',
    },
  ];
}
