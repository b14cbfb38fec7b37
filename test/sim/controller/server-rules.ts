/**
 * Rules that let the server fail some requests of controllers for a while, in addition to network faults. Examples:
 * limits and quotas, foreign webhooks, priority and fairness, a failing conversion, a network that loses some
 * requests. The rules do not apply to users, nodes and storage, because no judge checks their retries.
 */
import type { ApiError } from '../../../src/kube/api-error.ts';
import type { KubeObject, Resource } from '../../../src/kube/object.ts';

export type RuledVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'replace'
  | 'status'
  | 'patch'
  | 'delete';

export interface RuledRequest {
  readonly verb: RuledVerb;
  readonly resource: Resource;
  /** The object as it was sent. For a patch or a read, it has only its name. */
  readonly object: KubeObject;
}

export type Effect =
  /** The server answers after `afterMs` milliseconds: with this refusal, or normally if `refusal` is null. */
  | { readonly kind: 'answers'; readonly afterMs: number; readonly refusal: ApiError | null }
  /** The request is lost before it reaches the server. */
  | { readonly kind: 'losesRequest' }
  /** The server executes the request, but its answer is lost. */
  | { readonly kind: 'losesAnswer' };

/** Returns null if the rule does not apply to the request. */
export type Rule = (request: RuledRequest) => Effect | null;

export class ServerRules {
  readonly #rules = new Set<Rule>();
  /** Called when a rule applies to a request. */
  onStrike: (request: RuledRequest) => void = () => {};

  /** Returns the function that removes the rule. */
  add(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
    };
  }

  /** The effect of the first rule that applies; null if none applies. */
  effectOn(request: RuledRequest): Effect | null {
    for (const rule of this.#rules) {
      const effect = rule(request);
      if (effect === null) continue;
      this.onStrike(request);
      return effect;
    }
    return null;
  }

  /** Removes all rules. Call when the faults end. */
  clear(): void {
    this.#rules.clear();
  }
}

export function refuses(refusal: ApiError, afterMs: number = 0): Effect {
  return { kind: 'answers', afterMs, refusal };
}
