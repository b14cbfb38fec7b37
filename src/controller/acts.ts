import type { Outcome } from './reconcile.ts';

/** For each kind of step, the function that carries out the steps of that kind. */
export type Acts<A, S extends { readonly kind: string }> = {
  readonly [K in S['kind']]: (
    acting: A,
    step: Extract<S, { kind: K }>,
  ) => Outcome | Promise<Outcome>;
};

export async function actOn<A, S extends { readonly kind: string }>(
  acts: Acts<A, S>,
  acting: A,
  step: S,
): Promise<Outcome> {
  // The cast is safe: `acts` maps each kind to a function for steps of that kind.
  const act = acts[step.kind as S['kind']] as (acting: A, step: S) => Outcome | Promise<Outcome>;
  return act(acting, step);
}
