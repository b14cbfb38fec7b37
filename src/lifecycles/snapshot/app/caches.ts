/** The caches of the snapshot controller, and the lookup of a snapshot by the objects that it created. */
import { byOwnerUid, controllerKey, ownKey } from '../../../controller/indexes.ts';
import type { Informer } from '../../../controller/informer.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import { keyOf, keyText } from '../../../controller/object-key.ts';
import { OwnWrites } from '../../../controller/own-writes.ts';
import { type Source, watched } from '../../../controller/source.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import {
  groupSnapshots,
  type Reference,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { SnapshotContext } from '../context.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  type ExecutionHook,
  executionHooks,
} from '../kinds.ts';
import { SnapshotKinds } from './snapshot-kinds.ts';

export class SnapshotCaches {
  readonly applications: Informer<ApplicationSnapshot>;
  readonly hooks: Informer<ExecutionHook>;
  readonly snapshots: Informer<VolumeSnapshot>;
  readonly contents: Informer<VolumeSnapshotContent>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly groups: Informer<VolumeGroupSnapshot>;
  readonly groupContents: Informer<VolumeGroupSnapshotContent>;
  readonly kinds: SnapshotKinds;
  readonly writtenApplications: OwnWrites<ApplicationSnapshot>;
  readonly writtenHooks: OwnWrites<ExecutionHook>;

  constructor({ informers, scope, platform }: SnapshotContext) {
    const kinds = new SnapshotKinds(platform.timers);
    this.kinds = kinds;
    // VolumeSnapshotContents are cluster-scoped: the scope applies to namespaced kinds only.
    this.applications = informers.of(applicationSnapshots, {
      scope,
      indexes: { claim: byClaim, planned: byPlannedName },
    });
    this.hooks = informers.of(executionHooks, {
      scope,
      indexes: { snapshot: controllerKey(applicationSnapshots) },
    });
    this.writtenApplications = new OwnWrites(this.applications);
    this.writtenHooks = new OwnWrites(this.hooks);
    this.hooks.listen(({ key, after }) => {
      if (after === null) this.writtenHooks.forget(key);
    });
    this.snapshots = informers.ofServed(kinds.snapshots, {
      scope,
      indexes: { owner: byOwnerUid },
    });
    this.contents = informers.ofServed(kinds.contents, { indexes: { snapshot: bySnapshot } });
    this.claims = informers.of<PersistentVolumeClaim>(persistentVolumeClaims, { scope });
    this.groups = informers.ofServed(kinds.groups, { scope });
    this.groupContents = informers.ofServed(kinds.groupContents, {
      indexes: { snapshot: byGroupSnapshot },
    });
  }

  /** Forgets what earlier terms have seen: another leader may have written since. Call it at the start of a term. */
  beginTerm(): void {
    this.writtenApplications.beginTerm();
    this.writtenHooks.beginTerm();
  }

  application(key: string): ApplicationSnapshot | undefined {
    return this.writtenApplications.newest(key, this.applications.get(key));
  }

  hook(key: string): ExecutionHook | undefined {
    return this.writtenHooks.newest(key, this.hooks.get(key));
  }

  /** The hooks owned by any snapshot of this key, including earlier ones of the same name. */
  hooksOf(key: string): readonly ExecutionHook[] {
    return this.hooks.byIndex('snapshot', key).flatMap((hook) => this.hook(keyOf(hook)) ?? []);
  }

  /** Whether the snapshot has begun and is not complete, so that its hooks may be frozen. */
  mayBeFrozen(key: string): boolean {
    const { startedAt, completedAt } = this.application(key)?.status ?? {};
    return startedAt !== undefined && completedAt === undefined;
  }

  /** The event sources of the controller; their keys are those of the snapshots. */
  sources(): readonly Source[] {
    const ours = controllerKey(applicationSnapshots);
    return [
      watched({ informer: this.applications, keys: ownKey }),
      watched({
        informer: this.hooks,
        // The planned name identifies the snapshot even if another client removed the owner reference.
        keys: (object) => [...ours(object), ...this.#planned(object.metadata ?? {})],
      }),
      watched({ informer: this.snapshots, keys: (object) => this.#ofSnapshot(object) }),
      watched({
        informer: this.contents,
        keys: ({ spec }) => this.#ofReference(spec.volumeSnapshotRef),
      }),
      watched({
        informer: this.claims,
        keys: (claim) => this.applications.byIndex('claim', keyOf(claim)).map(keyOf),
        when: ({ after }) => after === null || isTerminating(after),
      }),
      watched({
        informer: this.groups,
        keys: (object) => [...ours(object), ...this.#planned(object.metadata ?? {})],
      }),
      watched({
        informer: this.groupContents,
        keys: ({ spec }) => this.#planned(spec.volumeGroupSnapshotRef),
      }),
    ];
  }

  /**
   * The keys of the snapshots that this VolumeSnapshot may belong to: its owner, the window that admitted its name, or
   * the snapshot that planned its group.
   */
  #ofSnapshot(object: VolumeSnapshot): readonly string[] {
    const namespace = object.metadata?.namespace ?? '';
    const owners = object.metadata?.ownerReferences ?? [];
    const groups = owners.filter(({ kind }) => kind === groupSnapshots.kind);
    return [
      ...controllerKey(applicationSnapshots)(object),
      ...this.#planned(object.metadata ?? {}),
      ...groups.flatMap(({ name }) => this.#planned({ namespace, name })),
    ];
  }

  /**
   * The ApplicationSnapshots of a content. A content may outlive its VolumeSnapshot: the planned name in the reference
   * still identifies the ApplicationSnapshot.
   */
  #ofReference(reference: Reference): readonly string[] {
    const { namespace = '', name = '' } = reference;
    const snapshot = this.snapshots.get(keyText({ namespace, name }));
    const ofMember = snapshot === undefined ? [] : this.#ofSnapshot(snapshot);
    return [...new Set([...this.#planned(reference), ...ofMember])];
  }

  #planned({ namespace = '', name = '' }: Reference): readonly string[] {
    return this.applications.byIndex('planned', keyText({ namespace, name })).map(keyOf);
  }
}

function byClaim({ metadata, status }: ApplicationSnapshot): readonly string[] {
  const namespace = metadata?.namespace ?? '';
  if (status?.completedAt !== undefined) return [];
  return (status?.volumes ?? []).map(({ claimName }) => keyText({ namespace, name: claimName }));
}

function byPlannedName({ metadata, status = {} }: ApplicationSnapshot): readonly string[] {
  const namespace = metadata?.namespace ?? '';
  const {
    volumes = [],
    volumeGroupSnapshotName: group,
    admitted = [],
    executionHookNames,
  } = status;
  const names = volumes.flatMap(({ volumeSnapshotName }) => volumeSnapshotName ?? []);
  const foreign = new Set(admitted.map(({ name }) => name));
  return [
    ...names,
    ...(executionHookNames ?? []),
    ...(group === undefined ? [] : [group]),
    ...foreign,
  ].map((name) => keyText({ namespace, name }));
}

function bySnapshot({ spec }: VolumeSnapshotContent): readonly string[] {
  return [referenceKey(spec.volumeSnapshotRef)];
}

function byGroupSnapshot({ spec }: VolumeGroupSnapshotContent): readonly string[] {
  return [referenceKey(spec.volumeGroupSnapshotRef)];
}

function referenceKey({ namespace = '', name = '' }: Reference): string {
  return keyText({ namespace, name });
}
