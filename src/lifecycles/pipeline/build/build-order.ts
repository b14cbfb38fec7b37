/** Determines the order in which images are built. Pure. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { Artifact } from '../config/model.ts';

/**
 * The requested images and their requirements, in the order of the file as far as the requirements permit. Throws LHL303
 * for a requested or required image that does not exist, and for a cycle.
 *
 * Worked example: the file has web, api and base, and web requires base. The order is base, web, api.
 */
export function buildOrder(
  artifacts: readonly Artifact[],
  wanted: readonly string[],
): readonly Artifact[] {
  const byImage = new Map(artifacts.map((one) => [one.image, one]));
  const ordered = new Set<Artifact>();
  const visit = (artifact: Artifact, above: readonly string[]): void => {
    if (ordered.has(artifact)) return;
    const path = [...above, artifact.image];
    if (above.includes(artifact.image)) throw circle(artifact, path);
    for (const { image } of artifact.requires) {
      const required = byImage.get(image);
      if (required === undefined) throw missing(artifact, image, [...byImage.keys()]);
      visit(required, path);
    }
    ordered.add(artifact);
  };
  const meant = artifacts.filter(({ image }) => wanted.length === 0 || wanted.includes(image));
  for (const artifact of meant) visit(artifact, []);
  const unknown = wanted.find((image) => !byImage.has(image));
  if (unknown !== undefined) throw unknownImage(unknown, [...byImage.keys()]);
  return [...ordered];
}

function problem(message: string, next: string): Problem {
  return { code: 'LHL303', severity: 'error', message, next };
}

function circle({ at }: Artifact, path: readonly string[]): LifehookError {
  const message = `Images require each other in a circle: ${path.join(' requires ')}.`;
  return new LifehookError({ ...problem(message, 'Remove one of these requirements.'), at });
}

function missing(
  { image, at }: Artifact,
  required: string,
  known: readonly string[],
): LifehookError {
  const message = `${image} requires ${required}, which is not one of the images: ${known.join(', ')}.`;
  return new LifehookError({
    ...problem(message, 'Add it to the artifacts, or correct the name.'),
    at,
  });
}

function unknownImage(image: string, known: readonly string[]): LifehookError {
  const message = `${image} was requested, but is not one of the images: ${known.join(', ')}.`;
  return new LifehookError(problem(message, 'Correct the name.'));
}
