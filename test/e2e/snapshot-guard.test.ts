/**
 * A guard as a user sets it up: `lifehook up`, a claim, a pod, a template, a guard, and VolumeSnapshots from kubectl.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  snapshotGuards,
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { windowNumber } from '../../src/lifecycles/snapshot/guard/guard-window.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, type Ended, openWholeCluster, run } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

const namespace = 'default';

const APP = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, labels: { app: shop } }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: db, labels: { app: shop } }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'echo rows >"$LIFEHOOK_VOLUME_DATA/rows"; while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'touch "$LIFEHOOK_VOLUME_DATA/frozen"; test ! -e "$LIFEHOOK_VOLUME_DATA/broken"'] } }
postAction: { exec: { command: [sh, -c, 'rm -f "$LIFEHOOK_VOLUME_DATA/frozen"'] }, actionTimeoutSeconds: 5 }
probe: { exec: { command: [sh, -c, 'test -e "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
expirationSeconds: 60
`;

/** Another webhook, whose server does not exist, so objects with the label are refused. */
const REFUSER = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: refuser }
webhooks:
  - name: refuser.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { url: https://127.0.0.1:1/ }
    objectSelector: { matchLabels: { refuse: "yes" } }
    rules:
      - { apiGroups: [snapshot.storage.k8s.io], apiVersions: ["*"], operations: [CREATE], resources: [volumesnapshots] }
`;

let cluster: ClusterStand;
const { ok, apply, feed, field } = stepsOn(() => cluster);

const guardOf = (spec: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: SnapshotGuard
metadata: { name: shop }
spec:
  claimSelector: { matchLabels: { app: shop } }
  executionHookInfos: [{ executionHookTemplateName: freeze }]
  ${spec}
`;

const snapshotOf = (metadata: string): string => `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { ${metadata} }
spec: { source: { persistentVolumeClaimName: data } }
`;

beforeAll(async () => {
  cluster = await openWholeCluster();
  await apply(APP);
  await ok('wait', '--for=condition=Ready', 'pod/db', '--timeout=60s');
  await ok('label', 'namespace', namespace, 'lifehook.dev/snapshot-guard=enabled');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await apply(guardOf(''));
});

function snapshot(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  return run(process.execPath, [program, 'snapshot', ...args, '--kubeconfig', cluster.kubeconfig]);
}

async function windows(): Promise<readonly ApplicationSnapshot[]> {
  const { items } = await cluster.client.list(applicationSnapshots, { namespace });
  const own = items.filter(({ spec }) => spec.window !== undefined);
  return own.toSorted((a, b) => windowNumber(a) - windowNumber(b));
}

/** Resolves with the window that admitted this VolumeSnapshot, once that window has ended. */
function endOf(name: string): Promise<ApplicationSnapshot> {
  return eventually(`the window of ${name} is over`, async () => {
    const found = (await windows()).find(({ status }) =>
      (status?.admitted ?? []).some((each) => each.name === name),
    );
    return found?.status?.completedAt === undefined ? null : found;
  });
}

const recordedVerdict = ({ status }: ApplicationSnapshot): string => {
  const { value = '', reason = '' } = status?.admitted?.[0]?.verdict ?? {};
  return `${value} ${reason}`;
};

async function newestEnd(after: number): Promise<ApplicationSnapshot> {
  return eventually('the next window is over', async () => {
    const found = (await windows())[after];
    return found?.status?.completedAt === undefined ? null : found;
  });
}

async function create(manifest: string): Promise<string> {
  const { code, stdout, stderr } = await feed(manifest, 'create', '-f', '-', '-o', 'name');
  expect(code, stderr).toBe(0);
  return stdout.trim().split('/').at(-1) ?? '';
}

const labelOf = (name: string, label: string): Promise<string> =>
  field(`volumesnapshot/${name}`, `.metadata.labels.lifehook\\.dev/${label}`);

async function verdictOf(name: string): Promise<string> {
  return eventually(`${name} has a verdict`, async () => {
    const value = await labelOf(name, 'verdict');
    return value === '' ? null : `${value} ${await labelOf(name, 'verdict-reason')}`;
  });
}

const inPod = (script: string): Promise<string> => ok('exec', 'db', '--', 'sh', '-c', script);

const isFrozen = async (): Promise<boolean> =>
  (await inPod('test -e "$LIFEHOOK_VOLUME_DATA/frozen" && echo yes || echo no')) === 'yes';

describe('a VolumeSnapshot of a guarded claim', () => {
  it('by name is cut while the application is frozen, which is thawed then (SNAP-W1)', async () => {
    await ok('wait', '--for=condition=Ready', 'snapshotguard/shop', '--timeout=90s');
    await create(snapshotOf('name: one'));
    expect(await verdictOf('one')).toBe('ApplicationConsistent FrozenAtCut');
    const { status } = await endOf('one');
    expect(status?.admitted).toMatchObject([
      { uid: await field('volumesnapshot/one', '.metadata.uid'), outcome: 'Cut' },
    ]);
    expect(status?.hooks?.[0]?.targets[0]?.probes?.map(({ outcome }) => outcome)).toEqual([
      'Frozen',
      'Frozen',
    ]);
    expect(await isFrozen()).toBe(false);
    const content = await field('volumesnapshot/one', '.status.boundVolumeSnapshotContentName');
    const mark = await field(
      `volumesnapshotcontent/${content}`,
      '.metadata.labels.lifehook\\.dev/verdict',
    );
    expect(mark).toBe('ApplicationConsistent');
  });

  it('by generateName has its own verdict (SNAP-W2)', async () => {
    const name = await create(snapshotOf('generateName: nightly-'));
    expect(name).toMatch(/^nightly-.{5}$/u);
    expect(await verdictOf(name)).toBe('ApplicationConsistent FrozenAtCut');
  });

  it('shares the freeze of one that is created at the same time (SNAP-W6)', async () => {
    await apply(guardOf('holdOpenSeconds: 3'));
    const before = (await windows()).length;
    // Without kubectl, whose processes start seconds apart on a busy machine.
    const submit = (name: string): Promise<void> =>
      applyManifest(cluster.client, snapshotOf(`name: both-${name}`));
    await Promise.all(['a', 'b', 'c'].map(submit));
    for (const name of ['a', 'b', 'c']) {
      expect(await verdictOf(`both-${name}`)).toBe('ApplicationConsistent FrozenAtCut');
    }
    const after = await windows();
    expect(after.length).toBe(before + 1);
    expect(
      after
        .at(-1)
        ?.status?.admitted?.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['both-a', 'both-b', 'both-c']);
  });

  it('as a dry run freezes nothing (SNAP-W7)', async () => {
    const before = (await windows()).length;
    const dry = await feed(snapshotOf('name: dry'), 'create', '--dry-run=server', '-f', '-');
    expect(dry.code).toBe(0);
    expect((await windows()).length).toBe(before);
  });

  it('of our own ApplicationSnapshot is not guarded again (SNAP-W7)', async () => {
    const before = (await windows()).length;
    const made = await snapshot('create', 'own', '--claim', 'data', '--template', 'freeze');
    expect(made.stdout).toContain('ApplicationConsistent');
    expect((await windows()).length).toBe(before);
  });

  it('that another webhook refuses leaves nothing frozen (SNAP-W4)', async () => {
    await apply(REFUSER);
    const before = (await windows()).length;
    const bad = snapshotOf('name: bad, labels: { refuse: "yes" }');
    const refused = await feed(bad, 'create', '-f', '-');
    await ok('delete', 'validatingwebhookconfiguration/refuser');
    expect(refused.stderr).toContain('refuser.example.com');
    const { status } = await newestEnd(before);
    expect(status?.admitted).toMatchObject([{ name: 'bad', outcome: 'NotCreated' }]);
    expect(await isFrozen()).toBe(false);
  });

  it('whose name is taken freezes nothing, and leaves the other its verdict (SNAP-W8)', async () => {
    const before = (await windows()).length;
    const twice = await feed(snapshotOf('name: one'), 'create', '-f', '-');
    expect(twice.stderr).toContain('exists already, so nothing was frozen');
    expect((await windows()).length).toBe(before);
    expect(await isFrozen()).toBe(false);
    expect(await verdictOf('one')).toBe('ApplicationConsistent FrozenAtCut');
  });

  it('of a claim that does not exist is refused (SNAP-W10)', async () => {
    const manifest = snapshotOf('name: none').replace('Name: data', 'Name: missing');
    const { code, stderr } = await feed(manifest, 'create', '-f', '-');
    expect(code).toBe(1);
    expect(stderr).toContain('claim missing does not exist, and SnapshotGuard shop guards claims');
  });
});

describe('a VolumeSnapshot whose application cannot be frozen', () => {
  beforeAll(async () => {
    await inPod('touch "$LIFEHOOK_VOLUME_DATA/broken"');
  });

  afterAll(async () => {
    await inPod('rm "$LIFEHOOK_VOLUME_DATA/broken"');
  });

  it('is refused, with the reason and the next step (SNAP-W8)', async () => {
    await apply(guardOf('freezeTimeoutSeconds: 5'));
    const { code, stderr } = await feed(snapshotOf('name: refused'), 'create', '-f', '-');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /admission webhook "guard\.lifehook\.dev" denied the request: SnapshotGuard shop of namespace default refuses VolumeSnapshot refused \(FreezeTimeout\): .*kubectl describe applicationsnapshot shop-window-\d+ -n default/u,
    );
    expect((await feed('', 'get', 'volumesnapshot', 'refused')).stderr).toContain('not found');
    await eventually('it is thawed', async () => ((await isFrozen()) ? null : true));
  });

  it('is let through with Allow, and marked as not frozen (SNAP-W8)', async () => {
    await apply(guardOf('onFreezeFailure: Allow\n  freezeTimeoutSeconds: 5'));
    const { code, stderr } = await feed(snapshotOf('name: allowed'), 'create', '-f', '-');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'Warning: SnapshotGuard shop: VolumeSnapshot allowed is not application-consistent',
    );
    expect(await verdictOf('allowed')).toBe('CrashConsistent NotFrozen');
  });
});

