/**
 * The values that hooks have set for later ones, for one session: kept over iterations and reloads of the
 * configuration, dropped at exit (PIPE-E2, PIPE-CASE46). The last write wins; a hook's values are not in its own
 * environment (PIPE-E3).
 */
import { looksSecret } from '../../../model/secrets.ts';
import type { Outputs } from './env-file.ts';

export interface HookValues {
  readonly values: Readonly<Record<string, string>>;
  readonly outputs: Outputs;
}

export interface RecordedValue {
  readonly value: string;
  /** The name of the hook that set it last. */
  readonly from: string;
  /** From 1. */
  readonly iteration: number;
}

export interface Told extends HookValues {
  /** The hook's name: its address if lifehook.yaml has none. */
  readonly hook: string;
  readonly iteration: number;
  /** Names whose values are masked. */
  readonly secrets: readonly string[];
  /** Names whose values are harmless: records of later runs keep them. Absent: none. */
  readonly recordedValues?: readonly string[];
}

/** Maximum UTF-16 units of all values for later hooks: an environment has a limit. */
export const MAX_SESSION_UNITS = 1_000_000;

export class SessionValues {
  readonly #environment = new Map<string, RecordedValue>();
  readonly #byHook = new Map<string, HookValues>();
  readonly #secrets = new Set<string>();
  readonly #harmless = new Set<string>();

  /** false: the limit would be exceeded, and none of the values is stored. */
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

  /** The values for the next hook's environment. */
  environment(): Record<string, string> {
    return Object.fromEntries([...this.#environment].map(([name, { value }]) => [name, value]));
  }

  /** The value with the hook and the iteration that set it. */
  recorded(name: string): RecordedValue | null {
    return this.#environment.get(name) ?? null;
  }

  byHook(): ReadonlyMap<string, HookValues> {
    return this.#byHook;
  }

  /** Whether the hook that set it last declares its value harmless. */
  isHarmless(name: string): boolean {
    return this.#harmless.has(name);
  }

  /** Values that must be masked in all output. */
  secretValues(): string[] {
    return [...this.#secrets];
  }
}
