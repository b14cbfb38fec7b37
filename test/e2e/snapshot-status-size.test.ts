/**
 * Execution hooks whose status the API server refuses or cannot store: real containers, a real exec, and etcd's limit.
 */
import process from 'node:process';

import type { ValidatingWebhookConfiguration } from 'kubernetes-types/admissionregistration/v1.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { validatingWebhookConfigurations } from '../../src/kube/resources.ts';
import { storedBytes } from '../../src/kube/stored-size.ts';
import { type ExecutionHook, executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { isUnstarted } from '../../src/lifecycles/snapshot/hook/kept-attempts.ts';
import { HOOK_FINALIZER, RELEASE } from '../../src/lifecycles/snapshot/names.ts';
import { HOOK_BYTES_MAX } from '../../src/lifecycles/snapshot/schema/limits.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type HooksStand, openHooksStand } from './snapshot-hooks-stand.ts';

const PODS = 20;
const CONTAINERS = 20;
/** 1 KiB of this text takes 4 KiB in the store, because of its escapes. */
const HOSTILE = '<xml>&'.repeat(171);

let stand: HooksStand;

beforeAll(async () => {
  stand = await openHooksStand();
  const containers = Array.from({ length: CONTAINERS }, (_, index) => `c${index}`);
  const names = Array.from({ length: PODS }, (_, index) => `many-${index}`);
  await stand.makePods(names, containers);
  await stand.makePods(['one-0']);
  await stand.start();
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

const frozen = (hook: ExecutionHook | null): boolean => hook?.status?.preActionSucceed === true;
const settled = (hook: ExecutionHook | null): boolean =>
  hook?.status?.release !== undefined &&
  hook.metadata?.finalizers?.includes(HOOK_FINALIZER) !== true;

test(
  'thaws 400 containers at the expiry, though their output would outgrow what the server stores',
  { timeout: 400_000 },
  async () => {
    const script = `printf '%s' '${HOSTILE}'`;
    await stand.makeHook('many', {
      podSelector: { matchLabels: { app: 'many' } },
      preAction: { exec: { command: stand.say('freeze', script) }, actionTimeoutSeconds: 300 },
      postAction: { exec: { command: stand.say('thaw', script) }, actionTimeoutSeconds: 300 },
      expirationSeconds: 30,
    });
    const { hook } = await eventually(
      'everything is thawed',
      async () => {
        const found = await stand.hook('many');
        return settled(found) && { hook: found };
      },
      300,
    );
    const targets = hook?.status?.containerExecutionHookStatuses ?? [];
    expect(targets).toHaveLength(PODS * CONTAINERS);
    expect(hook?.status?.postActionSucceed).toBe(true);
    // A target whose turn came after the expiry is recorded, but got no command.
    const isBegun = targets.filter(
      ({ preActionStatus: pre }) => pre?.actionTimestamp !== undefined && !isUnstarted(pre),
    );
    const begun = isBegun.length;
    expect(begun).toBeGreaterThan(0);
    expect(isBegun.filter(({ thawedBy }) => thawedBy !== 'post')).toEqual([]);
    const log = await stand.log();
    expect(log.filter((line) => line.startsWith('thaw')).length).toBeGreaterThanOrEqual(begun);
    const { managedFields: _, ...metadata } = hook?.metadata ?? {};
    const bytes = storedBytes({ ...hook, metadata });
    process.stdout.write(`${begun} of ${targets.length} frozen and thawed, ${bytes} bytes\n`);
    expect(bytes).toBeLessThan(HOOK_BYTES_MAX);
  },
);

test('thaws once, and records it later, where the webhook of another refuses the status', async () => {
  await stand.makeHook('denied', {
    podSelector: { matchLabels: { app: 'one' } },
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  await stand.until('denied', 'is frozen', frozen);
  const { client } = stand.cluster;
  const name = 'deny.example.com';
  // No process listens at this address, so the server answers every update of the status with 500.
  const webhook = {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: { url: 'https://127.0.0.1:1/deny' },
    failurePolicy: 'Fail',
    rules: [
      {
        apiGroups: ['lifehook.dev'],
        apiVersions: ['v1alpha1'],
        operations: ['UPDATE'],
        resources: ['executionhooks/status'],
      },
    ],
    sideEffects: 'None',
  } as const;
  await client.create(validatingWebhookConfigurations, {
    metadata: { name },
    webhooks: [webhook],
  } as unknown as ValidatingWebhookConfiguration);
  const before = await stand.hook('denied');
  await stand.annotate('denied', { [RELEASE]: 'Human' });
  await eventually('it is thawed', async () => (await stand.log()).includes('thaw one-0'));
  await eventually('the refusal is reported', async () =>
    (await stand.reasons('denied')).includes('StatusRefused'),
  );
  expect((await stand.hook('denied'))?.status).toEqual(before?.status);
  await client.delete(validatingWebhookConfigurations, { name });
  const hook = await stand.until('denied', 'is recorded', settled);
  expect(hook?.status).toMatchObject({ postActionSucceed: true, release: { cause: 'Human' } });
  expect((await stand.log()).filter((line) => line === 'thaw one-0')).toHaveLength(1);
});

test('writes back a status that was removed, and freezes nothing twice', async () => {
  await stand.makeHook('wiped', {
    podSelector: { matchLabels: { app: 'one' } },
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  const hook = await stand.until('wiped', 'is frozen', frozen);
  const wipe = { type: 'merge', body: { status: null }, subresource: 'status' } as const;
  const { client } = stand.cluster;
  const key = { namespace: hook?.metadata?.namespace ?? '', name: 'wiped' };
  await client.patch(executionHooks, key, wipe);
  await stand.until('wiped', 'is written back', frozen);
  await stand.kill();
  await client.patch(executionHooks, key, wipe);
  await stand.start();
  const lost = await stand.until('wiped', 'is settled', settled);
  expect(lost?.status?.conditions?.find(({ type }) => type === 'Failed')?.reason).toBe(
    'StatusLost',
  );
  expect(await stand.log()).toEqual(['freeze one-0', 'thaw one-0']);
});
