/**
 * Notifications of `lifehook controller` to a real receiver, to one that hangs, and across `kill -9`.
 * @module-tag kubectl
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type NotificationReceiver,
  openNotificationReceiver,
  SECRET,
  type TakenNotification,
} from '../fixtures/notification-receiver.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { installKinds, startController } from './controller-program.ts';
import { stepsOn } from './kubectl-steps.ts';

const API = 'apiVersion: lifehook.dev/v1alpha1';

const pod = (name: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: ${name} } }]
---`;

/** The thaw of `stuck` succeeds only once a file exists. */
const APP = `${pod('stuck')}${pod('free')}
${API}
kind: ExecutionHookTemplate
metadata: { name: stuck }
preAction: { exec: { command: ['true'] } }
postAction: { exec: { command: [sh, -c, 'test -e "$LIFEHOOK_VOLUME_DATA/open"'] } }
---
${API}
kind: ExecutionHookTemplate
metadata: { name: free }
preAction: { exec: { command: ['true'] } }
postAction: { exec: { command: ['true'] } }
`;

/** A hook for the pod of that name, with the template of the same name. */
const hook = (name: string): string => `
${API}
kind: ExecutionHook
metadata: { name: ${name} }
spec: { executionHookTemplateName: ${name}, podContainerNamesList: [{ podName: ${name}, containerNames: [db] }] }`;

let cluster: ClusterStand;
let receiver: NotificationReceiver;
const { ok, apply } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openCluster();
  receiver = await openNotificationReceiver();
  await installKinds(cluster);
  await apply(APP);
  await ok('wait', '--for=condition=Ready', 'pod/stuck', 'pod/free', '--timeout=60s');
  const secret = ['create', 'secret', 'generic', 'receiver'];
  await ok(...secret, `--from-literal=url=${receiver.url}`, `--from-literal=secret=${SECRET}`);
});

afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const start = (): ReturnType<typeof startController> =>
  startController(cluster, ['--notify-secret', 'receiver', '--log-level', 'debug']);

async function freeze(name: string): Promise<void> {
  await apply(hook(name));
  await ok('wait', '--for=jsonpath={.status.preActionSucceed}=true', `eh/${name}`, '--timeout=60s');
}

const isOverdue = ({ type }: TakenNotification): boolean => type === 'dev.lifehook.thaw.overdue';

it('reports an overdue thaw at least once over kill -9, and delays no other thaw (ENG-N1, ENG-N2)', async () => {
  receiver.answer('hang');
  const first = await start();
  // The free hook must freeze first: while a thaw is overdue, no other hook can freeze on that node.
  await freeze('free');
  await freeze('stuck');
  await ok('delete', 'eh', 'stuck', '--wait=false');
  const { id, data } = await receiver.until(isOverdue);
  expect(data.message).toContain('pod default/stuck (ExecutionHook stuck) is overdue');

  // The receiver still hangs; the thaw of another hook must not wait for it.
  await ok('delete', 'eh', 'free', '--timeout=60s');
  await first.kill();
  // The receiver may still have to read what the killed controller sent.
  await receiver.untilLeft();
  const unanswered = receiver.taken.length;

  receiver.answer(204);
  const second = await start();
  await receiver.until((one) => receiver.taken.indexOf(one) >= unanswered);
  const record = 'cm/lifehook-notifications';
  await ok('wait', `--for=jsonpath={.data}`, record, '--timeout=60s');
  await expect.poll(() => ok('get', record, '-o', 'yaml')).toContain(id);
  await second.kill();
  expect(receiver.taken.length).toBe(unanswered + 1);
  expect(new Set(receiver.taken.map((one) => one.id))).toEqual(new Set([id]));

  // A recorded delivery is not repeated. The notification that the thaw is done has the same problem id.
  await using third = await start();
  await ok('exec', 'stuck', '--', 'sh', '-c', 'touch "$LIFEHOOK_VOLUME_DATA/open"');
  await receiver.until(({ type }) => type === 'dev.lifehook.thaw.done');
  expect(receiver.taken.slice(unanswered + 1).map((one) => [one.type, one.data.problem])).toEqual([
    ['dev.lifehook.thaw.done', data.problem],
  ]);
  await expect
    .poll(() => third.metrics())
    .toMatch(/^lifehook_notifications_total\{outcome="sent"\} 1$/mu);
  expect(receiver.invalid).toEqual([]);
  for (const { log } of [first, second, third]) {
    expect(JSON.stringify(log)).not.toMatch(/path-secret|whsec_/u);
  }
});

it('fails on start when the Secret is missing', async () => {
  await expect(startController(cluster, ['--notify-secret', 'none'])).rejects.toThrow(
    'LHK109: Notifications cannot be sent: Secret default/none: ',
  );
});

it('fails on start when the file is missing', async () => {
  const path = join(cluster.folder, 'none.yaml');
  await expect(startController(cluster, ['--notify-file', path])).rejects.toThrow(
    `LHK109: Notifications cannot be sent: ${path}: ENOENT`,
  );
});
