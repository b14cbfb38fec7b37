/** Tests with a simulated API server: containers that mount a volume and were not frozen are found. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import {
  CUT_PROOFS,
  sampleHook,
  sampleSnapshot,
  sampleTarget,
  sampleVolume,
  thawed,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import type { ExecutionHook, ExecutionHookInfo } from '../kinds.ts';
import { CLAIM_HOOKS } from '../names.ts';
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

interface Given {
  readonly hook?: ExecutionHook;
  /** The hooks in the annotation of the claim after the cut; absent: the spec of the snapshot has the hooks. */
  readonly annotation?: readonly ExecutionHookInfo[];
  readonly selector?: { matchLabels: Record<string, string> };
}

const LIST = [{ podName: DB, containerNames: [CONTAINER] }];

/** The info in the plan: that of all containers has their list (SNAP-R30). */
function planned(info: ExecutionHookInfo): ExecutionHookInfo {
  return info.podSelector === undefined ? { podContainerNamesList: LIST, ...info } : info;
}

async function findingWith(
  all: readonly Pod[],
  infos: readonly ExecutionHookInfo[] = [FOR_ALL],
  { hook = frozenBy('ExecuteAll'), annotation, selector }: Given = {},
): Promise<string> {
  const bench = new SimBench();
  const annotations = annotation === undefined ? {} : { [CLAIM_HOOKS]: JSON.stringify(annotation) };
  const labels = { app: 'db' };
  const claimOf = (name: string): string => {
    const metadata = { namespace: 'shop', name, labels, annotations };
    return bench.api.create(persistentVolumeClaims, { metadata }).metadata.uid ?? '';
  };
  const volumes = [sampleVolume('data', { claimUID: claimOf('data') })];
  claimOf('added');
  for (const pod of all) bench.api.create(pods, pod);
  const snapshot = sampleSnapshot(
    {
      volumes,
      executionHookNames: infos.map((_, index) => `hook-${index}`),
      executionHookInfos: infos.map(planned),
    },
    {
      ...(annotation === undefined ? { executionHookInfos: [...infos] } : {}),
      ...(selector === undefined ? {} : { source: { selector } }),
    },
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
  ['a list', { ...FOR_ALL, podContainerNamesList: LIST }],
])('is none of a hook whose author has chosen %s (SNAP-R4)', async (_, info) => {
  expect(await findingWith([mounting(DB), mounting('writer')], [info])).toBe('none');
  expect(await findingWith([mounting(DB), mounting('writer')], [info, FOR_ALL])).toBe('none');
});

it('is none of a hook for one of the pods', async () => {
  const hook = frozenBy('ExecuteOnce');
  expect(await findingWith([mounting(DB), mounting('writer')], [FOR_ALL], { hook })).toBe('none');
});

it('is found of a hook for all containers although another hook lists the same ones (SNAP-I2)', async () => {
  const both = [mounting(DB), mounting('writer')];
  const listing = { ...FOR_ALL, podContainerNamesList: LIST };
  expect(await findingWith(both, [FOR_ALL, listing])).toContain('NewUser');
  expect(await findingWith(both, [listing, FOR_ALL])).toBe('none');
});

it('is also found of a hook in the annotation of a claim (SNAP-I2)', async () => {
  const both = [mounting(DB), mounting('writer')];
  expect(await findingWith(both, [FOR_ALL], { annotation: [FOR_ALL] })).toContain('NewUser');
  const chosen = { ...FOR_ALL, podSelector: { matchLabels: { app: 'db' } } };
  expect(await findingWith(both, [chosen], { annotation: [chosen] })).toBe('none');
});

it('is found of the hook of a claim whatever other hook its annotation has first by now (SNAP-I2)', async () => {
  const both = [mounting(DB), mounting('writer')];
  const other = { executionHookTemplateName: 'other' };
  const selecting = { ...other, podSelector: { matchLabels: { app: 'db' } } };
  const listing = { ...FOR_ALL, podContainerNamesList: LIST };
  const annotation = [selecting, FOR_ALL];
  expect(await findingWith(both, [FOR_ALL], { annotation })).toContain('NewUser');
  expect(await findingWith(both, [listing], { annotation: [other, listing] })).toBe('none');
  expect(await findingWith(both, [listing], { annotation: [FOR_ALL, listing] })).toBe('none');
});

it('is none that mounts only a claim that the snapshot has not planned', async () => {
  const selector = { matchLabels: { app: 'db' } };
  const both = [mounting(DB), mounting('writer', 'added')];
  expect(await findingWith(both, [FOR_ALL], { selector })).toBe('none');
});
