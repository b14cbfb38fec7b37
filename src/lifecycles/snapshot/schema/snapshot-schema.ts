/** The schema of the spec of an ApplicationSnapshot. */
import * as z from 'zod';

import { list, name, seconds } from '../../../controller/definitions/field-schemas.ts';
import { windowSchema } from './guard-schema.ts';
import { cutSignalSchema, hookInfosSchema } from './hook-info-schema.ts';
import { CLAIMS_MAX, CUT_DEADLINE_SECONDS_MAX } from './limits.ts';
import { matchExpressionsSchema, matchLabelsSchema } from './target-schema.ts';

const selector = z
  .strictObject({
    matchLabels: matchLabelsSchema.exactOptional(),
    /**
     * Declared so that it is refused (SNAP-CASE38): otherwise the server would drop it silently, and more volumes
     * would be cut.
     */
    matchExpressions: matchExpressionsSchema
      .describe('Refused: group snapshots pass over them. Select by matchLabels.')
      .exactOptional(),
  })
  .describe('Selects claims by their labels.');

const source = z
  .strictObject({
    persistentVolumeClaimNames: list(name('The name of a claim.'), {
      description: 'Claims by name.',
      min: 1,
      max: CLAIMS_MAX,
      list: { type: 'set' },
    }).exactOptional(),
    selector: selector.exactOptional(),
  })
  .describe('Volumes to snapshot: exactly one of the two fields.');

export const snapshotSpecSchema = z
  .strictObject({
    source,
    mode: z
      .enum(['Single', 'Group'])
      .describe('Group: one VolumeGroupSnapshot, which needs the selector. Single if not given.')
      .exactOptional(),
    volumeSnapshotClassName: name(
      'The class of the snapshots; the default class if not given.',
    ).exactOptional(),
    volumeGroupSnapshotClassName: name(
      'The class of the group snapshot; the default class if not given.',
    ).exactOptional(),
    /** SNAP-R29. */
    executionHookInfos: hookInfosSchema.exactOptional(),
    cutDeadlineSeconds: seconds(
      'Seconds from the creation of the snapshots to the cut of the last one; default: 60.',
      1,
      CUT_DEADLINE_SECONDS_MAX,
    ).exactOptional(),
    cutSignal: cutSignalSchema.exactOptional(),
    window: windowSchema.exactOptional(),
  })
  .describe('Volumes to snapshot, and the hooks that freeze the application meanwhile.');
