/** Runs a step on the real server, and the same step by our functions on the object that the server had before. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { applyServerSide } from '../../src/objects/ownership/apply.ts';
import { conflictCauses } from '../../src/objects/ownership/change-owners.ts';
import { recordUpdate } from '../../src/objects/ownership/update.ts';
import { applyJsonPatch } from '../../src/objects/patch/json-patch.ts';
import { applyMergePatch } from '../../src/objects/patch/merge-patch.ts';
import type { PatchResult } from '../../src/objects/patch/patch-result.ts';
import { applyStrategicMerge } from '../../src/objects/patch/strategic-merge.ts';
import { builtinType } from '../../src/objects/table/builtin-type.ts';
import type { TypeNode } from '../../src/objects/type-node.ts';
import { EXAMPLE_API_VERSION, exampleType } from './apply-examples.ts';
import type { Script, Step } from './apply-steps.ts';

/** Milliseconds to wait until controllers have reacted to a change. */
const SETTLE_TIMEOUT_MS = 60_000;
const SETTLE_POLL_MS = 100;

/** Maximum number of dry runs, each of which may conflict with a write of a controller. */
const MAX_TRIES = 10;

export interface Place {
  readonly client: KubeClient;
  readonly kind: Script['kind'];
  readonly namespace: string;
  readonly name: string;
}

/** The object, or the server's error. */
export type Answer =
  | { readonly object: JsonObject }
  | { readonly code: number; readonly message: string; readonly causes: readonly Json[] };

const PLURALS = {
  ConfigMap: 'configmaps',
  Deployment: 'deployments',
  Service: 'services',
  Pod: 'pods',
  Example: 'examples',
} as const;

const CONTENT_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

const API_VERSIONS: Readonly<Record<Script['kind'], string>> = {
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  Service: 'v1',
  Pod: 'v1',
  Example: EXAMPLE_API_VERSION,
};

function typeOf(kind: Script['kind']): TypeNode {
  const type =
    kind === 'Example'
      ? exampleType()
      : builtinType(kind === 'Deployment' ? 'apps' : '', 'v1', kind);
  if (type === undefined) throw new Error(`no type for ${kind}`);
  return type;
}

function collectionOf({ kind, namespace }: Place): string {
  const version = API_VERSIONS[kind];
  const api = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return `${api}/namespaces/${namespace}/${PLURALS[kind]}`;
}

/** Reads the object once controllers have seen it and write no more; undefined if it does not exist. */
export async function readSettled(place: Place): Promise<JsonObject | undefined> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  let last: JsonObject | undefined;
  while (performance.now() < deadline) {
    const object = await readObject(place);
    if (object === undefined || place.kind !== 'Deployment') return object;
    if (isSeen(object) && versionOf(object) === versionOf(last)) return object;
    last = object;
    await pause(SETTLE_POLL_MS);
  }
  throw new Error(`${place.kind} ${place.name} did not come to rest`);
}

