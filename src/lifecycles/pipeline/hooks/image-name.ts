/** Parses an image name into the parts of the contract. Pure. */
export interface ImageName {
  /** The name without tag and digest. */
  readonly repo: string;
  /** The part of the repo before its last "/"; "": none. */
  readonly parent: string;
  readonly tag: string | null;
}

/**
 * A colon starts a tag only after the last slash; before it, it starts the port of a registry.
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
