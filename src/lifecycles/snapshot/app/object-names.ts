/**
 * Names of the objects that a snapshot creates. They depend on the snapshot alone, so that objects are found again
 * after a restart; they contain its UID, so that a later snapshot of the same name creates its own.
 */
import type { ApplicationSnapshot } from '../kinds.ts';
import { identify } from './identify.ts';

/** The longest name of an object. */
const NAME_CHARACTERS_MAX = 253;
/** Longest first part of a name; after it follow "-", eight characters of the UID, "-hook-" and three digits. */
const STEM_CHARACTERS_MAX = 200;
const LABEL_CHARACTERS_MAX = 63;
const UID_CHARACTERS = 8;

/** Example: `nightly-5f0c9a1b-hook-0`. */
export function hookName(snapshot: ApplicationSnapshot, index: number): string {
  return `${stemOf(snapshot)}-hook-${index}`;
}

/** Example: `nightly-data-5f0c9a1b`; if that is too long, with the index of the volume instead of its claim. */
export function volumeSnapshotName(
  snapshot: ApplicationSnapshot,
  claim: string,
  index: number,
): string {
  const name = `${identify(snapshot).name}-${claim}-${uidStart(snapshot)}`;
  return name.length <= NAME_CHARACTERS_MAX ? name : `${stemOf(snapshot)}-${index}`;
}

/** Example: `nightly-5f0c9a1b`. */
export function groupSnapshotName(snapshot: ApplicationSnapshot): string {
  return stemOf(snapshot);
}

/** The value of the label MADE_FOR: the snapshot's name, or its UID if the name is too long for a label. */
export function madeForValue(snapshot: ApplicationSnapshot): string {
  const { name, uid } = identify(snapshot);
  return name.length <= LABEL_CHARACTERS_MAX ? name : uid;
}

function stemOf(snapshot: ApplicationSnapshot): string {
  const start = identify(snapshot)
    .name.slice(0, STEM_CHARACTERS_MAX)
    .replace(/[.-]+$/, '');
  return `${start}-${uidStart(snapshot)}`;
}

function uidStart(snapshot: ApplicationSnapshot): string {
  return identify(snapshot).uid.slice(0, UID_CHARACTERS);
}
