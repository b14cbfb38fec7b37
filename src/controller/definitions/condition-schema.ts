/** The schema of conditions. */
import * as z from 'zod';

import { count, key, statusList, time, describedText } from './field-schemas.ts';

export const conditionSchema = z
  .strictObject({
    type: key('Type of the condition.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Status of the condition.'),
    reason: describedText('Reason in CamelCase, one word.'),
    message: describedText('Human-readable message.'),
    observedGeneration: count(
      'metadata.generation that the condition is based on.',
    ).exactOptional(),
    lastTransitionTime: time('Time of the last change of the status.'),
  })
  .describe('One condition.');

export const conditionsSchema = statusList(conditionSchema, 'What is so at present.', {
  type: 'map',
  keys: ['type'],
});
