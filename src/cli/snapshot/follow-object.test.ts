import process from 'node:process';

import { expect, it, onTestFinished, vi } from 'vitest';

import { scriptedTransport } from '../../../test/fixtures/scripted-transport.ts';
import { applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CliCluster } from '../kube-connection.ts';
import { followObject } from './follow-object.ts';

it.each([
  ['was deleted', []],
  ['was replaced by one of the same name', [{ metadata: { name: 'nightly', uid: 'other' } }]],
])('ends before the timeout when the object %s before its list', async (_, items) => {
  const transport = scriptedTransport(({ path }) => {
    if (path.includes('sendInitialEvents'))
      return { status: 400, body: { kind: 'Status', code: 400 } };
    if (path.includes('watch=')) return new Promise<never>(() => {});
    return { body: { metadata: { resourceVersion: '5' }, items } };
  });
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const cluster = { connection, namespace: 'shop' } as unknown as CliCluster;
  const followed = {
    resource: applicationSnapshots,
    made: { metadata: { name: 'nightly', uid: 's1' }, spec: { source: {} } },
    hasEnded: () => false,
    phaseText: () => '',
    deletedEarly: (name: string) =>
      new LifehookError({ code: 'LHS403', message: `${name} was deleted.`, next: 'none.' }),
  };
  const options = { timeout: 2, output: 'text', quiet: true } as const;
  await expect(followObject(cluster, followed, options)).rejects.toThrow(/LHS403/);
});

it('prints no control characters of the text of a phase', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
  });
  const made = { metadata: { name: 'nightly', uid: 's1' }, spec: { source: {} } };
  const transport = scriptedTransport(({ path }) => {
    if (path.includes('sendInitialEvents'))
      return { status: 400, body: { kind: 'Status', code: 400 } };
    return { body: { metadata: { resourceVersion: '5' }, items: [made] } };
  });
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const followed = {
    resource: applicationSnapshots,
    made,
    hasEnded: () => true,
    phaseText: () => 'KindNotServed: \u001B[2Jnone',
    deletedEarly: () => new LifehookError({ code: 'LHS403', message: 'It.', next: 'none.' }),
  };
  const cluster = { connection, namespace: 'shop' } as unknown as CliCluster;
  await followObject(cluster, followed, { timeout: 2, output: 'text' });
  expect(write.mock.calls).toEqual([['  KindNotServed: \uFFFD[2Jnone\n']]);
});
