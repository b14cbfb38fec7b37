/**
 * Builds the controller's write to a Deployment: a JSON patch that the server rejects if anything has changed since the
 * read (ROLL-E21). It proves to the webhook that the controller sent it. Pure.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { Json, JsonObject } from '../../../kube/object.ts';
import type { PatchOperation } from '../gate/gated-fields.ts';
import type { ProveWrite } from '../gate/write-proof.ts';
import { GATED, ROLLOUT, WRITE_PROOF } from '../names.ts';
import type { DeploymentChange } from './step.ts';

export function changePatch(
  deployment: Deployment,
  change: DeploymentChange,
  prove: ProveWrite | null,
): PatchOperation[] {
  const { template, paused, replicas, labelled } = change;
  const operations: PatchOperation[] = [
    ...tests(deployment),
    put('/metadata/annotations', annotated(deployment, change)),
    ...(labelled === undefined ? [] : [put('/metadata/labels', labels(deployment, labelled))]),
    ...(template === undefined ? [] : [put('/spec/template', asJson(template))]),
    ...(paused === undefined ? [] : [put('/spec/paused', paused)]),
    ...(replicas === undefined ? [] : [put('/spec/replicas', replicas)]),
  ];
  return provenPatch(deployment, operations, prove);
}

/** The operations, and one that adds the proof of their result. They include one that sets all annotations. */
export function provenPatch(
  deployment: Deployment,
  operations: readonly PatchOperation[],
  prove: ProveWrite | null,
): PatchOperation[] {
  if (prove === null) return [...operations];
  const proof = prove({ old: deployment, object: resultOf(deployment, operations) });
  return [...operations, put(`/metadata/annotations/${WRITE_PROOF.replace('/', '~1')}`, proof)];
}

/** The Deployment after operations, each of which sets a whole part of `metadata` or `spec`. */
export function resultOf(
  { metadata, spec }: Deployment,
  operations: readonly PatchOperation[],
): Deployment {
  const parts: Record<string, Json> = {};
  for (const { op, path, value } of operations) {
    if (op === 'add' && value !== undefined) parts[path] = value;
  }
  const within = (parent: string): JsonObject =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([path, value]) => {
        const [, part, name = '', ...deeper] = path.split('/');
        return part === parent && deeper.length === 0 ? [[name, value]] : [];
      }),
    );
  return {
    metadata: { ...metadata, ...within('metadata') },
    spec: { selector: {}, template: {}, ...spec, ...within('spec') },
  };
}

function tests({ metadata }: Deployment): PatchOperation[] {
  const number = metadata?.annotations?.[ROLLOUT];
  const ofNumber = `/metadata/annotations/${ROLLOUT.replace('/', '~1')}`;
  return [
    { op: 'test', path: '/metadata/resourceVersion', value: metadata?.resourceVersion ?? '' },
    ...(number === undefined ? [] : [{ op: 'test', path: ofNumber, value: number } as const]),
  ];
}

function put(path: string, value: Json): PatchOperation {
  return { op: 'add', path, value };
}

function annotated(
  { metadata }: Deployment,
  { annotations = {} }: DeploymentChange,
): Record<string, string> {
  const { [WRITE_PROOF]: _, ...before } = metadata?.annotations ?? {};
  const changed = { ...before, ...annotations };
  return Object.fromEntries(
    Object.entries(changed).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function labels({ metadata }: Deployment, labelled: boolean): Record<string, string> {
  const { [GATED]: value = '', ...others } = metadata?.labels ?? {};
  return labelled ? { ...others, [GATED]: value } : others;
}

/** The value is JSON, because it came from the API. */
function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
