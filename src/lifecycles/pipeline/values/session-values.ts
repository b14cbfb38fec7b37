/**
 * Stores the values that hooks set for later hooks of one session. Values are kept over iterations and reloads of the
 * configuration, and dropped at exit (PIPE-E2, PIPE-CASE46). The last write wins. A hook's values are not in its own
 * environment (PIPE-E3).
 */
import { looksSecret, makeMasker, type Masker, secretValues } from '../../../model/secrets.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import type { ContainerTarget } from '../hooks/select-containers.ts';
import type { Outputs, OutputValue } from './env-file.ts';

export interface HookValues {
  readonly values: Readonly<Record<string, string>>;
  readonly outputs: Outputs;
}

export interface RecordedValue {
  readonly value: string;
  /** The name of the hook that set the value last. */
  readonly from: string;
  /** The iteration in which the value was set, from 1. */
  readonly iteration: number;
}

export interface HookOutputs extends HookValues {
  /** The hook's name in lifehook.yaml, or else its address. */
  readonly hook: string;
  readonly iteration: number;
  /** Names whose values are masked. */
  readonly secrets: readonly string[];
  /** Names whose values are harmless: records of later runs keep them. Absent: none. */
  readonly recordedValues?: readonly string[];
}

/** Maximum UTF-16 units of all values for later hooks, since the size of an environment is limited. */
export const MAX_SESSION_UNITS = 1_000_000;

export class SessionValues {
  readonly #environment = new Map<string, RecordedValue>();
  readonly #byHook = new Map<string, HookValues>();
  readonly #secrets = new Set<string>();
  readonly #harmless = new Set<string>();

  /** Returns false if the limit would be exceeded: then none of the values is stored. */
  record(reported: HookOutputs): boolean {
    const { hook, iteration, values, outputs } = reported;
    const merged = { ...this.environment(), ...values };
    const units = Object.entries(merged).reduce(
      (sum, [name, value]) => sum + name.length + value.length,
      0,
    );
    if (units > MAX_SESSION_UNITS) return false;
    for (const [name, value] of Object.entries(values)) {
      this.#environment.set(name, { value, from: hook, iteration });
    }
    this.#classify(reported);
    const before = this.#byHook.get(hook)?.values ?? {};
    this.#byHook.set(hook, { values: { ...before, ...values }, outputs });
    return true;
  }

  #classify({ values, outputs, secrets, recordedValues = [] }: HookOutputs): void {
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

  /** Whether the hook that set this variable last declares its value harmless. */
  isHarmless(name: string): boolean {
    return this.#harmless.has(name);
  }

  /** Values that must be masked in all output. */
  secretValues(): string[] {
    return [...this.#secrets];
  }
}

/** Masks texts that belong to no hook, such as messages. It also masks secrets that hooks set later. */
export function sessionMasker({
  callerEnv,
  values,
}: Pick<HookRunContext, 'callerEnv' | 'values'>): Masker {
  return makeMasker(secretValues(callerEnv), () => values.secretValues());
}

/** Masks the log of a container, including the values of the container's Secrets. Never rejects. */
export async function containerMasker(
  { callerEnv, values, cluster }: Pick<HookRunContext, 'callerEnv' | 'values' | 'cluster'>,
  target: ContainerTarget,
): Promise<Masker> {
  const given = (await cluster?.secretsOf?.(target)) ?? [];
  return makeMasker([...secretValues(callerEnv), ...given], () => values.secretValues());
}

/**
 * The data of `.hooks` in templates of tags, build arguments and helm values: `{{ .hooks.version.FOO }}`, or
 * `{{ index .hooks "build/web/after/0" "FOO" }}` for an address with slashes. An output overrides a value of the same
 * name.
 */
export function hooksTemplateData(
  byHook: ReadonlyMap<string, HookValues>,
): Record<string, Record<string, OutputValue>> {
  return Object.fromEntries(
    [...byHook].map(([hook, { values, outputs }]) => [hook, { ...values, ...outputs }]),
  );
}
