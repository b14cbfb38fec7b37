/** What a build would do: which images in which order, under which references, and which of them are there already. */
import { LifehookError } from '../../../model/problem.ts';
import type { Artifact, ModuleConfig } from '../config/model.ts';
import type { PipelineSession } from '../session.ts';
import { artifactFiles } from './artifact-files.ts';
import { BuildCache, cacheKey } from './build-cache.ts';
import { buildOrder } from './build-order.ts';
import { withDefaultRepo } from './default-repo.ts';
import { tagOf } from './tag-of.ts';

export interface PlannedBuild {
  readonly module: ModuleConfig;
  readonly artifact: Artifact;
  /** With default-repo and tag. */
  readonly reference: string;
  readonly push: boolean;
  /** Of all that it is made of and how; hex. */
  readonly key: string;
  /** Of the image that is there; null: it is to be built. */
  readonly cachedId: string | null;
}

/** In the order of building. Rejects with a LifehookError where a tag, an order or a list of files can't be made. */
export async function planBuild(session: PipelineSession): Promise<readonly PlannedBuild[]> {
  const { modules } = session.config;
  const artifacts = modules.flatMap(({ build }) => build.artifacts);
  const cache = await openCache(session);
  const atMs = session.platform.clock.nowMs();
  const planned = new Map<string, PlannedBuild>();
  for (const artifact of buildOrder(artifacts, session.options.buildImages)) {
    const module = modules.find(({ build }) => build.artifacts.includes(artifact));
    if (module === undefined) continue;
    planned.set(artifact.image, await planOne({ module, artifact, planned, cache, atMs }, session));
  }
  return [...planned.values()];
}

export async function openCache({ stateFolder, platform }: PipelineSession): Promise<BuildCache> {
  return BuildCache.open(`${stateFolder}/build-cache.json`, platform.files);
}

interface PlanFacts {
  readonly module: ModuleConfig;
  readonly artifact: Artifact;
  readonly planned: ReadonlyMap<string, PlannedBuild>;
  readonly cache: BuildCache;
  readonly atMs: number;
}

async function planOne(facts: PlanFacts, session: PipelineSession): Promise<PlannedBuild> {
  const { module, artifact, planned, cache } = facts;
  const key = await keyOf(artifact, planned, session);
  const { defaultRepo: repo, multiLevelRepo: multiLevel } = session.options;
  const name = withDefaultRepo(artifact.image, { repo, multiLevel });
  const reference = `${name}:${await tagFor(facts, key, session)}`;
  const push = isPushed(module, session);
  const known = session.options.cacheArtifacts ? cache.idOf(key) : null;
  // What is required and built anew changes what is built on it.
  const isOnOld = artifact.requires.every(({ image }) => planned.get(image)?.cachedId !== null);
  const there = known !== null && isOnOld && (await isThere({ reference, push, known }, session));
  return { module, artifact, reference, push, key, cachedId: there ? known : null };
}

export async function keyOf(
  artifact: Artifact,
  planned: ReadonlyMap<string, PlannedBuild>,
  session: PipelineSession,
): Promise<string> {
  const requiredKeys = artifact.requires.map(({ image }) => planned.get(image)?.key ?? image);
  const paths = await artifactFiles(artifact, session);
  return cacheKey({ artifact, paths, requiredKeys, files: session.platform.files });
}

/** B14: a tag that can't be made ends the build. */
async function tagFor(
  { module, artifact, atMs }: PlanFacts,
  key: string,
  session: PipelineSession,
): Promise<string> {
  if (session.options.tag !== null) return session.options.tag;
  const digest = (): Promise<string> => Promise.resolve(key);
  const result = await tagOf(module.build.tagPolicy, { artifact, session, atMs, digest });
  if (result.kind === 'tag') return result.tag;
  throw new LifehookError({
    code: 'LHL301',
    severity: 'error',
    message: `The tag of ${artifact.image} can't be made by ${module.build.tagPolicy.kind}: ${result.reason}.`,
    at: artifact.at,
    next: 'Correct build.tagPolicy or what it needs, or give --tag.',
  });
}

/** Where the local cluster takes images in, nothing is pushed. */
function isPushed({ build }: ModuleConfig, { options, target }: PipelineSession): boolean {
  if (target !== null && target.images !== null) return false;
  return options.push ?? build.push ?? target !== null;
}

/** What was pushed stays there; elsewhere only the local cluster is asked, since docker may have cleaned up. */
async function isThere(
  { reference, push, known }: { reference: string; push: boolean; known: string },
  { target }: PipelineSession,
): Promise<boolean> {
  if (push) return true;
  const id = (await target?.images?.idOf(reference)) ?? null;
  return id === known;
}
