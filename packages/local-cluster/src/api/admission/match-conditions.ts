/**
 * The conditions (CEL) under which a webhook is asked. One that is false settles it; otherwise one that
 * cannot be judged is an error, and the webhook's failure policy decides.
 */
import type { ReviewedRequest } from './reviewed-request.ts';
import type { MatchCondition } from './webhook.ts';

export type Judged = { readonly matches: boolean } | { readonly error: string };

export interface ConditionEngine {
  judge(expression: string, reviewed: ReviewedRequest): Judged;
}

export async function judgeConditions(
  conditions: readonly MatchCondition[],
  reviewed: ReviewedRequest,
): Promise<Judged> {
  // The package behind it costs a start some ten milliseconds, and most never need it.
  const { celConditions } = await import('./cel-conditions.ts');
  const errors: string[] = [];
  for (const { name, expression } of conditions) {
    const judged = celConditions.judge(expression, reviewed);
    if ('error' in judged) errors.push(`expression '${name}' resulted in error: ${judged.error}`);
    else if (!judged.matches) return { matches: false };
  }
  if (errors.length === 0) return { matches: true };
  return { error: errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]` };
}
