/** The versions of the file that are read, oldest first, and what to say of the others. Pure. */

/** How far each series goes. */
const SERIES: readonly (readonly [string, number, number])[] = [
  ['v1', 0, 0],
  ['v2alpha', 1, 4],
  ['v2beta', 1, 29],
  ['v3alpha', 1, 1],
  ['v3', 0, 0],
  ['v4beta', 1, 14],
];

export const VERSIONS: readonly string[] = SERIES.flatMap(([name, first, last]) =>
  last === 0
    ? [name]
    : Array.from({ length: last - first + 1 }, (_, index) => `${name}${first + index}`),
);

const PREFIX = 'skaffold/';

export type ReadVersion =
  | { readonly kind: 'known'; readonly rank: number }
  /** Newer than the table of fields: read as the newest that is known. */
  | { readonly kind: 'newer'; readonly rank: number }
  /** Before v1: `skaffold fix` lifts it. */
  | { readonly kind: 'older' }
  | { readonly kind: 'unknown' };

export function readVersion(apiVersion: string): ReadVersion {
  const name = apiVersion.startsWith(PREFIX) ? apiVersion.slice(PREFIX.length) : '';
  const rank = VERSIONS.indexOf(name);
  if (rank >= 0) return { kind: 'known', rank };
  if (/^v4(beta\d{1,4})?$/.test(name)) return { kind: 'newer', rank: VERSIONS.length - 1 };
  return { kind: /^v1(alpha|beta)\d{1,4}$/.test(name) ? 'older' : 'unknown' };
}

export const NEWEST: string = `${PREFIX}${VERSIONS.at(-1) ?? ''}`;
