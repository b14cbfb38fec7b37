/**
 * Tests on a real API server: a webhook denies the status of a hook, the controller has only its own rights or may not
 * exec, and a hook is created before its pod.
 *
 * @module-tag node
 */
import type { ValidatingWebhookConfiguration } from 'kubernetes-types/admissionregistration/v1.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { JsonObject } from '../../src/kube/object.ts';
import { namespaces, validatingWebhookConfigurations } from '../../src/kube/resources.ts';
import { executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { RELEASE } from '../../src/lifecycles/snapshot/names.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { WebhookServer } from '../fixtures/webhook-server.ts';
import { makeAccount } from './snapshot-account.ts';
import { type HooksStand, isFrozen, isSettled, openHooksStand } from './snapshot-hooks-stand.ts';

const DENIAL = 'no status of hooks today';

let stand: HooksStand;
let webhooks: WebhookServer;

beforeAll(async () => {
  webhooks = await WebhookServer.open();
  stand = await openHooksStand('snapshot-refused');
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  await webhooks.close();
});

const actions = (more: object = {}): object => ({
  preAction: { exec: { command: stand.say('freeze') }, ...more },
  postAction: { exec: { command: stand.say('thaw') } },
});
const linesOf = (pod: string): readonly string[] =>
  stand.log().filter((line) => line.endsWith(`${pod}/app`));

it('a hook that is created before its pod waits until it runs, and freezes it', async () => {
  const stop = stand.start();
  const podSelector = { matchLabels: { app: 'late' } };
  await stand.makeHook('late', { podSelector, ...actions({ actionTimeoutSeconds: 600 }) });
  const waiting = await stand.until(
    'late',
    'waits',
    ({ status }) => status?.conditions?.some(({ type }) => type === 'Frozen') === true,
  );
  expect(waiting.status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'NoTarget' });
  expect(waiting.metadata?.finalizers).toBeUndefined();
  await stand.makePod('late-0');
  await stand.until('late', 'is frozen', isFrozen);
  expect(linesOf('late-0')).toEqual(['freeze late-0/app']);
  await stand.annotate('late', { [RELEASE]: 'Human' });
  const hook = await stand.until('late', 'is settled', isSettled);
  expect(hook.status?.postActionSucceed).toBe(true);
  expect(linesOf('late-0')).toEqual(['freeze late-0/app', 'thaw late-0/app']);
  await stop();
});

it('a thaw runs, and is recorded later, while the webhook of another denies the status', async () => {
  const stop = stand.start();
  await stand.makePod('denied-0');
  await stand.untilRunning('denied-0');
  await stand.makeHook('denied', { podSelector: { matchLabels: { app: 'denied' } }, ...actions() });
  const before = await stand.until('denied', 'is frozen', isFrozen);
  await using deny = await denyStatuses();
  await stand.annotate('denied', { [RELEASE]: 'Human' });
  await eventually('it is thawed', async () => linesOf('denied-0').includes('thaw denied-0/app'));
  await eventually('the refusal is reported', async () =>
    (await stand.reasons('denied')).includes('StatusRefused'),
  );
  expect((await stand.hook('denied')).status).toEqual(before.status);
  await deny.lift();
  const hook = await stand.until('denied', 'is recorded', isSettled);
  expect(hook.status).toMatchObject({ postActionSucceed: true, release: { cause: 'Human' } });
  expect(linesOf('denied-0')).toEqual(['freeze denied-0/app', 'thaw denied-0/app']);
  await stop();
});

it('a hook freezes and thaws with no other rights than those of the roles (SNAP-G23)', async () => {
  await stand.makePod('granted-0');
  await stand.untilRunning('granted-0');
  const { client, namespace } = stand;
  await using account = await makeAccount(client, { namespace, name: 'granted' }, []);
  const stop = stand.start(account.access);
  await stand.makeHook('granted', {
    podSelector: { matchLabels: { app: 'granted' } },
    ...actions(),
  });
  await stand.until('granted', 'is frozen', isFrozen);
  await client.delete(executionHooks, { namespace, name: 'granted' });
  await eventually('the hook is released', async () => {
    const hooks = await client.list(executionHooks, { namespace });
    return hooks.items.every(({ metadata }) => metadata?.name !== 'granted');
  });
  expect(linesOf('granted-0')).toEqual(['freeze granted-0/app', 'thaw granted-0/app']);
  await stop();
});

it('a preAction fails at once, naming the missing right, and nothing is undone', async () => {
  await stand.makePod('forbidden-0');
  await stand.untilRunning('forbidden-0');
  const { client, namespace } = stand;
  await using account = await makeAccount(client, { namespace, name: 'controller' }, ['pods/exec']);
  const stop = stand.start(account.access);
  const podSelector = { matchLabels: { app: 'forbidden' } };
  const denied = `"get pods/exec in namespace ${namespace}" (403)`;
  const reported = `User "system:serviceaccount:${namespace}:controller" cannot get resource "pods/exec"`;
  await stand.makeHook('forbidden', { podSelector, ...actions({ actionTimeoutSeconds: 600 }) });
  const { status } = await stand.until('forbidden', 'is settled', isSettled);
  const [target] = status?.containerExecutionHookStatuses ?? [];
  const attempts = [expect.objectContaining({ outcome: 'Failed', notStarted: 'Denied' })];
  expect({ ...status, ...target }).toMatchObject({
    preActionSucceed: false,
    preActionStatus: { attempts, error: { message: expect.stringContaining(denied) } },
  });
  expect(target?.preActionStatus?.error?.message).toContain(reported);
  expect(target?.postActionStatus).not.toHaveProperty('attempts');
  expect(linesOf('forbidden-0')).toEqual([]);
  await stop();
});

interface Denial extends AsyncDisposable {
  lift(): Promise<void>;
}

/** Denies all status updates of hooks in the namespace, until the caller lifts the denial. */
async function denyStatuses(): Promise<Denial> {
  const { client, namespace } = stand;
  const name = `${namespace}.example.com`;
  const labels = { type: 'merge', body: { metadata: { labels: { suite: namespace } } } } as const;
  await client.patch(namespaces, { name: namespace }, labels);
  webhooks.reply('/deny', () => ({
    allowed: false,
    status: { code: 403, message: DENIAL },
  }));
  await client.create(validatingWebhookConfigurations, {
    metadata: { name },
    webhooks: [webhook(name)],
  } as unknown as ValidatingWebhookConfiguration);
  await eventually('the server asks the webhook', async () => {
    const patch = { type: 'merge', body: { status: { ignored: 'x' } }, dryRun: true } as const;
    const key = { namespace, name: 'denied' };
    return client.patch(executionHooks, key, { ...patch, subresource: 'status' }).then(
      () => false,
      (error: unknown) => String(error).includes(DENIAL),
    );
  });
  const lift = async (): Promise<void> => {
    await client.delete(validatingWebhookConfigurations, { name }).catch(() => {});
  };
  return { lift, [Symbol.asyncDispose]: lift };
}

const webhook = (name: string): JsonObject => ({
  name,
  admissionReviewVersions: ['v1'],
  clientConfig: webhooks.client('/deny'),
  failurePolicy: 'Fail',
  namespaceSelector: { matchLabels: { suite: stand.namespace } },
  rules: [
    {
      apiGroups: ['lifehook.dev'],
      apiVersions: ['v1alpha1'],
      operations: ['UPDATE'],
      resources: ['executionhooks/status'],
    },
  ],
  sideEffects: 'None',
});
