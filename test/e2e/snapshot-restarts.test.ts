/** Containers that restart while they are frozen, on the local cluster. */
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { execInPod } from '../../src/kube/exec.ts';
import { pods } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { connect } from './cluster-stand.ts';
import { type HooksStand, openHooksStand } from './snapshot-hooks-stand.ts';

const NAMESPACE = 'default';

let stand: HooksStand;

beforeAll(async () => {
  stand = await openHooksStand();
  await stand.start();
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

const pidFile = (): string => join(stand.cluster.folder, 'sidecar-pid');

async function makePodWithSidecar(name: string): Promise<void> {
  const wait = 'while :; do sleep 1000; done';
  // In the command of a container "$$" is an escaped "$".
  const command = ['sh', '-c', `echo $$$$ >'${pidFile()}'; ${wait}`];
  await stand.cluster.client.create(pods, {
    metadata: { name, namespace: NAMESPACE },
    spec: {
      terminationGracePeriodSeconds: 0,
      initContainers: [{ name: 'db', image: 'none', restartPolicy: 'Always', command }],
      containers: [{ name: 'app', image: 'none', command: ['sh', '-c', wait] }],
    },
  });
  await eventually('all of it runs', async () => {
    const { status } = await stand.cluster.client.get(pods, { namespace: NAMESPACE, name });
    return status?.containerStatuses?.[0]?.state?.running;
  });
}

it('thaws a sidecar that restarted while it was frozen, and reports the lost freeze', async () => {
  await makePodWithSidecar('shop-0');
  await stand.makeHook('sidecar', {
    podContainerNamesList: [{ podName: 'shop-0', containerNames: ['db'] }],
    preAction: { exec: { command: stand.say('freeze') } },
    postAction: { exec: { command: stand.say('thaw') } },
  });
  await stand.until('sidecar', 'is frozen', (hook) => hook?.status?.preActionSucceed === true);
  await execInPod(await connect(stand.cluster.kubeconfig), {
    namespace: NAMESPACE,
    pod: 'shop-0',
    container: 'db',
    command: ['sh', '-c', `kill -9 $(cat '${pidFile()}')`],
  });
  const hook = await stand.until(
    'sidecar',
    'is thawed',
    (found) => found?.status?.postActionSucceed === true,
  );
  const [target] = hook?.status?.containerExecutionHookStatuses ?? [];
  expect(hook?.status?.release?.cause).toBe('Broken');
  expect(target?.freezeLost?.reason).toBe('the container db of pod shop-0 has exited since');
  expect(target?.thawedBy).toBe('post');
  expect(await stand.log()).toEqual(['freeze shop-0', 'thaw shop-0']);
  await eventually('the event', async () =>
    (await stand.reasons('sidecar')).includes('FreezeLost'),
  );
});
