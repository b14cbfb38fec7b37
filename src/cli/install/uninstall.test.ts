import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { singleDefinitions } from '../../../packages/local-cluster/src/index.ts';
import { ApiStand } from '../../../packages/local-cluster/src/testing.ts';
import { defineKinds } from '../../../test/fixtures/define-kinds.ts';
import { defineSnapshotKinds } from '../../../test/fixtures/define-snapshot-kinds.ts';
import { sampleVolume } from '../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import type { Definition } from '../../controller/definitions/definition.ts';
import { ApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import type { Resource } from '../../kube/object.ts';
import { deployments, namespaces, persistentVolumeClaims } from '../../kube/resources.ts';
import { snapshots as volumeSnapshots } from '../../kube/snapshots.ts';
import { volumeSnapshotFor } from '../../lifecycles/snapshot/app/made-objects.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CliCluster } from '../kube-connection.ts';
import { carryOut, deadline } from './uninstall.ts';

it('gives each step its own time, and names the step that takes longer', async () => {
  const bench = new SimBench();
  const { clock, timers } = bench.host;
  const until = deadline(60, { clock, timers });
  const lookFor = async (seconds: number): Promise<readonly string[]> =>
    clock.monotonicMs() < endMs(seconds) ? ['pod web'] : [];
  const endMs = (seconds: number): number => seconds * 1_000;
  await bench.until(until('The cleanup', () => lookFor(50)));
  await bench.until(until('The deletion', () => lookFor(100)));
  await expect(bench.until(until('The stop', () => lookFor(1_000)))).rejects.toThrow(
    'LHK040: The stop took longer than 60 s; still left: pod web.',
  );
});

describe('the uninstall', () => {
  const namespace = 'default';
  let stand: ApiStand;
  let client: KubeClient;

  beforeEach(async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    stand = await ApiStand.open();
    const { transport } = stand;
    const random = (): number => 0.5;
    client = makeKubeClient({ transport, platform: nodePlatform, userAgent: 'test', random });
    await defineSnapshotKinds(client);
    const resources = [volumeSnapshots] as readonly Resource[];
    const definitions = singleDefinitions as readonly Definition[];
    await defineKinds(client, { definitions, resources });
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await stand.close();
  });

  /** Creates an ApplicationSnapshot with one VolumeSnapshot. */
  async function make(name: string): Promise<ApplicationSnapshot> {
    const metadata = { name, namespace };
    const source = { persistentVolumeClaimNames: ['data'] };
    const snapshot = await client.create(applicationSnapshots, { metadata, spec: { source } });
    const volume = sampleVolume('data', { volumeSnapshotName: name });
    await client.create(volumeSnapshots, volumeSnapshotFor(snapshot, volume));
    return snapshot;
  }

  async function complete({ metadata }: ApplicationSnapshot): Promise<void> {
    const key = { namespace, name: metadata?.name ?? '' };
    const status = { completedAt: '2026-01-01T00:00:00Z' };
    const subresource = 'status';
    await client.patch(applicationSnapshots, key, { type: 'merge', subresource, body: { status } });
  }

  /** Uninstalls, and runs `trouble` once before the first request of that kind, such as "delete pods". */
  async function uninstallDuring(request: string, trouble: () => Promise<unknown>): Promise<void> {
    let pending = true;
    const disturb = async (
      verb: string,
      { plural }: { readonly plural: string },
    ): Promise<void> => {
      if (!pending || `${verb} ${plural}` !== request) return;
      pending = false;
      await trouble();
    };
    const disturbed: KubeClient = {
      ...client,
      list: async (resource, options) => {
        await disturb('list', resource);
        return client.list(resource, options);
      },
      patch: async (resource, key, options) => {
        await disturb('patch', resource);
        return client.patch(resource, key, options);
      },
      delete: async (resource, key, options) => {
        await disturb('delete', resource);
        return client.delete(resource, key, options);
      },
    };
    const cluster = { client: disturbed } as unknown as CliCluster;
    await carryOut({ namespace, timeout: 5, yes: true }, cluster);
    expect(pending).toBe(false);
  }

  async function ownersOf(name: string): Promise<number> {
    const { metadata } = await client.get(volumeSnapshots, { namespace, name });
    return metadata?.ownerReferences?.length ?? 0;
  }

  it.each(['list snapshotschedules', 'delete applicationsnapshots'])(
    'keeps the VolumeSnapshots of an ApplicationSnapshot that completes before the request %s',
    async (request) => {
      const night = await make('night');
      await uninstallDuring(request, () => complete(night));
      expect(await ownersOf('night')).toBe(0);
    },
  );

  it('keeps the VolumeSnapshots of an ApplicationSnapshot that is created while the controllers stop', async () => {
    await uninstallDuring('delete deployments', async () => complete(await make('night')));
    expect(await ownersOf('night')).toBe(0);
  });

  it('goes on when another client deletes a VolumeSnapshot', async () => {
    const night = await make('night');
    await complete(night);
    const key = { namespace, name: 'night' };
    await uninstallDuring('patch volumesnapshots', () => client.delete(volumeSnapshots, key));
    expect(await getOrNull(client, volumeSnapshots, key)).toBeNull();
  });

  /** Creates the Deployment of the controllers of an installation. */
  async function makeController(metadata: { name: string; namespace: string }): Promise<void> {
    const containers = [{ name: 'controller', image: 'lifehook' }];
    const template = { metadata: { labels }, spec: { containers } };
    const spec = { selector: { matchLabels: labels }, template };
    await client.create(deployments, { metadata: { ...metadata, labels }, spec });
  }

  it('deletes nothing when another installation still uses the kinds', async () => {
    await client.create(namespaces, { metadata: { name: 'team' } });
    await makeController({ name: 'lifehook-controller', namespace: 'team' });
    await make('night');
    const cluster = { client } as unknown as CliCluster;
    await expect(carryOut({ namespace, timeout: 5, yes: true }, cluster)).rejects.toThrow(
      'LHK041: Another installation of Lifehook uses the kinds: Deployment team/lifehook-controller.',
    );
    const { items } = await client.list(applicationSnapshots, { namespace });
    expect(items).toHaveLength(1);
  });

  it('of one namespace ignores the other installations', async () => {
    await client.create(namespaces, { metadata: { name: 'team' } });
    await makeController({ name: 'lifehook-controller', namespace: 'team' });
    const cluster = { client } as unknown as CliCluster;
    await carryOut({ namespace, namespaced: true, timeout: 5, yes: true }, cluster);
    const team = { name: 'lifehook-controller', namespace: 'team' };
    expect(await getOrNull(client, deployments, team)).not.toBeNull();
  });

  it('deletes nothing when the user may not delete the webhooks, which would refuse every change', async () => {
    const metadata = { name: 'lifehook-controller', namespace };
    await makeController(metadata);
    const refusal = new ApiError(403, { reason: 'Forbidden', message: 'not permitted' });
    const refuse = (): Promise<never> => Promise.reject(refusal);
    const refused = uninstallDuring('delete mutatingwebhookconfigurations', refuse);
    await expect(refused).rejects.toThrow('not permitted');
    expect(await getOrNull(client, deployments, metadata)).not.toBeNull();
  });

  /** `kubectl apply` of the manifests also labels a namespace that existed before. */
  const labels = { 'app.kubernetes.io/name': 'lifehook' };
  const isKept = async (name: string, asked: KubeClient = client): Promise<boolean> => {
    const cluster = { client: asked } as unknown as CliCluster;
    await carryOut({ namespace: name, timeout: 60, yes: true }, cluster);
    const { metadata } = await client.get(namespaces, { name });
    return metadata?.deletionTimestamp === undefined;
  };

  it('keeps a labelled namespace that has a claim', async () => {
    await client.create(namespaces, { metadata: { name: 'tools', labels } });
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources };
    const metadata = { name: 'data', namespace: 'tools' };
    await client.create(persistentVolumeClaims, { metadata, spec });
    expect(await isKept('tools')).toBe(true);
  });

  it('keeps a labelled namespace if the user may not look for claims in it', async () => {
    await client.create(namespaces, { metadata: { name: 'tools', labels } });
    const refusal = new ApiError(403, { reason: 'Forbidden', message: 'not permitted' });
    const list: KubeClient['list'] = async (resource, options) => {
      if (resource.plural === persistentVolumeClaims.plural) throw refusal;
      return client.list(resource, options);
    };
    expect(await isKept('tools', { ...client, list })).toBe(true);
  });

  it('keeps the labelled namespace "default", which no server deletes', async () => {
    const body = { metadata: { labels } };
    await client.patch(namespaces, { name: namespace }, { type: 'merge', body });
    expect(await isKept(namespace)).toBe(true);
  });
});
