/** Deletes the content of terminating namespaces, and then removes their finalizer, which deletes the namespace. */
import type { Namespace } from 'kubernetes-types/core/v1.js';

import type { Condition } from '../../../../../src/controller/conditions.ts';
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import {
  done,
  type Outcome,
  type PassContext,
  requeueAfter,
} from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import { isReason, ApiError } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import {
  type Json,
  type Resource,
  type KubeObject,
  resourceName,
} from '../../../../../src/kube/object.ts';
import { objectPath, pathOf } from '../../../../../src/kube/paths.ts';
import { namespaces, pods } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { type ContentReport, isEmpty, withReport, type Remaining } from './conditions.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import type { CancelSignal } from '../../../../../src/platform/platform.ts';
import { has, readServedKinds, type ServedKind } from '../discovery/served-kinds.ts';

const FINALIZER = 'kubernetes';
/** Milliseconds until the remaining content is listed again. The deletion of a pod triggers a reconcile at once. */
const AGAIN_MS = 1_000;

/** A Namespace with the type of the conditions that this controller writes. */
type Ending = Omit<Namespace, 'status'> & {
  status?: { phase?: string; conditions?: Condition[] };
};

export function makeNamespaceController(context: ControllerContext): Controller {
  const ofNamespaces = context.informers.of(namespaces);
  return makeController({
    ...context,
    name: 'namespace',
    sources: [
      watched({ informer: ofNamespaces, keys: ownKey }),
      watched({
        informer: context.informers.of(pods),
        keys: ({ metadata }) => [metadata?.namespace ?? ''],
        when: ({ after }) => after === null,
      }),
    ],
    reconcile: async (name, pass) => {
      const cached = ofNamespaces.get(name);
      return isEnding(cached) ? endNamespace(context, name, pass) : done;
    },
  });
}

function isEnding(namespace: Namespace | undefined): boolean {
  if (namespace?.metadata?.deletionTimestamp === undefined) return false;
  return namespace.spec?.finalizers?.includes(FINALIZER) === true;
}

async function endNamespace(
  { client, platform }: ControllerContext,
  name: string,
  { signal }: PassContext,
): Promise<Outcome> {
  const report = await deleteContent({ client, namespace: name, signal });
  try {
    const reported = await reportConditions(client, {
      name,
      report,
      nowMs: platform.clock.nowMs(),
    });
    if (!isEmpty(report)) return requeueAfter(AGAIN_MS, 'something in the namespace remains');
    await dropFinalizer(client, reported);
  } catch (error) {
    // The namespace was deleted meanwhile.
    if (!isReason(error, 'NotFound')) throw error;
  }
  return done;
}

interface ConditionReport {
  readonly name: string;
  readonly report: ContentReport;
  readonly nowMs: number;
}

/**
 * Writes the conditions. Reads the namespace from the server, because the cache may lack this controller's last write.
 */
async function reportConditions(
  client: KubeClient,
  { name, report, nowMs }: ConditionReport,
): Promise<Ending> {
  const resource = namespaces as Resource as Resource<Ending>;
  const object = await client.get(resource, { name });
  const { conditions = [], ...rest } = object.status ?? {};
  const status = { ...rest, conditions: [...withReport(conditions, report, nowMs)] };
  return writeStatusIfChanged({ client, resource, object, status });
}

async function dropFinalizer(client: KubeClient, namespace: Ending): Promise<void> {
  const { metadata = {}, spec = {} } = namespace;
  const finalizers = (spec.finalizers ?? []).filter((other) => other !== FINALIZER);
  const body = {
    apiVersion: 'v1',
    kind: 'Namespace',
    ...namespace,
    spec: { ...spec, finalizers },
  } as unknown as Json;
  const path = objectPath(namespaces, { name: metadata.name ?? '', subresource: 'finalize' });
  await client.raw({ method: 'PUT', path, body });
}

interface Emptying {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly signal: CancelSignal;
}

/**
 * Empties a namespace: first its pods, each with its own grace period, then everything else. So no running pod loses
 * its network policy or its configuration.
 */
async function deleteContent(emptying: Emptying): Promise<ContentReport> {
  const { client, signal } = emptying;
  const served = await readServedKinds(client, { signal });
  const kinds = served.kinds.filter(
    (kind) => kind.resource.namespaced && has(kind, 'list') && has(kind, 'delete'),
  );
  const report = {
    discoveryFailures: served.failures,
    deletionFailures: [] as string[],
    remaining: [] as Remaining[],
  };
  const empty = async (kind: ServedKind): Promise<void> => {
    try {
      const left = await deleteKind(emptying, kind);
      if (left.count > 0) report.remaining.push(left);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A kind that was deleted meanwhile has no objects left.
      if (error.code !== 404) {
        report.deletionFailures.push(`${resourceName(kind.resource)}: ${errorText(error)}`);
      }
    }
  };
  for (const kind of kinds.filter(isPods)) await empty(kind);
  if (report.remaining.length > 0) return report;
  for (const kind of kinds) if (!isPods(kind)) await empty(kind);
  return report;
}

function isPods({ resource }: ServedKind): boolean {
  return resource.group === '' && resource.plural === 'pods';
}

async function deleteKind(emptying: Emptying, kind: ServedKind): Promise<Remaining> {
  const { resource } = kind;
  const objects = await list(emptying, resource);
  const open = objects.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  if (open.length === 0) return remainingOf(resource, objects);
  if (has(kind, 'deletecollection')) await deleteCollection(emptying, resource);
  else for (const object of open) await deleteOne(emptying, resource, object);
  return remainingOf(resource, await list(emptying, resource));
}

async function list(
  { client, namespace, signal }: Emptying,
  resource: Resource,
): Promise<readonly KubeObject[]> {
  return (await client.list(resource, { namespace, signal })).items;
}

async function deleteCollection(
  { client, namespace, signal }: Emptying,
  resource: Resource,
): Promise<void> {
  await client.raw({
    method: 'DELETE',
    path: pathOf(resource, { namespace }),
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
    signal,
  });
}

async function deleteOne(
  { client, namespace, signal }: Emptying,
  resource: Resource,
  { metadata }: KubeObject,
): Promise<void> {
  try {
    const key = { namespace, name: metadata?.name ?? '' };
    await client.delete(resource, key, { propagationPolicy: 'Background', signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
}

function remainingOf(resource: Resource, objects: readonly KubeObject[]): Remaining {
  const finalizers = objects.flatMap(({ metadata }) => metadata?.finalizers ?? []);
  return { resource, count: objects.length, finalizers };
}
