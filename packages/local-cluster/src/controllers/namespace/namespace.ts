/** Ends namespaces: what is in one goes first, then its finalizer, and with that the namespace. */
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
import { isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import type { Json, Resource } from '../../../../../src/kube/object.ts';
import { objectPath } from '../../../../../src/kube/paths.ts';
import { namespaces, pods } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { type ContentReport, isEmpty, withReport } from './conditions.ts';
import { deleteContent } from './delete-content.ts';

const FINALIZER = 'kubernetes';
/** Until what remains is looked for again; the end of a pod is told at once. */
const AGAIN_MS = 1_000;

/** The same kind, with conditions as this room writes them. */
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
    const told = await tell(client, { name, report, nowMs: platform.clock.nowMs() });
    if (!isEmpty(report)) return requeueAfter(AGAIN_MS, 'something in the namespace remains');
    await dropFinalizer(client, told);
  } catch (error) {
    // Gone meanwhile.
    if (!isReason(error, 'NotFound')) throw error;
  }
  return done;
}

interface Telling {
  readonly name: string;
  readonly report: ContentReport;
  readonly nowMs: number;
}

/** From the live object: the cache may not have seen what the last pass wrote. */
async function tell(client: KubeClient, { name, report, nowMs }: Telling): Promise<Ending> {
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
