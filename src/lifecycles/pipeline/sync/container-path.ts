/** Paths in a container, put together without asking it. Pure. */

/** Worked examples: "lib" and "a.js" is lib/a.js; "." and "a" is a; "/x/../y" and "./a" is /y/a; "" and "../a" is ../a. */
export function joinPaths(folder: string, path: string): string {
  const isAbsolute = folder.startsWith('/');
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    const isUp = part === '..' && parts.length > 0 && parts.at(-1) !== '..';
    if (isUp) parts.pop();
    else if (part !== '..' || !isAbsolute) parts.push(part);
  }
  return `${isAbsolute ? '/' : ''}${parts.join('/')}`;
}

/** `path`, absolute, as seen from `folder`, absolute: "/srv/app" and "/srv/lib/a" is ../lib/a. */
export function relativePath(folder: string, path: string): string {
  const from = folder.split('/').filter((part) => part !== '');
  const to = path.split('/').filter((part) => part !== '');
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
