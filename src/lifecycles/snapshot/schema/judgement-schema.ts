/** The fields that verdicts and failures share, in the status of each kind that has one. */
import * as z from 'zod';

import { describedText, time } from '../../../controller/definitions/field-schemas.ts';

export const verdictValueSchema = z.enum([
  'ApplicationConsistent',
  'CrashConsistent',
  'Inconsistent',
  'Unknown',
]);

const reasonFields = {
  /** One token, such as "ThawedBeforeCut". */
  reason: describedText('Reason in CamelCase, one word.'),
  message: describedText('Human-readable message.'),
};

export const judgementFields = {
  value: verdictValueSchema.describe('Consistency of the snapshot.'),
  ...reasonFields,
};

export const failureSchema = z.strictObject({ ...reasonFields, at: time('Time of the failure.') });
