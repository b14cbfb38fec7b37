/** Paths of a machine with slashes, joined and cleaned without asking the machine. */

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

/** `path` as seen from `folder`, absolute when the folder is; "." and ".." are gone. */
export function resolveFrom(folder: string, path: string): string {
  return cleaned(isAbsolute(path) ? path : `${folder}/${path}`);
}

export function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end <= 0 ? '/' : file.slice(0, end);
}

function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
