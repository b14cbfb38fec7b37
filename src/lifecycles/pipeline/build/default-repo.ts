/** Rewrites image names with the default repository. Pure. */
import { parseImageName } from '../hooks/image-name.ts';

export interface DefaultRepo {
  /** null: names are not changed. */
  readonly repo: string | null;
  /** Whether the registry supports nested paths; null: derived from its name. */
  readonly multiLevel: boolean | null;
}

/** Maximum characters of a name without tag, as in registries. */
const MAX_NAME_CHARACTERS = 255;

/**
 * A name that is in the repository already is not changed. Otherwise the whole old name becomes one path segment of the
 * new one or, with multiple levels, is kept as a path.
 *
 * Worked examples, as observed in skaffold:
 *   gcr.io/a/web in localhost:5000/x is localhost:5000/x/gcr_io_a_web;
 *   gcr.io/a/b/web in gcr.io/a stays;
 *   acme/web in gcr.io/p is gcr.io/p/acme_web, and with multiple levels gcr.io/p/acme/web.
 */
export function withDefaultRepo(image: string, { repo, multiLevel }: DefaultRepo): string {
  if (repo === null || repo === '') return image;
  const base = repo.replace(/\/+$/, '');
  const name = parseImageName(image).repo;
  const rest = image.slice(name.length);
  if (name.startsWith(`${base}/`)) return image;
  return `${base}/${inside(name, base, multiLevel)}`.slice(0, MAX_NAME_CHARACTERS) + rest;
}

/** The host and the project of a Google registry. A name in the project of the default repository loses this prefix. */
const PROJECT = /^(?:[^/]*\.)?gcr\.io\/[^/]+\//;

function inside(name: string, base: string, multiLevel: boolean | null): string {
  const [project] = PROJECT.exec(name) ?? [];
  if (multiLevel === false) return oneWord(name);
  if (project !== undefined && PROJECT.exec(`${base}/`)?.[0] === project) {
    return name.slice(project.length);
  }
  const both = project !== undefined && PROJECT.test(`${base}/`);
  // A port is not allowed in a path.
  return multiLevel === true || both ? name.replaceAll(':', '_') : oneWord(name);
}

function oneWord(name: string): string {
  return name.replaceAll(/[/._:@]/g, '_');
}
