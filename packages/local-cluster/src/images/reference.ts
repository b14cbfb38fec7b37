/**
 * Names of images as Kubernetes and container engines have them: `nginx`, `docker.io/library/nginx` and
 * `nginx:latest` are one.
 */
import { LifehookError } from '../../../../src/model/problem.ts';

export interface Reference {
  /** "docker.io/library/nginx". */
  readonly repository: string;
  /** null: named by its digest. */
  readonly tag: string | null;
  readonly digest: string | null;
}

const DEFAULT_DOMAIN = 'docker.io';
const DEFAULT_TAG = 'latest';

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** As engines tell a registry from a folder: by a dot, a port, or being localhost. */
const domain = `(?:localhost|${label}(?:\\.${label})+|${label}(?=:\\d))(?::\\d+)?/`;
const path = `${component}(?:/${component})*`;
const pattern = new RegExp(
  `^(${domain})?(${path})(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
);

/** Throws a LifehookError for what no engine takes. */
export function parseReference(text: string): Reference {
  const found = pattern.exec(text);
  if (found === null) throw invalid(text);
  const [, registry = `${DEFAULT_DOMAIN}/`, name = '', tag = null, digest = null] = found;
  const isOfficial = registry === `${DEFAULT_DOMAIN}/` && !name.includes('/');
  const implied = digest === null ? DEFAULT_TAG : null;
  return {
    repository: `${registry}${isOfficial ? 'library/' : ''}${name}`,
    tag: tag ?? implied,
    digest,
  };
}

/** One text for all spellings. */
export function canonicalReference(text: string): string {
  const { repository, tag, digest } = parseReference(text);
  return digest === null ? `${repository}:${tag ?? DEFAULT_TAG}` : `${repository}@${digest}`;
}

/** As people write it. */
export function familiarReference(canonical: string): string {
  return canonical.replace(/^docker\.io\/(?:library\/)?/, '');
}

function invalid(text: string): LifehookError {
  return new LifehookError({
    code: 'LHN301',
    severity: 'error',
    message: `An image is named like nginx, nginx:1.16.1 or ghcr.io/team/web:v2, in lower case; received ${JSON.stringify(text)}.`,
    next: 'Correct the name.',
  });
}
