import type { DeploymentLifecycleSpec } from '../../../src/lifecycles/rollout/kinds.ts';

/** The specs of the Deployment's lifecycle over time. */
export class LifecycleSpecs {
  /** null: no lifecycle existed, except one being deleted. */
  readonly #entries: { readonly atMs: number; readonly spec: DeploymentLifecycleSpec | null }[] = [
    { atMs: 0, spec: null },
  ];

  add(atMs: number, spec: DeploymentLifecycleSpec | null): void {
    this.#entries.push({ atMs, spec });
  }

  get present(): DeploymentLifecycleSpec | null {
    return this.#entries.at(-1)?.spec ?? null;
  }

  /** null: at some time no lifecycle held it. */
  since(atMs: number): DeploymentLifecycleSpec[] | null {
    const later = this.#entries.filter((each) => each.atMs > atMs);
    const before = this.#entries.findLast((each) => each.atMs <= atMs);
    const all = [before, ...later].map((each) => each?.spec ?? null);
    const specs = all.filter((spec) => spec !== null);
    return specs.length === all.length ? specs : null;
  }

  /** Specs of the current lifecycle, or of the last one. */
  last(): DeploymentLifecycleSpec[] {
    const end = this.#entries.findLastIndex(({ spec }) => spec !== null) + 1;
    const entries = this.#entries.slice(0, end);
    const first = entries.findLastIndex(({ spec }) => spec === null) + 1;
    return entries.slice(first).flatMap(({ spec }) => spec ?? []);
  }
}
