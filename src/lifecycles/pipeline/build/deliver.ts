/** Delivers built images into the local cluster, to a registry, or nowhere, and adds names to delivered images. */
import { sha256 } from '../../../platform/digests.ts';
import { programFailure } from '../programs/run-program.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import {
  ask,
  containerProgram,
  imageId,
  type ImageOf,
  withAlgorithm,
} from './container-program.ts';

export interface MadeImage {
  readonly id: string;
  /** The digest in the registry, "sha256:…"; null: not pushed, or unknown. */
  readonly digest: string | null;
}

const PRIVATE = 0o700;

/** Delivers into the local cluster, or to the registry. Returns the id that the image has there. */
export async function deliver(
  of: ImageOf & { readonly id: string; readonly push: boolean },
  session: PipelineSession,
): Promise<PhaseResult<MadeImage>> {
  const { program, reference, image, id } = of;
  if (of.push) return pushImage(of, session);
  const images = session.target?.images ?? null;
  if (images === null) return { outcome: 'Succeeded', value: { id, digest: null } };
  return withFile({ reference, ending: 'tar' }, session, async (archive) => {
    const argv =
      program === 'buildah'
        ? [program, 'push', reference, `docker-archive:${archive}:${reference}`]
        : [program, 'save', '--output', archive, reference];
    const ran = await ask(of, argv, session);
    if (ran.outcome !== 'Succeeded') {
      return programFailure(ran, { title: titleOf(image), next: 'free some space.' });
    }
    const imported = await images.importImage({ from: archive, reference });
    return { outcome: 'Succeeded', value: { id: imported, digest: null } };
  });
}

/** Gives the image `existing` the further name `reference`: in the registry if images are pushed, else locally. */
export async function retag(
  { existing, reference, image }: { readonly existing: string } & Omit<ImageOf, 'program'>,
  push: boolean,
  session: PipelineSession,
): Promise<PhaseResult<MadeImage>> {
  const images = session.target?.images ?? null;
  if (!push && images !== null) {
    await images.tag(existing, reference);
    const id = (await images.idOf(reference)) ?? '';
    return { outcome: 'Succeeded', value: { id, digest: null } };
  }
  const of = { program: await containerProgram(session), reference, image };
  const [name = existing] = existing.split('@');
  const ran = await ask(of, [of.program, 'tag', name, reference], session);
  if (ran.outcome !== 'Succeeded') {
    return programFailure(ran, { title: titleOf(image), next: 'build it again.' });
  }
  const id = await imageId(of, session);
  return id.outcome === 'Succeeded' ? deliver({ ...of, id: id.value, push }, session) : id;
}

function titleOf(image: string): string {
  return `error LHL304: ${image} could not be delivered`;
}

async function pushImage(
  of: ImageOf & { readonly id: string },
  session: PipelineSession,
): Promise<PhaseResult<MadeImage>> {
  const { program, reference, image, id } = of;
  return withFile({ reference, ending: 'digest' }, session, async (file) => {
    // docker is asked for the digest after the push; podman and buildah write it to a file.
    const reported = program === 'docker' ? [] : ['--digestfile', file];
    const ran = await ask(of, [program, 'push', ...reported, reference], session);
    if (ran.outcome !== 'Succeeded') {
      const next = `check that ${program} is allowed to push to the registry.`;
      return programFailure(ran, { title: titleOf(image), next });
    }
    const digest =
      program === 'docker'
        ? await dockerDigest(of, session)
        : withAlgorithm(await session.platform.files.read(file));
    return { outcome: 'Succeeded', value: { id, digest } };
  });
}

/** Finds the digest of the pushed name of an image, which can have several names in registries. */
async function dockerDigest(of: ImageOf, session: PipelineSession): Promise<string | null> {
  const { program, reference } = of;
  const format = '{{range .RepoDigests}}{{println .}}{{end}}';
  const argv = [program, 'inspect', '--type=image', '--format', format, reference];
  const { outcome, stdout } = await ask(of, argv, session);
  if (outcome !== 'Succeeded') return null;
  const repo = reference.slice(0, reference.lastIndexOf(':'));
  const found = stdout.split('\n').find((row) => row.startsWith(`${repo}@`));
  return found === undefined ? null : found.slice(repo.length + 1).trim();
}

async function withFile<T>(
  { reference, ending }: { readonly reference: string; readonly ending: string },
  { hooks: { scratchFolder }, platform: { files } }: PipelineSession,
  use: (path: string) => Promise<T>,
): Promise<T> {
  // The path contains a hash, because a reference can be longer than the name of a file may be.
  const path = `${scratchFolder}/${sha256(reference)}.${ending}`;
  await files.makeFolder(scratchFolder, PRIVATE);
  try {
    return await use(path);
  } finally {
    await files.remove(path);
  }
}
