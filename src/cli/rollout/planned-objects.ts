/** Reads the objects of a manifest that a plan of a rollout needs. Pure. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { fieldsAt, isObject } from '../../kube/fields.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { DeploymentLifecycle } from '../../lifecycles/rollout/kinds.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { readDocuments } from '../../model/located-document.ts';
import { LifehookError } from '../../model/problem.ts';
import { objectsIn } from '../convert/conversion.ts';

interface Wanted {
  readonly name: string;
  /** Absent: the Deployment may be of any namespace. */
  readonly namespace?: string | undefined;
}

export interface PlannedObjects {
  /** null: no manifest was given. */
  readonly deployment: Deployment | null;
  /** The lifecycles of the manifest that name the Deployment. */
  readonly lifecycles: readonly DeploymentLifecycle[];
}

/** Objects without a namespace fit every namespace. */
export function plannedObjects(file: string, text: string, wanted: Wanted): PlannedObjects {
  const read = readDocuments(file === '-' ? 'stdin' : file, text, 'kubectl');
  const problems = [...read.problems, ...read.inexact];
  if (problems.length > 0) throw new LifehookError(problems);
  const objects = read.documents
    .flatMap(({ value }) => objectsIn({ value: fieldsAt(value), path: [] }))
    .map(({ value }): KubeObject => value);
  const deployment = deploymentIn(file, objects, wanted);
  const namespace = wanted.namespace ?? deployment.metadata?.namespace;
  const lifecycles = objects
    .filter(isLifecycle)
    .filter((one) => one.spec.deploymentName === wanted.name && fits(one, namespace));
  return { deployment, lifecycles };
}

function isLifecycle(object: KubeObject): object is DeploymentLifecycle {
  const { apiVersion, kind, spec } = fieldsAt(object);
  return apiVersion === API_VERSION && kind === 'DeploymentLifecycle' && isObject(spec);
}

function fits({ metadata }: KubeObject, namespace: string | undefined): boolean {
  return (metadata?.namespace ?? namespace) === (namespace ?? metadata?.namespace);
}

/** The only Deployment of the name. */
function deploymentIn(
  file: string,
  objects: readonly KubeObject[],
  { name, namespace }: Wanted,
): Deployment {
  const found = objects
    .filter(({ kind, metadata }) => kind === 'Deployment' && metadata?.name === name)
    .filter((one) => fits(one, namespace));
  const [first] = found;
  if (found.length > 1) throw severalOf(file, found, { name, namespace });
  if (first !== undefined) return first as Deployment;
  const where = namespace === undefined ? '' : ` in namespace "${namespace}"`;
  throw new LifehookError({
    code: 'LHR409',
    message: `The manifest ${file} has no Deployment "${name}"${where}.`,
    next: 'Name the Deployment of the manifest, or another file.',
  });
}

function severalOf(
  file: string,
  found: readonly KubeObject[],
  { name, namespace }: Wanted,
): LifehookError {
  const spaces = new Set(found.map(({ metadata }) => metadata?.namespace ?? namespace ?? '(none)'));
  const isOne = spaces.size === 1;
  const where = isOne
    ? ` in namespace "${[...spaces].join('')}"`
    : `: in the namespaces ${[...spaces].join(', ')}`;
  return new LifehookError({
    code: 'LHR410',
    message: `The manifest ${file} has several Deployments "${name}"${where}.`,
    next: isOne ? 'Leave only one of them in the manifest.' : 'Name one with --namespace.',
  });
}
