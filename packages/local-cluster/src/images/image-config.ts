/** Reads the parts of an image's config that we use, as OCI and Docker write it. */
import { fieldsAt, isObject, textAt, textsAt } from '../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';
import { LifehookError } from '../../../../src/model/problem.ts';
import type { LocalImage } from '../../../../src/platform/container-runtime.ts';

export type ImageConfig = LocalImage['config'];

export const emptyConfig: ImageConfig = {
  entrypoint: [],
  command: [],
  env: {},
  workingDir: null,
  user: null,
};

export interface ReadConfig {
  readonly config: ImageConfig;
  /** The digests of the uncompressed layers, the lowest first. */
  readonly diffIds: readonly string[];
}

export function readImageConfig(text: string, file: string): ReadConfig {
  const image = parseObject(text, file);
  const config = fieldsAt(image, 'config');
  const env = textsAt(config, 'Env').map((entry): [string, string] => {
    const at = entry.indexOf('=');
    return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
  });
  return {
    config: {
      entrypoint: textsAt(config, 'Entrypoint'),
      command: textsAt(config, 'Cmd'),
      env: Object.fromEntries(env),
      workingDir: textAt(config, 'WorkingDir') || null,
      user: textAt(config, 'User') || null,
    },
    diffIds: textsAt(image, 'rootfs', 'diff_ids'),
  };
}

export function parseObject(text: string, file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Text that is not JSON is reported below.
  }
  throw damaged(`${file} must hold a JSON object, and does not`);
}

export function damaged(
  what: string,
  next = 'Save or build the image again; nothing was imported.',
): LifehookError {
  return new LifehookError({
    code: 'LHN302',
    message: `The image cannot be imported: ${what}.`,
    next,
  });
}

/**
 * Parsed name of an image. `nginx`, `docker.io/library/nginx` and `nginx:latest` are the same image, as for Kubernetes
 * and container engines.
 */
interface Reference {
  /** Repository with its registry, such as "docker.io/library/nginx". */
  readonly repository: string;
  /** Tag; null if the name has only a digest. */
  readonly tag: string | null;
  readonly digest: string | null;
}

const DEFAULT_DOMAIN = 'docker.io';
const DEFAULT_TAG = 'latest';

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** Engines recognise a registry by a dot, a port, or the name localhost. */
const domain = `(?:localhost|${label}(?:\\.${label})+|${label}(?=:\\d))(?::\\d+)?/`;
const path = `${component}(?:/${component})*`;
const pattern = new RegExp(
  `^(${domain})?(${path})(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
);

/** Throws a LifehookError for a name that no engine accepts. */
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

/** Returns the same text for all spellings of a name. */
export function canonicalReference(text: string): string {
  const { repository, tag, digest } = parseReference(text);
  return digest === null ? `${repository}:${tag ?? DEFAULT_TAG}` : `${repository}@${digest}`;
}

/** The short form that users write, such as `nginx:latest`. */
export function familiarReference(canonical: string): string {
  return canonical.replace(/^docker\.io\/(?:library\/)?/, '');
}

function invalid(text: string): LifehookError {
  return new LifehookError({
    code: 'LHN301',
    message: `An image is named like nginx, nginx:1.16.1 or ghcr.io/team/web:v2, in lower case; received ${JSON.stringify(text)}.`,
    next: 'Correct the name.',
  });
}
