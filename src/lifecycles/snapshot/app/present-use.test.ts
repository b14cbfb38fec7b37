/** The use of the volumes is read again at the cut. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import {
  sampleFacts,
  sampleSnapshot,
  sampleVolume,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import type { Acting } from './acting.ts';
import { recordCut } from './cut-steps.ts';
import { judgeSnapshot } from './end-steps.ts';

type Mode = 'Single' | 'Group';

interface Given {
  readonly names: readonly string[];
  readonly mode?: Mode;
  /** Claims that a pod uses when the cut is seen. */
  readonly used?: readonly string[];
  /** Claims that a pod uses when the verdict is decided. */
  readonly usedLater?: readonly string[];
}

const LABELS = { app: 'db' };

/** The verdict on volumes that were not in use at the plan. */
async function verdictOn({ names, mode = 'Single', used = [], usedLater = [] }: Given) {
  const bench = new SimBench();
  const claim = (name: string): string => {
    const metadata = { namespace: 'shop', name, labels: LABELS };
    return bench.api.create(persistentVolumeClaims, { metadata }).metadata.uid ?? '';
  };
  const use = (claims: readonly string[]): void => {
    for (const claimName of claims) bench.api.create(pods, podWith(claimName));
  };
  const volumes = names.map((name) => sampleVolume(name, { claimUID: claim(name), inUse: false }));
  claim('added');
  const source = { selector: { matchLabels: LABELS } };
  const fresh = sampleSnapshot({ volumes }, { source, mode });
  const group = mode === 'Group' ? { snapshot: null, content: null } : null;
  const made = await bench.until(bench.client.create(applicationSnapshots, fresh));
  const acting = (snapshot: ApplicationSnapshot): Acting => {
    const context = {
      platform: { clock: bench.host.clock },
      observe: () => {},
      recorder: { record: () => {} },
    };
    const caches = { writtenApplications: { remember: () => {} } };
    const facts = { ...sampleFacts({ volumes: [] }), snapshot, group };
    return { client: bench.client, context, caches, facts } as unknown as Acting;
  };
  const now = (): ApplicationSnapshot =>
    bench.api.list(applicationSnapshots)[0] as unknown as ApplicationSnapshot;
  use(used);
  const cut = volumes.map((volume) => ({ ...volume, cut: true }));
  await bench.until(recordCut(acting(made), cut));
  use(usedLater);
  await bench.until(judgeSnapshot(acting(now())));
  const { value, reason } = now().status?.verdict ?? {};
  return `${value ?? ''} ${reason ?? ''}`;
}

function podWith(claimName: string): Pod {
  const volumes = [{ name: claimName, persistentVolumeClaim: { claimName } }];
  const metadata = { namespace: 'shop', name: `uses-${claimName}` };
  return { metadata, spec: { nodeName: 'n1', containers: [], volumes } };
}

it.each<[string, Given, string]>([
  ['one volume that no pod has used', { names: ['data'] }, 'CrashConsistent NotInUse'],
  [
    'one volume that a pod used at the cut',
    { names: ['data'], used: ['data'] },
    'CrashConsistent AtomicCut',
  ],
  [
    'a group that a pod used at the cut',
    { names: ['data', 'log'], mode: 'Group', used: ['data', 'log'] },
    'CrashConsistent GroupCut',
  ],
  [
    'two volumes of which a pod used one at the cut',
    { names: ['data', 'log'], used: ['log'] },
    'Inconsistent CutAtDifferentMoments',
  ],
  [
    'two volumes that a pod has used only after the cut',
    { names: ['data', 'log'], usedLater: ['data', 'log'] },
    'CrashConsistent NotInUse',
  ],
  [
    'two volumes, if a pod used a claim that was created after the plan',
    { names: ['data', 'log'], used: ['added'] },
    'CrashConsistent NotInUse',
  ],
])('the verdict has the reason that holds for %s (SNAP-R28)', async (_, given, expected) => {
  expect(await verdictOn(given)).toBe(expected);
});
