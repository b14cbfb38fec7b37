/** The check with the server, after the thaw, that the frozen containers are still the same (SNAP-I2). */
import { expect, it } from 'vitest';

import { sampleHook, sampleTarget } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { identityOf, readIdentities } from './read-identities.ts';

const running = { image: '', imageID: '', ready: true, restartCount: 0, state: { running: {} } };
const podThat = (name: string, more: object = {}) => ({
  metadata: { name, uid: `uid-${name}` },
  status: { containerStatuses: [{ ...running, name: 'db', containerID: 'c-1' }], ...more },
});
const targetIn = (podName: string) => sampleTarget({ podName, podUID: `uid-${podName}` });

it('asks for each pod once, ten at a time, and reports a deleted pod as absent', async () => {
  const asked: string[] = [];
  let atOnce = 0;
  let most = 0;
  const get = async (_: unknown, { namespace, name }: { namespace: string; name: string }) => {
    asked.push(`${namespace}/${name}`);
    atOnce += 1;
    most = Math.max(most, atOnce);
    await Promise.resolve();
    atOnce -= 1;
    if (name === 'db-3') throw new ApiError(404, { reason: 'NotFound' });
    return podThat(name);
  };
  const names = Array.from({ length: 12 }, (_, at) => `db-${at}`);
  const containerExecutionHookStatuses = [...names, 'db-0'].map(targetIn);
  const hooks = [
    sampleHook({ status: { containerExecutionHookStatuses } }),
    sampleHook({ status: {} }),
  ];
  const identity = await readIdentities({ get } as unknown as KubeClient, 'shop', hooks);
  expect(asked).toEqual(names.map((name) => `shop/${name}`));
  expect(most).toBe(10);
  expect(['db-0', 'db-3', 'db-11', 'other'].map((name) => identity(targetIn(name)))).toEqual([
    'Same',
    'Gone',
    'Same',
    'Unknown',
  ]);
});

it('asks for no pod of a hook whose controller has not begun', async () => {
  const { status: _, ...begun } = sampleHook({});
  const get = () => Promise.reject(new Error('no pod was expected'));
  const identity = await readIdentities({ get } as unknown as KubeClient, 'shop', [begun]);
  expect(identity(targetIn('db-0'))).toBe('Unknown');
});

it.each(['terminated', 'waiting'])('takes a container that is %s for changed', (state) => {
  const db = { ...running, name: 'db', containerID: 'c-1', state: { [state]: {} } };
  expect(identityOf(targetIn('a'), podThat('a', { containerStatuses: [db] }))).toBe('Changed');
});

it('takes a container without a state, which counts as waiting, for changed', () => {
  const { state: _, ...db } = { ...running, name: 'db', containerID: 'c-1' };
  expect(identityOf(targetIn('a'), podThat('a', { containerStatuses: [db] }))).toBe('Changed');
});

it('finds a container among others, and among the init containers', () => {
  const log = { ...running, name: 'log', containerID: 'c-9' };
  const db = { ...running, name: 'db', containerID: 'c-1' };
  const target = targetIn('a');
  expect(identityOf(target, podThat('a', { containerStatuses: [log, db] }))).toBe('Same');
  const sidecar = { containerStatuses: [log], initContainerStatuses: [db] };
  expect(identityOf(target, podThat('a', sidecar))).toBe('Same');
  expect(identityOf(target, podThat('a', { containerStatuses: [log] }))).toBe('Changed');
});