describe('a window of a guard', () => {
  it('outlives a kill of API server and controllers in between, and thaws (SNAP-W4)', async () => {
    await apply(guardOf('holdOpenSeconds: 30'));
    await create(snapshotOf('name: killed'));
    expect((await windows()).at(-1)?.status).toMatchObject({ phase: 'Cutting' });
    expect(await isFrozen()).toBe(true);
    await cluster.kill9();
    const again = await cluster.lifehook('up');
    expect(again.code, again.stderr).toBe(0);
    expect(await verdictOf('killed')).toBe(recordedVerdict(await endOf('killed')));
    await eventually('it is thawed', async () => ((await isFrozen()) ? null : true));
  });

  it('is listed, waited for by a restore, and ends when its guard is deleted (SNAP-W11, SNAP-V15)', async () => {
    await apply(guardOf('holdOpenSeconds: 2'));
    await create(snapshotOf('name: last'));
    await cluster.client.delete(snapshotGuards, { namespace, name: 'shop' });
    const restored = await snapshot('restore', '--volume-snapshot', 'last');
    expect(restored.code, restored.stderr).toBe(0);
    expect(await verdictOf('last')).toBe('ApplicationConsistent FrozenAtCut');
    const list = await snapshot('list', '-o', 'wide');
    expect(list.stdout).toMatch(
      /shop-window-\d+ +Completed +ApplicationConsistent .* Window of shop/u,
    );
    expect(list.stdout).toMatch(/volumesnapshot\/last +ApplicationConsistent +FrozenAtCut +shop/u);
  });
});
