/** The coverage table of one lifecycle: how often each fault met each phase. */
import type { CoverageRules, Pairs } from './coverage-rules.ts';
import { Faults } from './faults.ts';
import type { Simulation } from './lifecycles.ts';

export class CoverageTable {
  readonly #rules: CoverageRules;
  /** Number of meetings, keyed by fault and then by phase. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #broken: string[] = [];

  constructor(rules: CoverageRules) {
    this.#rules = rules;
  }

  /** `focus`: the phase in which faults are more likely; absent: each seed selects its own. */
  async addSeeds(simulate: Simulation, seeds: number, focus?: string): Promise<void> {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const faults = new Faults({
        mayFocus: true,
        focus,
        onMeeting: (kind, phases) => {
          this.add(kind, phases);
        },
      });
      const { violation } = await simulate(seed, undefined, faults);
      if (violation === null) continue;
      const option = focus === undefined ? '' : ` --focus '${focus}'`;
      this.#broken.push(`--seed ${seed}${option} breaks ${violation.invariant}`);
    }
  }

  add(fault: string, phases: readonly string[]): void {
    const row = this.#counts.get(fault) ?? new Map<string, number>();
    this.#counts.set(fault, row);
    for (const phase of phases) row.set(phase, (row.get(phase) ?? 0) + 1);
  }

  /** Messages about violations, unknown names, and pairs that contradict the rules. */
  get holes(): string[] {
    return [
      ...this.#broken,
      ...this.#strangers(),
      ...this.#emptyPairs(),
      ...this.#metAlthoughImpossible(),
    ];
  }

  get text(): string {
    const { phases, faults } = this.#rules;
    const rows = faults.map((fault) => [fault, ...phases.map((phase) => this.#cell(fault, phase))]);
    const all = [['', ...phases], ...rows];
    const widths = ['', ...phases].map((_, column) =>
      Math.max(...all.map((row) => row[column]?.length ?? 0)),
    );
    const line = (row: readonly string[]): string =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ');
    return all.map(line).join('\n');
  }

  #cell(fault: string, phase: string): string {
    const count = this.#count(fault, phase);
    if (count > 0) return String(count);
    return isIn(this.#rules.impossible, fault, phase) ? '-' : 'HOLE';
  }

  #count(fault: string, phase: string): number {
    return this.#counts.get(fault)?.get(phase) ?? 0;
  }

  #strangers(): string[] {
    const { faults, plans, phases } = this.#rules;
    const known = new Set([...faults, ...plans]);
    const columns = new Set(phases);
    const found = [...this.#counts].filter(([fault]) => !plans.includes(fault));
    const met = new Set(found.flatMap(([, row]) => [...row.keys()]));
    return [
      ...found
        .filter(([fault]) => !known.has(fault))
        .map(([fault]) => `"${fault}" is no row: add it to the faults or the plans of coverage.ts`),
      ...[...met].filter((phase) => !columns.has(phase)).map((phase) => `"${phase}" is no column`),
    ];
  }

  #emptyPairs(): string[] {
    return this.#pairs()
      .filter(({ count, isImpossible }) => count === 0 && !isImpossible)
      .map(({ fault, phase }) => `"${fault}" never met "${phase}"`);
  }

  #metAlthoughImpossible(): string[] {
    return this.#pairs()
      .filter(({ count, isImpossible }) => count > 0 && isImpossible)
      .map(({ fault, phase }) => `"${fault}" met "${phase}", which is listed as impossible`);
  }

  #pairs(): readonly Pair[] {
    const { faults, phases, impossible } = this.#rules;
    return faults.flatMap((fault) =>
      phases.map((phase) => ({
        fault,
        phase,
        count: this.#count(fault, phase),
        isImpossible: isIn(impossible, fault, phase),
      })),
    );
  }
}

interface Pair {
  readonly fault: string;
  readonly phase: string;
  readonly count: number;
  readonly isImpossible: boolean;
}

function isIn(pairs: readonly Pairs[], fault: string, phase: string): boolean {
  return pairs.some(({ faults, phases }) => faults.includes(fault) && phases.includes(phase));
}
