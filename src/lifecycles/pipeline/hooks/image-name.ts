/** Parses an image name into the parts of the contract. Pure. */
export interface ImageName {
  /** The name without tag and digest. */
  readonly repo: string;
  /** The part of the repo before its last "/"; "" if there is none. */
  readonly parent: string;
  readonly tag: string | null;
}

/**
 * Splits the name of an image. A colon after the last slash starts a tag. A colon before the last slash starts the port
 * of a registry.
 *
 * Worked examples: "ghcr.io/acme/web:v1" has the repo ghcr.io/acme/web, the parent ghcr.io/acme and the tag v1.
 * "localhost:5000/web" has itself as repo, the parent localhost:5000 and no tag. "web:v1@sha256:00" has the repo web,
 * no parent and the tag v1.
 */
export function parseImageName(image: string): ImageName {
  const [name = ''] = image.split('@');
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  const repo = colon === -1 ? name : name.slice(0, colon);
  return {
    repo,
    parent: slash === -1 ? '' : repo.slice(0, slash),
    tag: colon === -1 ? null : name.slice(colon + 1),
  };
}
