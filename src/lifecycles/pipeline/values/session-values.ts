/**
 * What hooks have told later ones, for one session: kept over iterations and a reload of the configuration, gone at
 * exit (PIPE-E2, PIPE-CASE46). The last write wins; what a hook sets is not in the environment that it was started with (PIPE-E3).
 */
import { looksSecret } from '../../../model/secrets.ts';
import type { Outputs } from './env-file.ts';

export interface HookValues {
  readonly values: Readonly<Record<string, string>>;
  readonly outputs: Outputs;
}

export interface RecordedValue {
  readonly value: string;
  /** Name of the hook that said so last. */
  readonly from: string;
  /** From 1. */
  readonly iteration: number;
}

export interface Told extends HookValues {
  /** The hook's name: its address where lifehook.yaml gives none. */
  readonly hook: string;
  readonly iteration: number;
  /** Names whose values are to be masked. */
  readonly secrets: readonly string[];
  /** Names whose values are harmless: the records of later runs keep them. Absent: none. */
  readonly recordedValues?: readonly string[];
}

/** Of all values that later hooks see, in UTF-16 units: an environment has a limit of its own. */
export const MAX_SESSION_UNITS = 1_000_000;

export class SessionValues {
  readonly #environment = new Map<string, RecordedValue>();
  readonly #byHook = new Map<string, HookValues>();
  readonly #secrets = new Set<string>();
  readonly #harmless = new Set<string>();

  /** false: it would be more than a session keeps, and nothing of it counts. */
  record(told: Told): boolean {
    const { hook, iteration, values, outputs } = told;
    const merged = { ...this.environment(), ...values };
    const units = Object.entries(merged).reduce(
      (sum, [name, value]) => sum + name.length + value.length,
      0,
    );
    if (units > MAX_SESSION_UNITS) return false;
    for (const [name, value] of Object.entries(values)) {
      this.#environment.set(name, { value, from: hook, iteration });
    }
    this.#classify(told);
    const before = this.#byHook.get(hook)?.values ?? {};
    this.#byHook.set(hook, { values: { ...before, ...values }, outputs });
    return true;
  }

  #classify({ values, outputs, secrets, recordedValues = [] }: Told): void {
    for (const [name, value] of Object.entries(values)) {
      if (secrets.includes(name) || looksSecret(name)) this.#secrets.add(value);
      if (recordedValues.includes(name)) this.#harmless.add(name);
      else this.#harmless.delete(name);
    }
    for (const [name, output] of Object.entries(outputs)) {
      const isSecret = secrets.includes(name) || looksSecret(name);
      if (isSecret && typeof output === 'string') this.#secrets.add(output);
    }
  }

  /** What the next hook is started with. */
  environment(): Record<string, string> {
    return Object.fromEntries([...this.#environment].map(([name, { value }]) => [name, value]));
  }

  /** Which hook said it, and in which iteration. */
  recorded(name: string): RecordedValue | null {
    return this.#environment.get(name) ?? null;
  }

  byHook(): ReadonlyMap<string, HookValues> {
    return this.#byHook;
  }

  /** Whether the hook that has set it last declares its value harmless. */
  isHarmless(name: string): boolean {
    return this.#harmless.has(name);
  }

  /** To be masked wherever they show up. */
  secretValues(): string[] {
    return [...this.#secrets];
  }
}
