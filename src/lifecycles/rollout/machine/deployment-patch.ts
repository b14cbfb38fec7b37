/**
 * One write of ours to a Deployment, as a JSON patch that the server refuses if anything has changed since the read
 * (ROLL-E21), and that proves to the webhook that it is ours. Pure.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { Json } from '../../../kube/object.ts';
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
  return [
    ...tests(deployment),
    { op: 'add', path: '/metadata/annotations', value: annotated(deployment, change, prove) },
    ...(labelled === undefined ? [] : [put('/metadata/labels', labels(deployment, labelled))]),
    ...(template === undefined ? [] : [put('/spec/template', asJson(template))]),
    ...(paused === undefined ? [] : [put('/spec/paused', paused)]),
    ...(replicas === undefined ? [] : [put('/spec/replicas', replicas)]),
  ];
}

/** Operations that replace all annotations, including the proof. */
export function provenPatch(
  { metadata }: Deployment,
  operations: readonly PatchOperation[],
  prove: ProveWrite | null,
): PatchOperation[] {
  const proof = proofFor(metadata, prove);
  const path = `/metadata/annotations/${WRITE_PROOF.replace('/', '~1')}`;
  return [...operations, ...(proof === null ? [] : [put(path, proof)])];
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
  prove: ProveWrite | null,
): Record<string, string> {
  const changed = {
    ...metadata?.annotations,
    [WRITE_PROOF]: proofFor(metadata, prove),
    ...annotations,
  };
  return Object.fromEntries(
    Object.entries(changed).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function proofFor(metadata: Deployment['metadata'], prove: ProveWrite | null): string | null {
  const { uid = '', resourceVersion = '' } = metadata ?? {};
  return prove === null ? null : prove({ uid, resourceVersion });
}

function labels({ metadata }: Deployment, labelled: boolean): Record<string, string> {
  const { [GATED]: value = '', ...others } = metadata?.labels ?? {};
  return labelled ? { ...others, [GATED]: value } : others;
}

/** The value came from the API, and is JSON. */
function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
