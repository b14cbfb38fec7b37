/**
 * Everything that is wrong with the hooks of a manifest, without a cluster: of pods, of our kinds as the webhook would
 * judge them, of a DeploymentLifecycle against the Deployment beside it, and what has to be converted first. Pure.
 */

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
import {
  type DocumentPath,
  type LocatedDocument,
  readDocuments,
} from '../../model/located-document.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { asFields, asText, type Fields } from '../convert/conversion.ts';
import { objectsIn } from '../convert/convert-manifest.ts';
import { isDeploymentConfig } from '../convert/deployment-config.ts';
import { isForeignHook, isHookedSnapshot } from '../convert/execution-hook.ts';

export function lintManifest(file: string, text: string): readonly Problem[] {
  const { documents } = readDocuments(file, text, 'kubectl');
  const objects = documents.flatMap((document) =>
    objectsIn({ value: asFields(document.value), path: [] }).map(({ value, path }) => ({
      value,
      positionOf: (inner: DocumentPath): Position => document.positionOf([...path, ...inner]),
    })),
  );
  const settings = { serverMinor: null, drainSeconds: null };
  return [
    ...lintPods(file, text, settings).problems,
    ...objects.flatMap((object) => [
      ...problemsOf(object, judged(object.value)),
      ...problemsOf(object, besideDeployment(object.value, objects)),
      ...unconverted(object),
    ]),
  ];
}

/** An object of the manifest, which may stand in a list. */
interface FoundObject extends LocatedDocument {
  readonly value: Fields;
}

const NOTHING: Findings = { errors: [], warnings: [] };

function judged(value: Fields): Findings {
  const object = value as unknown as JsonObject;
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
function besideDeployment(value: Fields, objects: readonly FoundObject[]): Findings {
  const { kind, metadata, spec } = value;
  if (kind !== 'DeploymentLifecycle' || judged(value).errors.length > 0) return NOTHING;
  const namespace = asFields(metadata)['namespace'];
  const found = objects.find(({ value: other }) => {
    const { name, namespace: theirs } = asFields(other['metadata']);
    const isNamed = name === asFields(spec)['deploymentName'] && theirs === namespace;
    return other['kind'] === 'Deployment' && isNamed && hasTemplate(other);
  });
  if (found === undefined) return NOTHING;
  const lifecycle = value as unknown as DeploymentLifecycle;
  return checkAgainstDeployment(lifecycle, found.value);
}

function hasTemplate(deployment: Fields): boolean {
  const template = asFields(asFields(deployment['spec'])['template']);
  return Array.isArray(asFields(template['spec'])['containers']);
}

function problemsOf(document: FoundObject, { errors, warnings }: Findings): Problem[] {
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

function placeOf(document: FoundObject, field: string): Position {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  return document.positionOf(steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

function unconverted(document: FoundObject): Problem[] {
  const fields = document.value;
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
