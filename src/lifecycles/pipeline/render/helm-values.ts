/** What templates of helm values may name: the built images, under the names of the shipped tool. Pure. */
import { parseImageName } from '../hooks/image-name.ts';
import type { BuiltArtifact } from '../session.ts';

/**
 * Of the first image the bare names, of the n-th those with n behind them; of each those with the image's name.
 *
 * Worked example: web, built as localhost:5000/web:v1: IMAGE_NAME=web, IMAGE_REPO=localhost:5000/web, IMAGE_TAG=v1,
 * IMAGE_DOMAIN=localhost:5000, IMAGE_REPO_NO_DOMAIN=web, IMAGE_FULLY_QUALIFIED=localhost:5000/web:v1, and the same as
 * IMAGE_NAME_web and so on.
 */
export function imageTemplateData(
  built: readonly Pick<BuiltArtifact, 'image' | 'reference'>[],
): Record<string, string> {
  const data: Record<string, string> = {};
  for (const [index, { image, reference }] of built.entries()) {
    const number = index === 0 ? '' : String(index + 1);
    const word = image.replaceAll(/[^A-Za-z0-9]/g, '_');
    for (const [name, value] of Object.entries(partsOf(image, reference))) {
      data[`${name}${number}`] = value;
      data[`${name}_${word}`] = value;
    }
  }
  return data;
}

function partsOf(image: string, reference: string): Record<string, string> {
  const { repo, tag } = parseImageName(reference);
  const [, digest = ''] = reference.split('@');
  const [first = ''] = repo.split('/');
  // A host has a dot or a port, or is this one; else the name is of the usual registry.
  const domain = /[.:]|^localhost$/.test(first) && repo.includes('/') ? first : '';
  return {
    IMAGE_NAME: image,
    IMAGE_REPO: repo,
    IMAGE_TAG: tag ?? '',
    IMAGE_DIGEST: digest,
    IMAGE_DOMAIN: domain,
    IMAGE_REPO_NO_DOMAIN: domain === '' ? repo : repo.slice(domain.length + 1),
    IMAGE_FULLY_QUALIFIED: reference,
  };
}
