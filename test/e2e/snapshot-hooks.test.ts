/** Execution hooks on the local cluster: real containers, real execs, and a controller that is killed by a signal. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { pods } from '../../src/kube/resources.ts';
import type { SessionAction, ExecutionHook } from '../../src/lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, HOOK_FINALIZER } from '../../src/lifecycles/snapshot/names.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type HooksStand, openHooksStand } from './snapshot-hooks-stand.ts';

let stand: HooksStand;

beforeAll(async () => {
  stand = await openHooksStand();
  await stand.makePods(['web-0', 'web-1', 'db-0']);
  await stand.start();
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

const frozen = (hook: ExecutionHook | null): boolean => hook?.status?.preActionSucceed === true;
const failed = (hook: ExecutionHook | null): boolean => hook?.status?.preActionSucceed === false;
const deleted = (hook: ExecutionHook | null): boolean => hook === null;
const settled = (hook: ExecutionHook | null): boolean =>
  hook?.status?.release !== undefined &&
  hook.metadata?.finalizers?.includes(HOOK_FINALIZER) !== true;

const onWeb = { podSelector: { matchLabels: { app: 'web' } } };
const onDb = { podContainerNamesList: [{ podName: 'db-0', containerNames: ['app'] }] };

const thawedBy = (hook: ExecutionHook | null): (string | undefined)[] =>
  (hook?.status?.containerExecutionHookStatuses ?? []).map((target) => target.thawedBy);

test('freezes by exec, and thaws before the hook is deleted', async () => {
  await stand.makeHook('pair', {
    ...onWeb,
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  await stand.until('pair', 'is frozen', frozen);
  expect((await stand.log()).toSorted()).toEqual(['freeze web-0', 'freeze web-1']);
  await stand.remove('pair');
  await stand.until('pair', 'is gone', deleted);
  expect((await stand.log()).slice(2).toSorted()).toEqual(['thaw web-0', 'thaw web-1']);
  await expect
    .poll(() => stand.reasons('pair'))
    .toEqual(expect.arrayContaining(['PreActionSucceeded', 'Released']));
});

test('thaws every container when one freeze fails', async () => {
  await stand.makeHook('half', {
    ...onWeb,
    preAction: {
      exec: { command: stand.say('freeze', '[ "$HOSTNAME" = web-0 ]') },
      actionTimeoutSeconds: 8,
    },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  const hook = await stand.until('half', 'has failed and is thawed', settled);
  expect(failed(hook)).toBe(true);
  const log = await stand.log();
  expect(log.filter((line) => line.startsWith('thaw')).toSorted()).toEqual([
    'thaw web-0',
    'thaw web-1',
  ]);
  expect(log.filter((line) => line === 'freeze web-1').length).toBeGreaterThan(1);
  await stand.remove('half');
  await stand.until('half', 'is gone', deleted);
});

test('thaws after a freeze that hangs', async () => {
  await stand.makeHook('hang', {
    ...onDb,
    preAction: { exec: { command: stand.say('freeze', 'sleep 600') }, actionTimeoutSeconds: 5 },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  const hook = await stand.until('hang', 'is thawed', settled);
  const [target] = hook?.status?.containerExecutionHookStatuses ?? [];
  expect(target?.preActionStatus?.attempts?.map(({ outcome }) => outcome)).toEqual(['TimedOut']);
  expect(await stand.log()).toEqual(['freeze db-0', 'thaw db-0']);
});

test('waits for a pod that is created after the hook, and freezes it when it runs', async () => {
  await stand.makeHook('early', {
    podSelector: { matchLabels: { app: 'late' } },
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  const waiting = await stand.until('early', 'waits', (hook) => {
    const reason = hook?.status?.conditions?.find(({ type }) => type === 'Frozen')?.reason;
    return reason === 'NoTarget';
  });
  expect(waiting?.status?.preActionSucceed).toBeUndefined();
  await stand.makePods(['late-0']);
  await stand.until('early', 'is frozen', frozen);
  await stand.remove('early');
  await stand.until('early', 'is gone', deleted);
  expect(await stand.log()).toEqual(['freeze late-0', 'thaw late-0']);
});

test('asks every probe of the cut before the first thaw, which may end a freeze that all share', async () => {
  const flag = join(stand.cluster.folder, 'shared-flag');
  await stand.makeHook('shared', {
    ...onWeb,
    preAction: { exec: { command: stand.say('freeze', `touch '${flag}'`) } },
    postAction: { exec: { command: stand.say('thaw', `rm -f '${flag}'`) } },
    probe: { exec: { command: stand.say('probe', `test -e '${flag}'`) } },
  });
  await stand.until('shared', 'is frozen', frozen);
  await stand.annotate('shared', { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' });
  const hook = await stand.until('shared', 'is thawed', settled);
  const words = (await stand.log()).slice(-4).map((line) => line.split(' ')[0]);
  expect(words).toEqual(['probe', 'probe', 'thaw', 'thaw']);
  const targets = hook?.status?.containerExecutionHookStatuses ?? [];
  const answers = targets.map(({ probes = [] }) => probes.map(({ outcome }) => outcome));
  expect(answers).toEqual([
    ['Frozen', 'Frozen'],
    ['Frozen', 'Frozen'],
  ]);
});

test('thaws when it expires, also after the controller was restarted', async () => {
  await stand.makeHook('expire', {
    ...onDb,
    expirationSeconds: 25,
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  await stand.until('expire', 'is frozen', frozen);
  await stand.start();
  const hook = await stand.until('expire', 'is thawed', settled);
  expect([hook?.status?.release?.cause, await stand.log()]).toEqual([
    'Expired',
    ['freeze db-0', 'thaw db-0'],
  ]);
});

test('runs a thaw again when the controller restarts before the thaw has ended', async () => {
  const restarted = join(stand.cluster.folder, 'restarted');
  const unlessRestarted = `until [ -e '${restarted}' ]; do sleep 0.1; done`;
  await stand.makeHook('again', {
    ...onDb,
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw', unlessRestarted) } },
  });
  await stand.until('again', 'is frozen', frozen);
  await stand.remove('again');
  await eventually('the thaw has begun', async () => (await stand.log()).includes('thaw db-0'));
  await stand.start();
  await writeFile(restarted, '');
  await stand.until('again', 'is gone', deleted);
  const log = await stand.log();
  expect([log[0], log.at(-1)]).toEqual(['freeze db-0', 'thaw db-0']);
});

const session = (windowSeconds: number): SessionAction => ({
  freeze: stand.say('freeze'),
  thaw: stand.say('thaw'),
  windowSeconds,
});

test('holds a session past its window until the cut, then its session helper thaws', async () => {
  await stand.makeHook('held', { ...onDb, preAction: { session: session(30) } });
  await stand.until('held', 'is frozen', frozen);
  // Longer than the dead-man window, so the session must be renewed.
  await new Promise((resolve) => setTimeout(resolve, 33_000));
  expect(await stand.log()).toEqual(['freeze db-0']);
  await stand.annotate('held', { [CUT_RELEASE]: `ab12@${new Date().toISOString()}` });
  const hook = await stand.until('held', 'is thawed', settled);
  expect([thawedBy(hook), hook?.status?.postActionSucceed]).toEqual([['session'], true]);
  expect(await stand.log()).toEqual(['freeze db-0', 'thaw db-0']);
});

test('records that the session helper thawed by itself when the controller is killed', async () => {
  await stand.makeHook('deadman', { ...onDb, preAction: { session: session(20) } });
  await stand.until('deadman', 'is frozen', frozen);
  await stand.kill();
  // The controller's end closes the helper's input, so the helper thaws before its window ends. The next controller
  // records that.
  await eventually('the holder thaws', async () => (await stand.log()).length === 2, 15);
  await stand.start();
  const hook = await stand.until('deadman', 'is settled', settled);
  expect([hook?.status?.release?.cause, thawedBy(hook)]).toEqual(['Broken', ['deadman']]);
  const [target] = hook?.status?.containerExecutionHookStatuses ?? [];
  expect(target?.freezeLost?.reason).toContain('session');
  expect(await stand.log()).toEqual(['freeze db-0', 'thaw db-0']);
});

test(
  'records a session that broke because its client was killed',
  { tags: 'kubectl' },
  async () => {
    await stand.makeHook('client', {
      ...onDb,
      preAction: {
        session: {
          client: ['sh'],
          freeze: [`echo $$ >${stand.cluster.folder}/client`, 'echo READY'],
          thaw: ['exit 0'],
          ready: 'READY',
          windowSeconds: 300,
        },
      },
    });
    await stand.until('client', 'is frozen', frozen);
    await stand.cluster.kubectl(
      'exec',
      'db-0',
      '--',
      'sh',
      '-c',
      `kill -9 $(cat ${stand.cluster.folder}/client)`,
    );
    const hook = await stand.until('client', 'is settled', settled);
    expect([hook?.status?.release?.cause, thawedBy(hook)]).toEqual(['Broken', ['broken']]);
  },
);

test('records a deleted pod as a lost target, and runs no thaw', async () => {
  await stand.makePods(['victim-0']);
  await stand.makeHook('victim', {
    podSelector: { matchLabels: { app: 'victim' } },
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  await stand.until('victim', 'is frozen', frozen);
  await stand.cluster.client.delete(
    pods,
    { namespace: 'default', name: 'victim-0' },
    { gracePeriodSeconds: 0 },
  );
  const hook = await stand.until('victim', 'is settled', settled);
  expect([hook?.status?.release?.cause, thawedBy(hook)]).toEqual(['Broken', ['gone']]);
  expect(await stand.log()).toEqual(['freeze victim-0']);
  await eventually('it is told', async () =>
    (await stand.reasons('victim')).includes('TargetGone'),
  );
});

test('freezes 50 containers at once', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `many-${index}`);
  await stand.makePods(names, ['one', 'two']);
  await stand.makeHook('many', {
    podSelector: { matchLabels: { app: 'many' } },
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  await stand.until('many', 'is frozen', frozen);
  await stand.remove('many');
  await stand.until('many', 'is gone', deleted);
  const log = await stand.log();
  expect(log.filter((line) => line.startsWith('freeze'))).toHaveLength(50);
  expect(log.filter((line) => line.startsWith('thaw'))).toHaveLength(50);
});
