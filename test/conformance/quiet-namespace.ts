/**
 * A namespace of a real cluster in which its controllers cannot write. A webhook of this process refuses their writes,
 * so all changes there are caused by the requests. Cluster-scoped objects are protected by a label. When this process
 * has exited the webhook fails open, and the controllers catch up.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { textAt } from '../../src/kube/fields.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { namespaces, serviceAccounts } from '../../src/kube/resources.ts';
import { isReason } from '../../src/kube/api-error.ts';
import { nodeFiles as files } from '../../src/platform/files.ts';
import type { HttpService, HttpServiceAnswer } from '../../src/platform/http-server.ts';
import { serviceAccount } from './play.ts';
import { apiVersionOf } from './sample.ts';
import { samples } from './suite.ts';
import { serverCertificates } from '../../src/platform/node-certificates.ts';
import { nodeHttpServer } from '../../src/platform/node-http-server.ts';

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const CONTROLLERS = 'system:serviceaccount:kube-system:';
const LABEL = 'run';

/** Attempts until the new webhook works, which takes a moment. */
const READY_TRIES = 100;
const READY_POLL_MS = 50;

export interface QuietNamespace extends AsyncDisposable {
  readonly namespace: string;
  /** Another namespace, in which the controllers work as usual. */
  readonly liveNamespace: string;
}

export async function openQuietNamespace(client: KubeClient): Promise<QuietNamespace> {
  const namespace = `conformance-${randomBytes(4).toString('hex')}`;
  const liveNamespace = `conformance-${randomBytes(4).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-conformance-'));
  const made = await serverCertificates({ files, folder, nowMs: Date.now() });
  const server = await nodeHttpServer({
    service: gate,
    certificate: made.certificate,
    key: made.key,
    port: 0,
  });
  const close = async (): Promise<void> => {
    await ignoreMissing(client.raw({ method: 'DELETE', path: `${WEBHOOKS}/${namespace}` }));
    for (const name of [namespace, liveNamespace]) {
      await ignoreMissing(client.delete(namespaces, { name }));
    }
    await removeClusterObjects(client, namespace);
    await server.close();
    await rm(folder, { recursive: true });
  };
  try {
    const caBundle = Buffer.from(made.authority).toString('base64');
    const body = configuration(namespace, { url: `${server.url}/gate`, caBundle });
    await client.raw({ method: 'POST', path: WEBHOOKS, body });
    await client.raw({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: namespace, labels: { [LABEL]: namespace } } },
    });
    await untilItWorks(client, namespace);
    await client.create(namespaces, { metadata: { name: liveNamespace } });
  } catch (error) {
    await close();
    throw error;
  }
  return { namespace, liveNamespace, [Symbol.asyncDispose]: close };
}

function configuration(namespace: string, clientConfig: JsonObject): JsonObject {
  const webhook = (name: string, more: JsonObject): JsonObject => ({
    name: `${name}.conformance.lifehook.dev`,
    clientConfig,
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 5,
    ...more,
  });
  const labels = { matchLabels: { [LABEL]: namespace } };
  const rule = {
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    apiGroups: ['*'],
    apiVersions: ['*'],
  };
  return {
    metadata: { name: namespace },
    webhooks: [
      webhook('inside', {
        namespaceSelector: labels,
        rules: [{ ...rule, resources: ['*/*'], scope: 'Namespaced' }],
      }),
      webhook('cluster', {
        objectSelector: labels,
        rules: [
          {
            ...rule,
            resources: ['*/*'],
            scope: 'Cluster',
          },
        ],
      }),
    ],
  };
}

/** Waits until the webhook works, then deletes objects that a controller may have written before. */
async function untilItWorks(client: KubeClient, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (let tries = 0; tries < READY_TRIES; tries += 1) {
    const held = await client
      .raw({ method: 'POST', path, query: { dryRun: 'All' }, body: probe })
      .then(() => false)
      .catch((error: unknown) => String(error).includes(REFUSAL));
    if (held) break;
    await new Promise((go) => {
      setTimeout(go, READY_POLL_MS);
    });
    if (tries === READY_TRIES - 1)
      throw new Error('the webhook that holds controllers never worked');
  }
  for (const plural of ['configmaps', 'serviceaccounts', 'secrets']) {
    await client.raw({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/${plural}`,
    });
  }
  await client.create(serviceAccounts, serviceAccount(namespace));
}

const PROBE = 'is-the-gate-there';
const probe = { metadata: { name: PROBE } };
const REFUSAL = 'no controller writes here';

const json = (body: JsonObject): HttpServiceAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

interface Review {
  readonly request: {
    readonly uid: string;
    readonly name?: string;
    readonly operation: string;
    readonly userInfo: { readonly username: string };
    readonly object: { readonly type?: string } | null;
  };
}

const gate: HttpService = {
  refuse: () => null,
  isBinary: () => false,
  handle: ({ body }) => {
    const { request } = JSON.parse(body) as Review;
    const allowed = !isControllers(request);
    const response = { uid: request.uid, allowed, status: { message: REFUSAL, code: 403 } };
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
    return Promise.resolve(json(review));
  },
  upgrade: () => Promise.resolve({ kind: 'refused', answer: { ...json({}), status: 404 } }),
  tooLarge: () => ({ ...json({}), status: 413 }),
};

/**
 * Whether a controller sent the request. The controller for tokens uses the administrator's identity, so it is
 * recognised by the type of its Secret.
 */
function isControllers({ name, operation, userInfo, object }: Review['request']): boolean {
  if (userInfo.username.startsWith(CONTROLLERS) || name === PROBE) return true;
  return operation === 'CREATE' && object?.type === 'kubernetes.io/service-account-token';
}

/** Deletes the cluster-scoped objects that the scenarios left. */
async function removeClusterObjects(client: KubeClient, namespace: string): Promise<void> {
  for (const sample of samples.filter(({ namespaced }) => !namespaced)) {
    const root = sample.group === '' ? '/api/v1' : `/apis/${apiVersionOf(sample)}`;
    const path = `${root}/${sample.plural}`;
    const { items } = (await client.raw({ method: 'GET', path })) as { items: JsonObject[] };
    for (const item of items) {
      const name = textAt(item, 'metadata', 'name');
      if (!name.startsWith(`${namespace}-`)) continue;
      const one = `${path}/${name}`;
      const body = { metadata: { finalizers: null } };
      const contentType = 'application/merge-patch+json';
      await ignoreMissing(client.raw({ method: 'PATCH', path: one, body, contentType }));
      await ignoreMissing(client.raw({ method: 'DELETE', path: one }));
    }
  }
}

async function ignoreMissing(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
