/**
 * Rules by which the server treats requests of controllers for a while, in addition to network faults: limits and
 * quotas, foreign webhooks, priority and fairness, a conversion that fails, a path that only some requests pass. The
 * rules do not apply to users, nodes and storage: no judge checks their retries.
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
  /** The object as it was sent; for a patch or a read only its name. */
  readonly object: KubeObject;
}

export type Effect =
  /** The answer is this refusal, at once or after a time; null: the request is accepted then. */
  | { readonly kind: 'answers'; readonly afterMs: number; readonly refusal: ApiError | null }
  /** The request never arrives. */
  | { readonly kind: 'losesRequest' }
  /** The request is accepted, but its answer never arrives. */
  | { readonly kind: 'losesAnswer' };

/** null: the rule does not apply to this request. */
export type Rule = (request: RuledRequest) => Effect | null;

export class ServerRules {
  readonly #rules = new Set<Rule>();
  /** Called when a rule applies to a request. */
  onStrike: (request: RuledRequest) => void = () => {};

  /** Returns the function that removes it. */
  add(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
    };
  }

  /** The effect of the first rule that applies. */
  effectOn(request: RuledRequest): Effect | null {
    for (const rule of this.#rules) {
      const effect = rule(request);
      if (effect === null) continue;
      this.onStrike(request);
      return effect;
    }
    return null;
  }

  /** Removes all rules: the faults end. */
  clear(): void {
    this.#rules.clear();
  }
}

export function refuses(refusal: ApiError, afterMs: number = 0): Effect {
  return { kind: 'answers', afterMs, refusal };
}
