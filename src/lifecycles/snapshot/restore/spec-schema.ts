/** The schema of the spec of a SnapshotRestore. */
import * as z from 'zod';

import {
  flag,
  list,
  name,
  object,
  seconds,
  text,
} from '../../../controller/definitions/field-schemas.ts';
import { NAME_CHARACTERS_MAX } from '../../../controller/definitions/value-limits.ts';
import { REQUIRED_LEVELS } from '../required-level.ts';
import { CLAIMS_MAX } from '../schema/limits.ts';
import { hooksSchema } from './hook-schema.ts';
import { ACCESS_MODES_MAX, BIND_SECONDS_MAX, QUANTITY_CHARACTERS_MAX } from './limits.ts';

const accessModes = list(text('One access mode.', NAME_CHARACTERS_MAX), {
  description: 'Access modes; if not given, those of the source claim, or ReadWriteOnce.',
  min: 1,
  max: ACCESS_MODES_MAX,
});

const storageClassName = name(
  'Storage class; if not given, that of the source claim, or the default class.',
);

const source = object('Source of the restore: exactly one of the two fields.', {
  applicationSnapshotName: name('An ApplicationSnapshot, in the same namespace.').exactOptional(),
  volumeSnapshotNames: list(name('The name of a VolumeSnapshot.'), {
    description: 'VolumeSnapshots of any origin, in the order of the restore.',
    min: 1,
    max: CLAIMS_MAX,
    list: { type: 'set' },
  }).exactOptional(),
});

export const claimSettingsSchema = object('Settings of one claim.', {
  sourceClaimName: name(
    'Source claim of the snapshot; the name of the VolumeSnapshot if that has no source claim.',
  ),
  /** An existing claim of that name is never overwritten (SNAP-V4). */
  claimName: name(
    'Name of the new claim; if not given, the names of the source claim and of the restore, joined by "-".',
  ).exactOptional(),
  storageClassName: storageClassName.exactOptional(),
  accessModes: accessModes.exactOptional(),
  size: text(
    'Size of the new claim, as a quantity; if not given, the larger of the size of the source claim and the size that the snapshot needs.',
    QUANTITY_CHARACTERS_MAX,
  ).exactOptional(),
});

const settings = {
  /** The other claims follow in the order of the source (SNAP-V5). */
  claims: list(claimSettingsSchema, {
    description:
      'Settings per claim. The listed claims are created first, in the order of this list.',
    max: CLAIMS_MAX,
    list: { type: 'map', keys: ['sourceClaimName'] },
  }).exactOptional(),
  storageClassName: storageClassName.exactOptional(),
  accessModes: accessModes.exactOptional(),
  bindDeadlineSeconds: seconds(
    'Maximum seconds from the creation of the claims until all are bound; 600 if not given.',
    1,
    BIND_SECONDS_MAX,
  ).exactOptional(),
  /** A claim that a hook pod mounts may still wait for its first consumer: that pod (SNAP-V7). */
  postRestore: hooksSchema
    .describe('Hooks after the claims are bound, in this order.')
    .exactOptional(),
};

const verify = hooksSchema.describe(
  'Checks of the restored copy after postRestore, in this order.',
);

/** The fields of a restore that a schedule gives to its rehearsals. */
export const rehearsalFields = { ...settings, verify };

export const restoreSpecSchema = object(
  'The snapshot to restore, the claims to create, and the hooks before and after the restore.',
  {
    source,
    /** Below this level the restore is refused before any hook runs (SNAP-V2). */
    requiredVerdict: z
      .enum(REQUIRED_LEVELS)
      .describe('The lowest verdict that is good enough; ApplicationConsistent if not given.')
      .exactOptional(),
    ...settings,
    /** They run one after another; the first failure ends the restore (SNAP-V8). */
    preRestore: hooksSchema
      .describe('Hooks before a claim is created, in this order.')
      .exactOptional(),
    /** Runs after postRestore; if it does not pass, the restore has failed (SNAP-V11). */
    verify: verify.exactOptional(),
    /** It may not stop a workload (SNAP-V12). */
    scratch: flag(
      'A rehearsal: claims and pods are deleted at the end; false if not given.',
    ).exactOptional(),
  },
);
