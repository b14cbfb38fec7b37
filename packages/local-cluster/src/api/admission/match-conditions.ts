/**
 * Evaluates the conditions (CEL) under which a webhook is called.
 *
 * If one condition is false, the webhook is not called. Otherwise a condition that cannot be evaluated is an error, and
 * the webhook's failure policy decides.
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
  // Loading the CEL package takes about ten milliseconds, and most clusters have no match condition.
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