async function readObject(place: Place): Promise<JsonObject | undefined> {
  try {
    const path = `${collectionOf(place)}/${place.name}`;
    return (await place.client.raw({ method: 'GET', path })) as JsonObject;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

/** Whether the controllers have seen the newest Deployment, and have created and deleted its pods. */
function isSeen({ metadata, spec, status }: JsonObject): boolean {
  const { generation } = metadata as JsonObject;
  const {
    observedGeneration,
    replicas = 0,
    updatedReplicas = 0,
    terminatingReplicas = 0,
  } = status as JsonObject;
  const { replicas: wanted } = spec as JsonObject;
  const counts = [replicas, updatedReplicas];
  return (
    generation === observedGeneration &&
    counts.every((count) => count === wanted) &&
    terminatingReplicas === 0
  );
}

export function versionOf(object: JsonObject | undefined): Json | undefined {
  return (object?.['metadata'] as JsonObject | undefined)?.['resourceVersion'];
}

/** The object with the apiVersion, kind, name and namespace that a client sends. */
export function sent(place: Place, object: JsonObject): JsonObject {
  const { kind, name, namespace } = place;
  const metadata = { ...(object['metadata'] as JsonObject | undefined), name, namespace };
  return { apiVersion: API_VERSIONS[kind], kind, ...object, metadata };
}

export async function playReal(
  place: Place,
  step: Step,
  live: JsonObject | undefined,
): Promise<Answer> {
  const path = `${collectionOf(place)}/${place.name}`;
  const query = { fieldManager: step.by };
  switch (step.do) {
    case 'create':
      return ask(place, {
        method: 'POST',
        path: collectionOf(place),
        query,
        body: sent(place, step.object),
      });
    case 'replace':
      return ask(place, { method: 'PUT', path, query, body: step.change(live ?? {}) });
    case 'patch':
      return ask(place, {
        method: 'PATCH',
        path,
        query,
        body: step.body,
        contentType: CONTENT_TYPES[step.type],
      });
    case 'apply':
      return ask(place, {
        method: 'PATCH',
        path,
        query: { ...query, force: String(step.force === true) },
        body: sent(place, step.object),
        contentType: 'application/apply-patch+yaml',
      });
    default:
      return step satisfies never;
  }
}

async function ask({ client }: Place, request: Parameters<KubeClient['raw']>[0]): Promise<Answer> {
  try {
    return { object: (await client.raw(request)) as JsonObject };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const causes = (error.status.details?.causes ?? []) as readonly Json[];
    return { code: error.code, message: error.message, causes };
  }
}

/**
 * Our object as the server completes it, with defaults and other fields. It uses a dry run, and retries it while
 * controllers write the object.
 */
export async function completed(place: Place, object: JsonObject): Promise<Answer> {
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  const path = `${collectionOf(place)}/${place.name}`;
  for (let tries = 1; ; tries++) {
    const resourceVersion = versionOf(await readObject(place)) ?? '';
    const body = { ...object, metadata: { ...metadata, resourceVersion } };
    const answer = await ask(place, { method: 'PUT', path, query: { dryRun: 'All' }, body });
    if ('object' in answer || answer.code !== 409 || tries === MAX_TRIES) return answer;
  }
}

/** Result of our functions for the step. Its `managedFields` are the owners that they record. */
export function playOurs(
  place: Place,
  step: Step,
  context: {
    readonly live: JsonObject | undefined;
    readonly after: JsonObject | undefined;
    readonly now: string;
  },
): Answer {
  const { live, after, now } = context;
  const type = typeOf(place.kind);
  const common = {
    live,
    type,
    manager: step.by,
    apiVersion: API_VERSIONS[place.kind],
    now,
    subresource: '',
  } as const;
  if (step.do === 'apply') {
    const applied = sent(place, step.object);
    const result = applyServerSide({
      ...common,
      applied,
      kind: place.kind,
      force: step.force === true,
    });
    if (result.kind === 'applied') return { object: result.object };
    if (result.kind === 'failed') return { code: result.code, message: result.message, causes: [] };
    return {
      code: 409,
      message: '',
      causes: conflictCauses(result.conflicts).map((cause) => ({ ...cause })),
    };
  }
  const written = writeOurs(place, step, { live, type });
  if (written.kind === 'failed')
    return { code: written.code, message: written.message, causes: [] };
  // The server records owners when the object has its defaults, but before other fields are filled in.
  const next = withSentOwners(after ?? {}, written.object);
  const recorded = recordUpdate({
    ...common,
    next: live === undefined ? asCreated(place.kind, next) : next,
  });
  const { managedFields } = recorded['metadata'] as JsonObject;
  const metadata = {
    ...(written.object['metadata'] as JsonObject),
    managedFields: managedFields ?? [],
  };
  return { object: { ...written.object, metadata } };
}

function writeOurs(
  place: Place,
  step: Exclude<Step, { do: 'apply' }>,
  { live = {}, type }: { readonly live: JsonObject | undefined; readonly type: TypeNode },
): PatchResult {
  if (step.do === 'create') return { kind: 'patched', object: sent(place, step.object) };
  if (step.do === 'replace') return { kind: 'patched', object: step.change(live) };
  switch (step.type) {
    case 'json':
      return applyJsonPatch(live, step.body);
    case 'merge':
      return applyMergePatch(live, step.body);
    case 'strategic':
      return applyStrategicMerge({ document: live, patch: step.body, type });
    default:
      return step.type satisfies never;
  }
}

function withSentOwners(after: JsonObject, written: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = after['metadata'] as JsonObject;
  const wanted = (written['metadata'] as JsonObject)['managedFields'];
  return {
    ...after,
    metadata: wanted === undefined ? metadata : { ...metadata, managedFields: wanted },
  };
}

const FILLED_IN_LATER: Readonly<Record<Script['kind'], readonly string[]>> = {
  ConfigMap: [],
  Deployment: [],
  Service: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
  Example: [],
  Pod: ['serviceAccount', 'serviceAccountName', 'priority', 'preemptionPolicy', 'tolerations'],
};

function asCreated(kind: Script['kind'], object: JsonObject): JsonObject {
  const spec = object['spec'] as JsonObject | undefined;
  if (spec === undefined || kind === 'Example') return object;
  const kept = Object.entries(spec).filter(([name]) => !FILLED_IN_LATER[kind].includes(name));
  const isToken = (part: Json): boolean => JSON.stringify(part).includes('kube-api-access-');
  const text = JSON.stringify(Object.fromEntries(kept), (name, value: Json) =>
    (name === 'volumes' || name === 'volumeMounts') && Array.isArray(value)
      ? nonEmpty(value.filter((part) => !isToken(part)))
      : value,
  );
  return { ...object, spec: JSON.parse(text) as JsonObject, status: {} };
}

function nonEmpty(list: Json[]): Json[] | undefined {
  return list.length === 0 ? undefined : list;
}
