/** The Kubernetes version whose kinds and fields are used for the version of a server. Pure. */
import { KNOWN_VERSIONS } from '../../../../packages/local-cluster/src/index.ts';

/**
 * A minor version whose kinds and fields are known: the nearest to that of the server. null: the version of the server
 * was not given, so the newest is used.
 */
export function usedVersion(serverMinor: number | null): number {
  const { from, until } = KNOWN_VERSIONS;
  return Math.min(Math.max(serverMinor ?? until, from), until);
}

/** Says that another version than that of the server is used; empty: the same is used. */
export function unknownVersion(
  serverMinor: number | null,
): readonly { readonly path: string; readonly reason: string }[] {
  const used = usedVersion(serverMinor);
  if (serverMinor === null || serverMinor === used) return [];
  const { from, until } = KNOWN_VERSIONS;
  return [
    {
      path: `kinds and fields of Kubernetes 1.${serverMinor}`,
      reason: `those of 1.${used} were used, since only 1.${from} to 1.${until} are known`,
    },
  ];
}
