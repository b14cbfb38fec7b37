/** The parts of an image's name, as the contract names them. Pure. */
export interface ImageName {
  /** Everything before the tag and the digest. */
  readonly repo: string;
  /** What stands before the last "/" of the repo; "": nothing. */
  readonly parent: string;
  readonly tag: string | null;
}

/**
 * A colon is a tag's only after the last slash: before it, it is a registry's port.
 *
 * Worked examples: "ghcr.io/acme/web:v1" is ghcr.io/acme/web, below ghcr.io/acme, v1; "localhost:5000/web" is itself,
 * below localhost:5000, without a tag; "web:v1@sha256:00" is web, below nothing, v1.
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
