/** Whole rollouts over the local cluster's own controllers, with the gate as PausedAtRest. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { hook, MachineStand, template } from '../fixtures/rollout/machine-stand.ts';

let stand: MachineStand;

beforeEach(async () => {
  stand = await MachineStand.open();
});

afterEach(async () => {
  await stand.close();
});

test('C1 a new Deployment has no set before pre has succeeded, and post comes when it is complete', async () => {
  await stand.keep({ rollingUpdate: { pre: hook(null), post: hook(0) } });
  await stand.deploy('t1');
  await stand.until('pre runs', async () => (await stand.hookPods()).length === 1);
  expect(await stand.sets()).toEqual([]);
  await stand.finish('pre', 0);
  await stand.untilPhase(1, 'Done');
  expect(await stand.podsOf('t1')).toHaveLength(2);
  expect(await outcomes()).toEqual(['post Succeeded', 'pre Succeeded']);
  const { spec, metadata } = await stand.deployment();
  expect(spec).toMatchObject({ paused: true, replicas: 2 });
  expect(metadata?.annotations).toMatchObject({
    'lifehook.dev/rollout': '1',
    'lifehook.dev/released': '1',
  });
  for (const reason of ['RolloutOpened', 'Released', 'Completed']) {
    await stand.until(reason, async () => (await stand.events(reason)).length === 1);
  }
});

test('C2 while pre runs the old pods serve, and none of the new template is made', async () => {
  await stand.released({ rollingUpdate: { pre: hook(null) } });
  await stand.change('t2');
  await stand.until('pre runs', async () => (await stand.runningHooks()).length === 1);
  expect(await stand.podsOf('t2')).toEqual([]);
  expect(await stand.podsOf('t1')).toHaveLength(2);
  await stand.finish('pre', 0);
  await stand.untilPhase(2, 'Done');
  await stand.until('only t2', async () => (await stand.podsOf('t1')).length === 0);
  expect(await stand.podsOf('t2')).toHaveLength(2);
});

test('C3 a pre that fails under Abort holds the new template: Failed, with an Event, and no set of it', async () => {
  await stand.released({ rollingUpdate: { pre: hook(1) } });
  const revision = (await stand.deployment()).metadata?.annotations?.[REVISION];
  await stand.change('t2');
  await stand.untilPhase(2, 'Held');
  const { spec, metadata } = await stand.deployment();
  expect(spec).toMatchObject({ paused: true, replicas: 2, template: template('t2') });
  expect(metadata?.annotations?.[REVISION]).toBe(revision);
  expect(await stand.sets()).toHaveLength(1);
  expect(await stand.podsOf('t1')).toHaveLength(2);
  await stand.until('the Deployment tells it', async () => {
    const { status } = await stand.deployment();
    const failed = status?.conditions?.find(({ type }) => type === 'Failed');
    return failed?.status === 'True' && failed.reason === 'PreHookFailed';
  });
  await stand.until('an Event', async () => (await stand.events('Failed')).length === 1);
});

test('C11 mid starts when the last old pod has ended, and none of either template lives meanwhile', async () => {
  await stand.released({ recreate: { mid: hook(null) } }, RECREATE);
  await stand.change('t2');
  await stand.until('it drains', async () => (await stand.phase()) === 'Draining');
  await stand.until('mid runs', async () => (await stand.runningHooks()).length === 1);
  expect(await stand.podsOf('t1')).toEqual([]);
  expect(await stand.podsOf('t2')).toEqual([]);
  expect((await stand.deployment()).spec?.replicas).toBe(0);
  await stand.finish('mid', 0);
  await stand.untilPhase(2, 'Done');
  expect(await stand.podsOf('t2')).toHaveLength(2);
  expect((await stand.deployment()).spec?.replicas).toBe(2);
});

test('C14 a mid that fails restores the old template, also where its set is not kept', async () => {
  await stand.released({ recreate: { mid: hook(1) } }, { ...RECREATE, revisionHistoryLimit: 0 });
  await stand.change('t2');
  await stand.untilPhase(2, 'Held');
  await stand.until('t1 serves', async () => (await stand.podsOf('t1')).length === 2);
  const { spec } = await stand.deployment();
  expect(spec).toMatchObject({ paused: true, replicas: 2, template: template('t2') });
  expect(await stand.podsOf('t2')).toEqual([]);
});

test('a mid that fails restores the set of the old template, with its revision (L9)', async () => {
  await stand.released({ recreate: { mid: hook(1) } }, RECREATE);
  const before = (await stand.sets()).map(setText);
  await stand.change('t2');
  await stand.untilPhase(2, 'Held');
  expect((await stand.sets()).map(setText)).toEqual(before);
});

test('C17 a third template during mid: the drained state stays, and what is wanted is restored', async () => {
  await stand.released({ recreate: { pre: hook(0), mid: hook(null) } }, RECREATE);
  await stand.change('t2');
  await stand.until('mid runs', async () => (await stand.runningHooks('mid')).length === 1);
  await stand.change('t3');
  await stand.until('the mid of t3 runs', async () => {
    const { rollout } = (await stand.lifecycle()).status ?? {};
    const running = await stand.runningHooks('mid');
    return rollout?.number === 3 && rollout.phase === 'Mid' && running.length === 1;
  });
  expect((await stand.deployment()).spec?.replicas).toBe(0);
  await stand.finish('mid', 0);
  await stand.untilPhase(3, 'Done');
  expect((await stand.deployment()).spec?.replicas).toBe(2);
  expect(await stand.podsOf('t3')).toHaveLength(2);
  expect(await outcomes()).toContain('mid Aborted');
});

const REVISION = 'deployment.kubernetes.io/revision';
const RECREATE = { strategy: { type: 'Recreate' } };

async function outcomes(): Promise<readonly string[]> {
  const runs = await stand.runs();
  return runs.map(({ spec, status }) => `${spec.stage} ${status?.phase ?? ''}`).toSorted();
}

function setText({ metadata, spec }: ReplicaSet): string {
  const revision = metadata?.annotations?.[REVISION] ?? '';
  return `${metadata?.uid ?? ''} of revision ${revision} with ${spec?.replicas ?? 0}`;
}
