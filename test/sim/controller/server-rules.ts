/**
 * What the server does to the requests of controllers for a while, whatever the dice of the network say: limits and
 * quotas, the webhooks of others, priority and fairness, a conversion that fails, a path that only some requests pass.
 * Users, nodes and storage are not asked: no judge checks what they would have to retry.
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
  /** As it was sent; of a patch and of a read only its name. */
  readonly object: KubeObject;
}

export type Effect =
  /** The answer is this refusal, at once or after a time; null: it is taken then. */
  | { readonly kind: 'answers'; readonly afterMs: number; readonly refusal: ApiError | null }
  /** It never arrives. */
  | { readonly kind: 'losesRequest' }
  /** It is taken, and its answer never arrives. */
  | { readonly kind: 'losesAnswer' };

/** null: it has nothing to say about this request. */
export type Rule = (request: RuledRequest) => Effect | null;

export class ServerRules {
  readonly #rules = new Set<Rule>();
  /** A rule has something to say about a request. */
  onStrike: (request: RuledRequest) => void = () => {};

  /** Returns the function that stops it. */
  add(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
    };
  }

  /** What the first rule says that has something to say. */
  effectOn(request: RuledRequest): Effect | null {
    for (const rule of this.#rules) {
      const effect = rule(request);
      if (effect === null) continue;
      this.onStrike(request);
      return effect;
    }
    return null;
  }

  /** The faults end. */
  clear(): void {
    this.#rules.clear();
  }
}

export function refuses(refusal: ApiError, afterMs: number = 0): Effect {
  return { kind: 'answers', afterMs, refusal };
}
