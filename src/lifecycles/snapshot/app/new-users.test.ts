/** Tests with a simulated API server: containers that mount a volume and were not frozen are found. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import {
  CUT_PROOFS,
  sampleHook,
  sampleSnapshot,
  sampleTarget,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import type { ExecutionHook, ExecutionHookInfo } from '../kinds.ts';
import { evidenceOf } from './evidence.ts';
import { readNewUsers } from './new-users.ts';

const FOR_ALL: ExecutionHookInfo = { executionHookTemplateName: 'lock' };

function frozenBy(policy: 'ExecuteAll' | 'ExecuteOnce'): ExecutionHook {
  const resolved = { policy, preAction: { actionTimeoutSeconds: 1 }, origin: 'template db' };
  const targets = [sampleTarget({ thawedBy: 'post' })];
  return sampleHook({ status: thawed({ resolved, containerExecutionHookStatuses: targets }) });
}

const { podName: DB, containerName: CONTAINER } = sampleTarget();

function mounting(name: string, claimName: string = 'data'): Pod {
  const reported = { image: '', imageID: '', ready: true, restartCount: 0 };
  return {
    metadata: { namespace: 'shop', name },
    spec: {
      nodeName: 'n1',
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
      containers: [{ name: CONTAINER, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: CONTAINER, ...reported, state: { running: {} } }],
    },
  };
}

async function findingWith(
  all: readonly Pod[],
  infos: readonly ExecutionHookInfo[] = [FOR_ALL],
  hook: ExecutionHook = frozenBy('ExecuteAll'),
): Promise<string> {
  const bench = new SimBench();
  bench.api.create(persistentVolumeClaims, { metadata: { namespace: 'shop', name: 'data' } });
  for (const pod of all) bench.api.create(pods, pod);
  const snapshot = sampleSnapshot(
    { executionHookNames: infos.map((_, index) => `hook-${index}`) },
    { executionHookInfos: [...infos] },
  );
  const withNewUser = await bench.until(readNewUsers(bench.client, snapshot));
  const facts = { name: 'hook-0', hook };
  const evidence = evidenceOf(facts, {
    identityOf: () => 'Same',
    proofs: CUT_PROOFS,
    targetsMax: 9,
  });
  const { finding } = withNewUser(evidence, facts);
  return finding === undefined ? 'none' : `${finding.value} ${finding.reason}: ${finding.message}`;
}

it('is none while only frozen containers mount the volumes (SNAP-R30)', async () => {
  expect(await findingWith([mounting(DB), mounting('other', 'logs')])).toBe('none');
});

it('is a container that mounts a volume and was not frozen, so nothing is proven (SNAP-I2)', async () => {
  expect(await findingWith([mounting(DB), mounting('writer')])).toBe(
    `Unknown NewUser: writer/${CONTAINER} mounts a volume and was not frozen: it has started since the plan, perhaps before the cut`,
  );
});

it.each<[string, ExecutionHookInfo]>([
  ['pods', { ...FOR_ALL, podSelector: { matchLabels: { app: 'db' } } }],
  ['a list', { ...FOR_ALL, podContainerNamesList: [{ podName: DB, containerNames: [CONTAINER] }] }],
])('is none of a hook whose author has chosen %s (SNAP-R4)', async (_, info) => {
  expect(await findingWith([mounting(DB), mounting('writer')], [info])).toBe('none');
  expect(await findingWith([mounting(DB), mounting('writer')], [info, FOR_ALL])).toBe('none');
});

it('is none of a hook for one of the pods', async () => {
  const hook = frozenBy('ExecuteOnce');
  expect(await findingWith([mounting(DB), mounting('writer')], [FOR_ALL], hook)).toBe('none');
});
