/** The schemas of a SnapshotGuard. */
import * as z from 'zod';

import {
  conditionsSchema,
  count,
  describedText,
  name,
  object,
  seconds,
  time,
} from '../../../controller/definitions/field-schemas.ts';
import { cutSignalSchema, guardHooksSchema } from './hook-info-schema.ts';
import { verdictValueSchema } from './judgement-schema.ts';
import {
  CUT_DEADLINE_SECONDS_MAX,
  FREEZE_TIMEOUT_SECONDS_MAX,
  HOLD_OPEN_SECONDS_MAX,
} from './limits.ts';
import { labelSelectorSchema } from './target-schema.ts';

const freezeTimeoutSeconds = seconds(
  'Seconds that a request waits for the freeze; 10 if not given.',
  1,
  FREEZE_TIMEOUT_SECONDS_MAX,
);
const holdOpenSeconds = seconds(
  'Seconds that a window stays open after its last request, so that more requests share its freeze; 0 if not given.',
  0,
  HOLD_OPEN_SECONDS_MAX,
);

/** The field `window` in the spec of an ApplicationSnapshot. */
export const windowSchema = object(
  'Marks this object as a window of a SnapshotGuard. The webhook of the guard creates it; it admits the snapshots of other clients and creates none.',
  {
    guardName: name('Name of the SnapshotGuard.'),
    freezeTimeoutSeconds,
    holdOpenSeconds,
  },
);

export const guardSpecSchema = object(
  'Claims to guard, and the hooks that freeze their application.',
  {
    claimSelector: labelSelectorSchema
      .describe('Selects claims by their labels; all claims of the namespace if not given.')
      .exactOptional(),
    executionHookInfos: guardHooksSchema,
    onFreezeFailure: z
      .enum(['Refuse', 'Allow'])
      .describe(
        'Answer to a request for a VolumeSnapshot whose application was not frozen in time. Refuse (the default): it is not created. Allow: it is created, and marked CrashConsistent or Inconsistent.',
      )
      .exactOptional(),
    freezeTimeoutSeconds: freezeTimeoutSeconds.exactOptional(),
    cutDeadlineSeconds: seconds(
      'Seconds from the freeze to the last cut; 60 if not given.',
      1,
      CUT_DEADLINE_SECONDS_MAX,
    ).exactOptional(),
    holdOpenSeconds: holdOpenSeconds.exactOptional(),
    cutSignal: cutSignalSchema.exactOptional(),
  },
);

export const guardWindowSchema = object('Newest window; absent: there was none.', {
  name: describedText('Name of its ApplicationSnapshot.'),
  phase: describedText('Phase of the window.'),
  admitted: count('Number of snapshots that it admitted.'),
  verdict: verdictValueSchema.describe('Worst verdict on the admitted snapshots.').exactOptional(),
  freezeWindowMs: count('Milliseconds from the first preAction to the last thaw.').exactOptional(),
  completedAt: time('End of the window.').exactOptional(),
});

export const guardStatusSchema = object('Observed state of the guard.', {
  observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
  window: guardWindowSchema.exactOptional(),
  newestNumber: count(
    'Highest number in the name of a window so far; the next window gets a higher one.',
  ).exactOptional(),
  windowCount: count('Number of windows that are kept.').exactOptional(),
  conditions: conditionsSchema.exactOptional(),
});
