/**
 * Names of what a snapshot makes. They follow from the snapshot alone, so that what was made before a
 * restart is found again; its uid is in them, so that a later snapshot of the same name makes its own.
 */
import type { ApplicationSnapshot } from '../kinds.ts';
import { identify } from './identify.ts';

/** The longest name that an object may have. */
const NAME_CHARACTERS_MAX = 253;
/** What may stand before the rest: " -", eight characters of the uid, "-hook-", three digits. */
const STEM_CHARACTERS_MAX = 200;
const LABEL_CHARACTERS_MAX = 63;
const UID_CHARACTERS = 8;

/** `nightly-5f0c9a1b-hook-0` */
export function hookName(snapshot: ApplicationSnapshot, index: number): string {
  return `${stemOf(snapshot)}-hook-${index}`;
}

/** `nightly-data-5f0c9a1b`; where that is too long, with the volume's number instead of its claim. */
export function volumeSnapshotName(
  snapshot: ApplicationSnapshot,
  claim: string,
  index: number,
): string {
  const name = `${identify(snapshot).name}-${claim}-${uidStart(snapshot)}`;
  return name.length <= NAME_CHARACTERS_MAX ? name : `${stemOf(snapshot)}-${index}`;
}

/** `nightly-5f0c9a1b` */
export function groupSnapshotName(snapshot: ApplicationSnapshot): string {
  return stemOf(snapshot);
}

/** The value of the label MADE_FOR: the snapshot's name, or its uid where a label can't hold the name. */
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
