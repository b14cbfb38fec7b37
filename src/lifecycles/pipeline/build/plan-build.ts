/** What a build would do: which images in which order, under which references, and which of them are there already. */
import { LifehookError } from '../../../model/problem.ts';
import type { Artifact, ModuleConfig } from '../config/model.ts';
import type { PipelineSession } from '../session.ts';
import { artifactFiles } from './artifact-files.ts';
import { type BuildArgs, buildArgsOf } from './build-args.ts';
import { BuildCache, type CachedImage, cacheKey } from './build-cache.ts';
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
  /** The name by which it is there, with its digest in the registry; one of another tag gets `reference` too. */
  readonly thereAs: string | null;
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
  const known = session.options.cacheArtifacts ? cache.find(key) : null;
  // What is required and built anew changes what is built on it.
  const isOnOld = artifact.requires.every(({ image }) => planned.get(image)?.cachedId !== null);
  const thereAs =
    known === null || !isOnOld ? null : await nameOf(known, { reference, push }, session);
  const cachedId = thereAs === null ? null : (known?.id ?? null);
  return { module, artifact, reference, push, key, cachedId, thereAs };
}

export async function keyOf(
  artifact: Artifact,
  planned: ReadonlyMap<string, PlannedBuild>,
  session: PipelineSession,
): Promise<string> {
  const requiredKeys = artifact.requires.map(({ image }) => planned.get(image)?.key ?? image);
  const paths = await artifactFiles(artifact, session);
  const buildArgs = await argsInKey(artifact, session);
  return cacheKey({ artifact, buildArgs, paths, requiredKeys, files: session.platform.files });
}

/** Required images count by their keys, not by the tags that they get this time. */
async function argsInKey(artifact: Artifact, session: PipelineSession): Promise<BuildArgs> {
  const { builder, requires } = artifact;
  if (builder.kind !== 'docker') return {};
  const required = Object.fromEntries(requires.map(({ image, alias }) => [alias, image]));
  const args = await buildArgsOf({ ...artifact, builder }, required, session);
  const { callerEnv } = session.hooks;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value ?? callerEnv[name] ?? null]),
  );
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

/**
 * null: it is not there any more. What was pushed stays there; elsewhere only the local cluster is asked, since docker
 * may have cleaned up.
 */
async function nameOf(
  known: CachedImage,
  { reference, push }: Pick<PlannedBuild, 'reference' | 'push'>,
  { target }: PipelineSession,
): Promise<string | null> {
  if (push) return known.pushed ? known.reference : null;
  // One that took its tag over from another image is told apart by its digest.
  const isOwn = known.reference.startsWith(`${reference}@`);
  for (const name of isOwn ? [known.reference] : [reference, known.reference]) {
    if ((await target?.images?.idOf(name)) === known.id) return name;
  }
  return null;
}
