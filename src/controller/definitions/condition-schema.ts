/** The schema of conditions. */
import * as z from 'zod';

import type { Condition } from '../conditions.ts';
import { exact } from './exact-schema.ts';
import { count, key, statusList, time, told } from './field-schemas.ts';

const condition = exact<Condition>()(
  z
    .strictObject({
      type: key('What it is about.'),
      status: z.enum(['True', 'False', 'Unknown']).describe('Whether it is so.'),
      reason: told('One word in CamelCase.'),
      message: told('For people.'),
      observedGeneration: count('The generation that this was judged on.').exactOptional(),
      lastTransitionTime: time('When the status changed.'),
    })
    .describe('One condition.'),
);

export const conditionsSchema: z.ZodType<Condition[]> = statusList(
  condition,
  'What is so at present.',
  {
    type: 'map',
    keys: ['type'],
  },
);
