/** The webhooks of the rollout lifecycle by path. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import {
  type AdmissionRequest,
  ALLOWED,
  type Verdict,
} from '../../../controller/admission/admission-review.ts';
import type { AdmissionRoutes } from '../../../controller/admission/admission-service.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { GATE_PATHS } from './gate-configurations.ts';
import { gateStateOf } from './gate-state.ts';
import {
  type LifecycleContext,
  judgeDeployment,
  judgeLifecycle,
  judgeScale,
  needsIncumbent,
} from './judge.ts';
import type { DeploymentKey, GateLookups } from './lookups.ts';
import { type AuthorWorld, proveChange, reviewCreation } from './review-authors.ts';
import { reviewSet } from './review-sets.ts';
import { type GateInput, stamp } from './stamp.ts';
import type { IsProven } from './write-proof.ts';

export interface GateWorld {
  readonly isProven: IsProven;
  readonly lookups: GateLookups;
  readonly authors: AuthorWorld;
}

export function gateRoutes(world: GateWorld): AdmissionRoutes {
  return {
    [GATE_PATHS.mutate]: async (request, signal) => {
      const input = await inputOf(world, request, signal);
      return input === null ? ALLOWED : { allowed: true, ...stamp(input) };
    },
    [GATE_PATHS.validate]: async (request, signal) => {
      const input = await inputOf(world, request, signal);
      return input === null ? ALLOWED : judgeDeployment(input);
    },
    [GATE_PATHS.scale]: (request, signal) => scaled(world, request, signal),
    [GATE_PATHS.sets]: (request, signal) => reviewSet(world.lookups, request, signal),
    [GATE_PATHS.kinds]: (request, signal) => written(world, request, signal),
    [GATE_PATHS.authors]: (request, signal) => reviewCreation(world.authors, request, signal),
    [GATE_PATHS.changes]: (request, signal) => proveChange(world.authors, request, signal),
  };
}

/** null: the request is not about a Deployment. */
async function inputOf(
  { isProven, lookups }: GateWorld,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<GateInput | null> {
  const { kind, subResource = '' } = request;
  if (request.object === null || kind.kind !== 'Deployment' || subResource !== '') return null;
  const object = request.object as unknown as Deployment;
  const old = (request.oldObject ?? null) as unknown as Deployment | null;
  return {
    object,
    old,
    isProven: old !== null && isProven({ old, object }),
    isNamed: needsNamingLifecycle(object, old)
      ? await lookups.isNamed(keyOf(request), signal)
      : null,
  };
}

/** The key of the Deployment. A generated name is not known yet, and no lifecycle can name such a Deployment. */
function keyOf({ namespace = '', name = '' }: AdmissionRequest): DeploymentKey {
  return { namespace, name };
}

/**
 * True: the Deployment is created without the label, or the label is removed. It then has to be looked up whether a
 * lifecycle names the Deployment.
 */
function needsNamingLifecycle(object: Deployment, old: Deployment | null): boolean {
  if (gateStateOf(object).labelled) return false;
  return old === null || gateStateOf(old).labelled;
}

async function scaled(
  { lookups }: GateWorld,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<Verdict> {
  const { replicas = 0 } = (request.object?.['spec'] ?? {}) as { replicas?: number };
  const deployment = await lookups.gatedDeployment(keyOf(request), signal);
  return judgeScale({ replicas, deployment });
}

async function written(
  { lookups }: GateWorld,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<Verdict> {
  const { kind, oldObject = null, namespace = '', subResource = '' } = request;
  const object = request.object ?? oldObject;
  if (kind.kind !== 'DeploymentLifecycle' || object === null || subResource !== '') return ALLOWED;
  const key = { namespace, name: deploymentNameOf(object) };
  return judgeLifecycle(request, await lifecycleContext(lookups, { request, key }, signal));
}

async function lifecycleContext(
  lookups: GateLookups,
  { request, key }: { readonly request: AdmissionRequest; readonly key: DeploymentKey },
  signal: CancelSignal,
): Promise<LifecycleContext> {
  const deployment = key.name === '' ? null : await lookups.deployment(key, signal);
  const isAsked = deployment !== null && needsIncumbent(request);
  return { deployment, incumbent: isAsked ? await lookups.incumbent(key, signal) : null };
}

/** The name of the Deployment, read from an object that is not validated yet. */
function deploymentNameOf(object: JsonObject): string {
  const { spec } = object as unknown as Partial<DeploymentLifecycle>;
  const name: unknown = spec?.deploymentName;
  return typeof name === 'string' ? name : '';
}
