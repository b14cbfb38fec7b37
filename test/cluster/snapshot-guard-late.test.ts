/**
 * Rows of the guard's failure table (docs/decisions/snapshot-guard.md) about late events, on a real API server with its
 * snapshot controller and sidecar. A snapshot is never ready to use, a request joins a freeze late, or a webhook call
 * arrives after its window has closed.
 */
import { request as httpsRequest } from 'node:https';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import type { JsonObject } from '../../src/kube/object.ts';
import { mutatingWebhookConfigurations } from '../../src/kube/resources.ts';
import { contents, snapshots } from '../../src/kube/snapshots.ts';
import {
  type SnapshotGuardSpec,
  executionHookTemplates,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { jsonPatch, type ReviewRequest } from '../fixtures/webhook-server.ts';
import { requireServed } from '../needs.ts';
import { copyWebhook } from './copied-webhook.ts';
import {
  ASKED,
  BEGUN,
  FREEZE,
  FROZEN,
  TEMPLATE,
  THAWED,
  writerTemplate,
} from './csi-application.ts';
import { DONE, type GuardRows, openGuardRows } from './guard-rows.ts';

const CONSISTENT = 'ApplicationConsistent FrozenAtCut';
const QUICK: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
const FREEZE_TIMEOUT_SECONDS = 24;
const JOINS_AFTER_SECONDS = 14;

let rows: GuardRows | null = null;

beforeAll(async () => {
  rows = await openGuardRows('guarded-late');
}, 300_000);

afterAll(async () => {
  await rows?.[Symbol.asyncDispose]();
}, 300_000);

beforeEach(async (context) => {
  const what = 'a StorageClass and a VolumeSnapshotClass of one CSI driver';
  requireServed(context, rows !== null, what);
  await here().untilRested();
}, 60_000);

function here(): GuardRows {
  if (rows === null) throw new Error('there is no stand without a CSI driver');
  return rows;
}

it('judges a snapshot that is cut and never gets ready to use by its cut', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  const name = `${stand.namespace}.ready.example.com`;
  here().webhooks.reply('/unready', ({ object }) =>
    hasTrue(object)
      ? jsonPatch({ op: 'replace', path: '/status/readyToUse', value: false })
      : { allowed: true },
  );
  await stand.guard(QUICK);
  await client.create(mutatingWebhookConfigurations, {
    metadata: { name },
    webhooks: [
      { name, ...ofStatuses(stand.namespace), clientConfig: here().webhooks.client('/unready') },
    ],
  } as never);
  try {
    const before = await here().notes();
    expect(await stand.create('unready', 'a')).toMatchObject(DONE);
    expect(await stand.verdictOf('unready')).toEqual([CONSISTENT, CONSISTENT]);
    const window = await stand.windowOf('unready');
    expect(window.status?.admitted).toMatchObject([{ name: 'unready', outcome: 'Cut' }]);
    expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
    const { status } = await client.get(snapshots, { namespace: stand.namespace, name: 'unready' });
    const content = await client.get(contents, {
      name: status?.boundVolumeSnapshotContentName ?? '',
    });
    expect([status?.readyToUse, content.status?.readyToUse]).toEqual([false, false]);
  } finally {
    await client.delete(mutatingWebhookConfigurations, { name });
  }
});

it('lets a request that joined a freeze late wait for the next one when the first takes too long', async () => {
  const { stand } = here();
  const slowOnce = `if [ ! -e /tmp/slow ]; then touch /tmp/slow; echo ${BEGUN} >>/volumes/a/log; sleep 60; exit 1; fi; ${FREEZE}`;
  const name = 'slow-once';
  await stand.cluster.client.create(
    executionHookTemplates,
    writerTemplate(stand.namespace, name, slowOnce),
  );
  await stand.guard({
    executionHookInfos: [{ executionHookTemplateName: name }],
    freezeTimeoutSeconds: FREEZE_TIMEOUT_SECONDS,
  });
  const before = await here().notes();
  const { length } = await stand.windows();
  const early = stand.create('early', 'a');
  await eventually('the first freeze is running', async () =>
    (await here().notes()).slice(before.length).includes(BEGUN),
  );
  // A request that joins now still has more than half of its own time when the first freeze fails.
  await eventually('the first freeze has taken longer than half of its time', async () => {
    const { metadata } = (await stand.windows())[length] ?? {};
    const ageMs = Date.now() - Date.parse(metadata?.creationTimestamp ?? '');
    return ageMs > JOINS_AFTER_SECONDS * 1_000;
  });
  const late = await stand.create('late', 'b');
  expect((await early).stderr).toContain('(FreezeTimeout)');
  expect(late).toMatchObject(DONE);
  expect(await stand.verdictOf('late')).toEqual([CONSISTENT, CONSISTENT]);
  const [first, second] = (await stand.windows()).slice(length);
  expect(first?.status?.failure?.reason).toBe('FreezeTimeout');
  expect(second?.status?.admitted).toMatchObject([{ name: 'late', outcome: 'Cut' }]);
});

it('refuses a call for a request whose window has closed, and freezes nothing', async () => {
  const { stand } = here();
  await stand.guard(QUICK);
  await using copy = await copyWebhook(stand, here().webhooks);
  const { length } = await stand.windows();
  expect(await stand.create('repeated', 'a')).toMatchObject(DONE);
  await here().nextWindow(length);
  await stand.kubectl(['delete', 'volumesnapshot', 'repeated', '--wait=true']);
  await here().untilRested();
  const before = await here().notes();
  const [request = null] = copy.requests();
  const answer = await call(copy.original.clientConfig, request);
  expect(answer).toMatchObject({ allowed: false });
  expect(await here().notes()).toEqual(before);
  expect(await stand.windows()).toHaveLength(length + 1);
});

function hasTrue(object: unknown): boolean {
  return (object as { status?: { readyToUse?: boolean } }).status?.readyToUse === true;
}

function ofStatuses(namespace: string): JsonObject {
  return {
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    rules: [
      {
        apiGroups: ['snapshot.storage.k8s.io'],
        apiVersions: ['*'],
        operations: ['UPDATE'],
        resources: ['volumesnapshotcontents/status'],
      },
    ],
    matchConditions: [
      {
        name: 'namespace',
        expression: `object.spec.volumeSnapshotRef.namespace == ${JSON.stringify(namespace)}`,
      },
    ],
  };
}

/** Calls the webhook as an API server does. */
function call(
  { url = '', caBundle = '' }: { readonly url?: string; readonly caBundle?: string },
  request: ReviewRequest | null,
): Promise<unknown> {
  const body = JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request,
  });
  const ca = Buffer.from(caBundle, 'base64');
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(url, { method: 'POST', ca, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve((JSON.parse(text) as { response: unknown }).response);
      });
    });
    sent.on('error', reject).end(body);
  });
}
