/**
 * Names of the objects of a restore. They follow from the restore alone, so that a restarted process finds the objects.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { SnapshotRestore } from './kinds.ts';

const NAME_CHARACTERS_MAX = 253;
/** Maximum length of the name of a hook pod: its host name is the name, cut to this length. */
const POD_NAME_CHARACTERS_MAX = 63;
const HASH_CHARACTERS = 10;

/** The name of a new claim. Example: `data-friday` for claim `data` and restore `friday` (SNAP-V4). */
export function newClaimName({ metadata }: SnapshotRestore, sourceClaim: string): string {
  const name = `${sourceClaim}-${metadata?.name ?? ''}`;
  return shortened(name, sha256(name), NAME_CHARACTERS_MAX);
}

/** The name of a hook pod. Example: `friday-check-1-0f3c…`: unique for each attempt of each hook of each restore. */
export function hookPodName({ metadata }: SnapshotRestore, hook: string, attempt: number): string {
  const digest = sha256(`${metadata?.uid ?? ''}/${hook}/${attempt}`).slice(0, HASH_CHARACTERS);
  const rest = `-${hook}-${attempt}-${digest}`;
  const start = (metadata?.name ?? '').replaceAll('.', '-');
  const kept = start.slice(0, POD_NAME_CHARACTERS_MAX - rest.length).replace(/-+$/, '');
  return `${kept}${rest}`.replace(/^-+/, '');
}

function shortened(name: string, digest: string, max: number): string {
  if (name.length <= max) return name;
  const end = `-${digest.slice(0, HASH_CHARACTERS)}`;
  return `${name.slice(0, max - end.length).replace(/[.-]+$/, '')}${end}`;
}
