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

/** Notes on the checks that are missing because the version of the server is not known; empty: it is known. */
export function unknownVersion(
  serverMinor: number | null,
): readonly { readonly path: string; readonly reason: string }[] {
  const used = usedVersion(serverMinor);
  if (serverMinor === null || serverMinor === used) return [];
  const older = Math.min(serverMinor, used);
  const newer = Math.max(serverMinor, used);
  const which = used === newer ? 'oldest' : 'newest';
  return [
    {
      path: `differences in kinds and fields between Kubernetes 1.${older} and 1.${newer}`,
      reason: `1.${used} is the ${which} known release, so kinds and fields were checked against 1.${used}, and the rules of pod hooks against 1.${serverMinor}`,
    },
  ];
}
