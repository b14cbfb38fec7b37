/** Where images go instead of where the file says: the default repository put before their names. Pure. */
import { parseImageName } from '../hooks/image-name.ts';

export interface DefaultRepo {
  /** null: names stay as they are. */
  readonly repo: string | null;
  /** Whether the registry has folders in folders; null: as far as its name tells. */
  readonly multiLevel: boolean | null;
}

/** Of a name without its tag, as registries take it. */
const MAX_NAME_CHARACTERS = 255;

/**
 * What lies in the repository already stays. Elsewhere the whole old name becomes one word of the new one, or, where
 * there are many levels, the path that it is.
 *
 * Worked examples, as observed of the shipped tool:
 *   gcr.io/a/web in localhost:5000/x is localhost:5000/x/gcr_io_a_web;
 *   gcr.io/a/b/web in gcr.io/a stays;
 *   acme/web in gcr.io/p is gcr.io/p/acme_web, and with many levels gcr.io/p/acme/web.
 */
export function withDefaultRepo(image: string, { repo, multiLevel }: DefaultRepo): string {
  if (repo === null || repo === '') return image;
  const base = repo.replace(/\/+$/, '');
  const name = parseImageName(image).repo;
  const rest = image.slice(name.length);
  if (name.startsWith(`${base}/`)) return image;
  return `${base}/${inside(name, base, multiLevel)}`.slice(0, MAX_NAME_CHARACTERS) + rest;
}

/** A host, and the project below it: images of one project are one level apart. */
const PROJECT = /^(?:[^/]*\.)?gcr\.io\/[^/]+\//;

function inside(name: string, base: string, multiLevel: boolean | null): string {
  const [project] = PROJECT.exec(name) ?? [];
  if (multiLevel === false) return oneWord(name);
  if (project !== undefined && PROJECT.exec(`${base}/`)?.[0] === project) {
    return name.slice(project.length);
  }
  const both = project !== undefined && PROJECT.test(`${base}/`);
  // A port is no part of a path.
  return multiLevel === true || both ? name.replaceAll(':', '_') : oneWord(name);
}

function oneWord(name: string): string {
  return name.replaceAll(/[/._:@]/g, '_');
}
