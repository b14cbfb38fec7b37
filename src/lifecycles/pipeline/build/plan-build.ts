/** Plans a build: the images in order, their references, and which images exist already. */
import { LifehookError } from '../../../model/problem.ts';
import { sha256 } from '../../../platform/digests.ts';
import type { Artifact, ModuleConfig } from '../config/model.ts';
import { interrupted } from '../hooks/run-stage.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { withStateLock } from '../state-lock.ts';
import { artifactFiles } from './artifact-files.ts';
import { type BuildArgs, buildArgsOf } from './docker-argv.ts';
import { BuildCache, type CachedImage, cacheKey } from './build-cache.ts';
import { buildOrder } from './build-order.ts';
import { withDefaultRepo } from './default-repo.ts';
import { SHA256_TAG, tagOf } from './tag-of.ts';

export interface PlannedBuild {
  readonly module: ModuleConfig;
  readonly artifact: Artifact;
  /** The image's name with default-repo and tag. */
  readonly reference: string;
  readonly push: boolean;
  /** Hex digest of the image's sources and of the builder's settings. */
  readonly key: string;
  /** The id of the existing image; null: it has to be built. */
  readonly cachedId: string | null;
  /**
   * The existing image's name, perhaps with its digest; null: it has to be built. If that name has another tag,
   * `reference` is added to the image.
   */
  readonly thereAs: string | null;
}

/** In build order. Rejects with a LifehookError if a tag, an order or a list of files cannot be determined. */
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

/**
 * The result of a plan, or a cancellation: after an interruption the missing answer of git or of another program is no
 * mistake of the configuration.
 */
export async function unlessInterrupted<T>(
  { hooks: { signal } }: PipelineSession,
  plan: () => Promise<T>,
): Promise<PhaseResult<T>> {
  try {
    return { outcome: 'Succeeded', value: await plan() };
  } catch (error) {
    if (signal.aborted && error instanceof LifehookError) return interrupted;
    throw error;
  }
}

export async function openCache(session: PipelineSession): Promise<BuildCache> {
  return BuildCache.open({
    path: `${session.stateFolder}/build-cache.json`,
    files: session.platform.files,
    alone: (change) => withStateLock(session, change),
  });
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
  const content = await contentKeyOf(artifact, planned, session);
  const { defaultRepo: repo, multiLevelRepo: multiLevel } = session.options;
  const name = withDefaultRepo(artifact.image, { repo, multiLevel });
  const reference = `${name}:${await tagFor(facts, content, session)}`;
  const key = await withNamesIn(content, { artifact, reference }, session);
  const push = isPushed(module, session);
  const known = session.options.cacheArtifacts ? cache.find(key) : null;
  // A rebuilt requirement changes the images that require it.
  const isOnOld = artifact.requires.every(({ image }) => planned.get(image)?.cachedId !== null);
  const thereAs =
    known === null || !isOnOld ? null : await nameOf(known, { reference, push }, session);
  const cachedId = thereAs === null ? null : (known?.id ?? null);
  return { module, artifact, reference, push, key, cachedId, thereAs };
}

/** The cache key of the image as its sources are now, for a build under this reference. */
export async function keyOf(
  { artifact, reference }: Pick<PlannedBuild, 'artifact' | 'reference'>,
  planned: ReadonlyMap<string, PlannedBuild>,
  session: PipelineSession,
): Promise<string> {
  const content = await contentKeyOf(artifact, planned, session);
  return withNamesIn(content, { artifact, reference }, session);
}

/** The part of the key that does not depend on the reference, since a tag may be derived from this part. */
async function contentKeyOf(
  artifact: Artifact,
  planned: ReadonlyMap<string, PlannedBuild>,
  session: PipelineSession,
): Promise<string> {
  const requiredKeys = artifact.requires.map(({ image }) => planned.get(image)?.key ?? image);
  const paths = await artifactFiles(artifact, session);
  const buildArgs = await argsInKey(artifact, null, session);
  return cacheKey({ artifact, buildArgs, paths, requiredKeys, files: session.platform.files });
}

/** Adds the reference to the key if the build arguments contain it: then another tag makes another image. */
async function withNamesIn(
  content: string,
  { artifact, reference }: Pick<PlannedBuild, 'artifact' | 'reference'>,
  session: PipelineSession,
): Promise<string> {
  const [open, named] = await Promise.all(
    [null, reference].map((one) => argsInKey(artifact, one, session)),
  );
  const text = JSON.stringify(named);
  return text === JSON.stringify(open) ? content : sha256(JSON.stringify([content, text]));
}

/**
 * The build arguments for the cache key. Names stand for the references of required images: the key contains their own
 * keys anyway.
 */
async function argsInKey(
  artifact: Artifact,
  reference: string | null,
  session: PipelineSession,
): Promise<BuildArgs> {
  const { builder, requires } = artifact;
  if (builder.kind !== 'docker') return {};
  const required = Object.fromEntries(requires.map(({ image, alias }) => [alias, image]));
  const args = await buildArgsOf({ ...artifact, builder }, { required, reference }, session);
  const { callerEnv } = session.hooks;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value ?? callerEnv[name] ?? null]),
  );
}

/** PIPE-B14: a tag that cannot be determined fails the build, except with --compat. */
async function tagFor(
  { module, artifact, atMs }: PlanFacts,
  key: string,
  session: PipelineSession,
): Promise<string> {
  if (session.options.tag !== null) return session.options.tag;
  const digest = (): Promise<string> => Promise.resolve(key);
  const result = await tagOf(module.build.tagPolicy, { artifact, session, atMs, digest });
  if (result.kind === 'tag') return result.tag;
  if (session.options.compat) {
    warnOfLatest(artifact, result.reason, session);
    return SHA256_TAG;
  }
  throw new LifehookError({
    code: 'LHL301',
    message: `The tag of ${artifact.image} cannot be computed by ${module.build.tagPolicy.kind}: ${result.reason}.`,
    at: artifact.at,
    next: 'Correct build.tagPolicy, fix the reported cause, or give --tag.',
  });
}

/** With --compat any error of the tagger leads to "latest", as in skaffold. */
function warnOfLatest({ image }: Artifact, reason: string, { hooks }: PipelineSession): void {
  const message = `The tag of ${image} cannot be computed, so with --compat it is ${SHA256_TAG}: ${reason}.`;
  hooks.emit({ type: 'Warning', code: 'LHL301', message });
}

/** Whether built images are pushed. If the local cluster imports images, nothing is pushed. */
function isPushed({ build }: ModuleConfig, { options, target }: PipelineSession): boolean {
  if (target !== null && target.images !== null) return false;
  return options.push ?? build.push ?? target !== null;
}

/**
 * The name under which the image exists; null: it does not exist any more. A pushed image is taken to exist. Any other
 * image exists only if the local cluster has it, since docker may have pruned its own.
 */
async function nameOf(
  known: CachedImage,
  { reference, push }: Pick<PlannedBuild, 'reference' | 'push'>,
  { target }: PipelineSession,
): Promise<string | null> {
  if (push) return known.pushed ? known.reference : null;
  // True: another image has taken the tag, so `known.reference` names this image by its digest. Then only that name is
  // looked up.
  const isOwn = known.reference.startsWith(`${reference}@`);
  for (const name of isOwn ? [known.reference] : [reference, known.reference]) {
    if ((await target?.images?.idOf(name)) === known.id) return name;
  }
  return null;
}
