/** Joins and normalises paths of this machine and of containers, without any access to the file system. Pure. */

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

/** Resolves `path` against `folder`, and removes "." and "..". The result is absolute if the directory is. */
export function resolveFrom(folder: string, path: string): string {
  return cleaned(isAbsolute(path) ? path : `${folder}/${path}`);
}

export function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end <= 0 ? '/' : file.slice(0, end);
}

/** The last segment of a path. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is `folder` or is in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** `path` relative to `folder`; a path outside of the directory is returned as it is. */
export function withoutFolder(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

export interface SplitGlob {
  /** The directory that contains every match or, without wildcards, the path itself; absolute. */
  readonly root: string;
  /** The pattern below `root`; null: there are no wildcards. */
  readonly glob: string | null;
}

const WILDCARD = /[*?[\\]/;

/**
 * Splits a pattern that is relative to an absolute directory. The name of the directory itself is no pattern, even if
 * it contains "[". Worked example: "*.sql" in "/p[1]" has the root "/p[1]" and the glob "*.sql".
 */
export function splitGlob(folder: string, pattern: string): SplitGlob {
  const path = resolveFrom(folder, pattern);
  const parts = path.split('/');
  const names = isAbsolute(pattern) ? [] : folder.split('/');
  const firstOther = parts.findIndex((part, index) => part !== names[index]);
  const wild = parts.findIndex((part, index) => index >= firstOther && WILDCARD.test(part));
  if (firstOther === -1 || wild === -1) return { root: path, glob: null };
  return { root: parts.slice(0, wild).join('/') || '/', glob: parts.slice(wild).join('/') };
}

function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

/**
 * Joins a path in a container. Worked examples: "lib" and "a.js" give lib/a.js; "." and "a" give a; "/x/../y" and "./a"
 * give /y/a; "" and "../a" give ../a.
 */
export function joinPaths(folder: string, path: string): string {
  const isFromRoot = folder.startsWith('/');
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    const isUp = part === '..' && parts.length > 0 && parts.at(-1) !== '..';
    if (isUp) parts.pop();
    else if (part !== '..' || !isFromRoot) parts.push(part);
  }
  return `${isFromRoot ? '/' : ''}${parts.join('/')}`;
}

/**
 * The absolute `path` relative to the absolute `folder`. Worked example: "/srv/lib/a" relative to "/srv/app" is
 * ../lib/a.
 */
export function relativePath(folder: string, path: string): string {
  const from = folder.split('/').filter((part) => part !== '');
  const to = path.split('/').filter((part) => part !== '');
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
