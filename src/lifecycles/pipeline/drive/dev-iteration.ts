/**
 * Runs one iteration of the development loop: syncs changed files or, if that is not enough, builds, tests, renders and
 * deploys.
 */
import { openCache } from '../build/plan-build.ts';
import { runBuild } from '../build/run-build.ts';
import { textOf } from '../build/text-file.ts';
import type { Artifact } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import type { BuiltArtifact, Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { inferPlaces } from '../sync/infer-places.ts';
import { type FileChanges, planSync, type SyncPlan } from '../sync/plan-sync.ts';
import { runSync } from '../sync/run-sync.ts';
import { SyncedFiles } from '../sync/synced-files.ts';
import { runTests } from '../test/run-test.ts';
import {
  changesOf,
  type GroupKey,
  isEmpty,
  presentIn,
  type Snapshot,
  withFilesOf,
  withUnknown,
} from '../watch/snapshot.ts';
import { artifactKey, isTestKey } from '../watch/watched-groups.ts';
import { renderAndDeploy } from './deploy.ts';
import { type DevSync, type DevWork, planDev } from './dev-plan.ts';

type Work = Extract<DevWork, { kind: 'work' }>;

const DONE = { outcome: 'Succeeded', value: null } as const;

/** The changes of each group since the group was last processed. */
export function dueChanges(state: DevState, now: Snapshot): ReadonlyMap<GroupKey, FileChanges> {
  const found = [...now.groups.keys()].map(
    (key) => [key, changesOf(key, state.done(key), now)] as const,
  );
  return new Map(found.filter(([, changes]) => !isEmpty(changes)));
}

/** Processes all pending changes; a change whose processing fails stays pending. */
export async function runIteration(
  session: PipelineSession,
  state: DevState,
  now: Snapshot,
): Promise<PhaseResult<null>> {
  const changes = dueChanges(state, now);
  const syncs = await plannedSyncs(changes, now, session);
  const { config } = session;
  const facts = { config, changes, syncs, synced: state.synced, isDeployed: state.isDeployed };
  state.lastBuilt = new Set();
  const work = planDev(facts);
  if (work.kind !== 'work') return DONE;
  for (const sync of work.syncs) {
    const { modified, deleted } = sync.changes;
    const key = artifactKey(sync.artifact.image);
    // The files count as doubtful until the sync has succeeded: it may have sent some of them before it fails.
    state.doubt(key, new Set([...modified, ...deleted]));
    const result = await syncOne(sync, session, state);
    if (result.outcome === 'Rebuild') {
      syncs.set(sync.artifact.image, { kind: 'rebuild', reason: result.reason });
    } else if (result.outcome !== 'Succeeded') {
      return result;
    } else {
      state.finish([key], now);
    }
  }
  // Images whose files could not be synced are built. Then images with synced files are built too: see planDev.
  const rest = planDev({ ...facts, synced: state.synced, changes: dueChanges(state, now) });
  const result =
    rest.kind === 'work' ? await buildAndDeploy(rest, session, { state, changes }) : DONE;
  if (result.outcome === 'Succeeded') state.finish(now.groups.keys(), now);
  return result;
}

async function plannedSyncs(
  changes: ReadonlyMap<GroupKey, FileChanges>,
  now: Snapshot,
  session: PipelineSession,
): Promise<Map<string, SyncPlan>> {
  const artifacts = session.config.modules.flatMap(({ build }) => build.artifacts);
  const plans = new Map<string, SyncPlan>();
  for (const artifact of artifacts) {
    const key = artifactKey(artifact.image);
    const changed = changes.get(key);
    if (changed === undefined) continue;
    const present = presentIn(now, key);
    const places = inferPlaces(artifact, await dockerfileOf(artifact, session));
    plans.set(artifact.image, planSync(artifact, { ...changed, present }, places));
  }
  return plans;
}

async function dockerfileOf(
  { builder, context, sync }: Artifact,
  { platform: { files } }: PipelineSession,
): Promise<string | null> {
  if (builder.kind !== 'docker' || sync === null || sync.mode === 'manual') return null;
  return textOf(resolveFrom(context, builder.dockerfile), files);
}

async function syncOne(
  { artifact, changes, plan }: DevSync,
  session: PipelineSession,
  state: DevState,
): Promise<Awaited<ReturnType<typeof runSync>>> {
  const built = state.built.find(({ image }) => image === artifact.image);
  const { deployed } = state;
  if (built === undefined || deployed === null) {
    return { outcome: 'Rebuild', reason: 'it is not deployed' };
  }
  state.synced.add(artifact.image);
  // With the process runner, containers run in the image's own directory. A sync changes it, so the cached image is no
  // longer the built one.
  if (session.target?.images !== null) await (await openCache(session)).forget(built.id);
  const { image, reference } = built;
  const { namespaces } = deployed;
  const result = await runSync(session, { built, deployed, changes, plan });
  if (result.outcome === 'Succeeded') {
    const paths = [...changes.modified, ...changes.deleted];
    state.syncedFiles.add({ image, reference, namespaces }, paths, result.value);
  }
  if (result.outcome !== 'Rebuild') return result;
  const message = `${artifact.image} could not be synced and is built instead: ${result.reason}.`;
  session.hooks.emit({ type: 'Warning', code: 'LHL501', message });
  return result;
}

interface Around {
  readonly state: DevState;
  readonly changes: ReadonlyMap<GroupKey, FileChanges>;
}

async function buildAndDeploy(
  work: Work,
  session: PipelineSession,
  { state, changes }: Around,
): Promise<PhaseResult<null>> {
  for (const message of work.notes) {
    session.hooks.emit({ type: 'PhaseEvent', phase: 'sync', status: 'Skipped', message });
  }
  if (work.builds === 'all' || work.builds.size > 0) {
    const only = work.builds === 'all' ? undefined : work.builds;
    const built = await runBuild(session, only, state.built);
    if (built.outcome !== 'Succeeded') return built;
    const fresh = built.value.filter((one) => !state.built.includes(one));
    state.built = built.value;
    state.lastBuilt = new Set(fresh.filter(({ cached }) => !cached).map(({ image }) => image));
  }
  if (work.tests) {
    const meant = state.built.filter(
      ({ image }) => work.builds === 'all' || work.builds.has(image) || hasTests(image, changes),
    );
    const tested = await runTests(session, meant);
    if (tested.outcome !== 'Succeeded') return tested;
  }
  if (!work.deploys) return DONE;
  const deployed = await renderAndDeploy(session, state.built);
  if (deployed.outcome !== 'Succeeded') return deployed;
  state.deployedAnew(deployed.value);
  return DONE;
}

function hasTests(image: string, changes: ReadonlyMap<GroupKey, FileChanges>): boolean {
  return [...changes.keys()].some((key) => isTestKey(key, image));
}

/** The state of a development session between two iterations. */
export class DevState {
  built: readonly BuiltArtifact[] = [];
  deployed: Deployed | null = null;
  /** Whether everything in the configuration is deployed. Once it is, only changes are processed. */
  isDeployed = false;
  /** Images whose containers have synced files that no build has. */
  readonly synced: Set<string> = new Set();
  /** The synced files, and the containers that have them. */
  readonly syncedFiles: SyncedFiles = new SyncedFiles();
  /** Images that the last iteration built, without those from the cache. */
  lastBuilt: ReadonlySet<string> = new Set();
  /** The content of each group when it was last processed: a difference from it is a pending change. */
  readonly #done = new Map<GroupKey, Snapshot>();

  done(key: GroupKey): Snapshot | null {
    return this.#done.get(key) ?? null;
  }

  finish(keys: Iterable<GroupKey>, snapshot: Snapshot): void {
    for (const key of keys) this.#done.set(key, snapshot);
  }

  /** Marks the current content of these files as processed. */
  absorb(paths: ReadonlySet<string>, now: Snapshot): void {
    const made = new Map<Snapshot, Snapshot>();
    for (const [key, snapshot] of this.#done) {
      const next = made.get(snapshot) ?? withFilesOf(snapshot, paths, now);
      made.set(snapshot, next);
      this.#done.set(key, next);
    }
  }

  /** Marks these files as pending whatever their content, since it is unknown how far they were processed. */
  doubt(key: GroupKey, paths: ReadonlySet<string>): void {
    const snapshot = this.#done.get(key);
    if (snapshot !== undefined) this.#done.set(key, withUnknown(snapshot, key, paths));
  }

  /** Records a deployment. The new images have all synced files, so the records of syncs are cleared. */
  deployedAnew(deployed: Deployed): void {
    this.deployed = deployed;
    this.isDeployed = true;
    // planDev has added every image with synced files to the builds of this deployment.
    this.synced.clear();
    this.syncedFiles.clear();
  }

  /** Marks everything as not deployed. Call it for a new configuration. The cache still has the built images. */
  forget(): void {
    this.isDeployed = false;
    this.#done.clear();
  }
}
