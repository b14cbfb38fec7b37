import type { DeploymentLifecycleSpec } from '../../../src/lifecycles/rollout/kinds.ts';

/** All specs that the lifecycle of the Deployment has had, with their times. */
export class LifecycleSpecs {
  /** `spec` is null for a time without a lifecycle, or with a terminating one. */
  readonly #entries: { readonly atMs: number; readonly spec: DeploymentLifecycleSpec | null }[] = [
    { atMs: 0, spec: null },
  ];

  add(atMs: number, spec: DeploymentLifecycleSpec | null): void {
    this.#entries.push({ atMs, spec });
  }

  get present(): DeploymentLifecycleSpec | null {
    return this.#entries.at(-1)?.spec ?? null;
  }

  /** The specs since that time; null if there was at some time no lifecycle. */
  since(atMs: number): DeploymentLifecycleSpec[] | null {
    const later = this.#entries.filter((each) => each.atMs > atMs);
    const before = this.#entries.findLast((each) => each.atMs <= atMs);
    const all = [before, ...later].map((each) => each?.spec ?? null);
    const specs = all.filter((spec) => spec !== null);
    return specs.length === all.length ? specs : null;
  }

  /** The spec of the current lifecycle, or of the last one if there is none. */
  last(): DeploymentLifecycleSpec[] {
    const end = this.#entries.findLastIndex(({ spec }) => spec !== null) + 1;
    const entries = this.#entries.slice(0, end);
    const first = entries.findLastIndex(({ spec }) => spec === null) + 1;
    return entries.slice(first).flatMap(({ spec }) => spec ?? []);
  }
}
