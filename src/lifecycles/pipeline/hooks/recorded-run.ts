/**
 * What `rerun` needs of a run that the journal does not hold: with which variables its hook was started. Secrets are
 * left out, by name and by value: they come from the environment of whoever runs the hook again. Pure.
 */
import { makeMasker, looksSecret, secretValues } from '../../../model/secrets.ts';
import type { Contract } from './contract.ts';
import type { PipelineHook } from './model.ts';
import type { HookList, HookRunContext } from './run-context.ts';

export interface RecordedRun {
  readonly runId: string;
  readonly address: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** Of the caller and of earlier hooks, without secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names of variables that were left out. */
  readonly withheld: readonly string[];
  readonly contract: Contract;
  /** Of container hooks: where they looked for containers. */
  readonly containers: RecordedContainers | null;
  /** What went in on stdin; null: nothing, or what `manifestsWithheld` tells of. */
  readonly manifests: string | null;
  /** They were there, but hold a secret, or are too long to be kept. */
  readonly manifestsWithheld: boolean;
}

export interface RecordedContainers {
  readonly namespaces: readonly string[];
  readonly image: string | null;
}

/** Of what goes in on stdin, UTF-16 units. */
export const MAX_RECORDED_MANIFESTS = 1_048_576;

/** Values that must not be written down anywhere. */
export function secretsOf(
  { policy }: PipelineHook,
  { callerEnv, values }: Pick<HookRunContext, 'callerEnv' | 'values'>,
): string[] {
  const own = policy.secrets.flatMap((name) => policy.env[name] ?? []);
  return [...values.secretValues(), ...secretValues(callerEnv), ...own];
}

export interface RunFacts {
  readonly runId: string;
  readonly atMs: number;
  readonly hook: PipelineHook;
  readonly list: HookList;
  readonly context: Pick<HookRunContext, 'callerEnv' | 'values'>;
}

/**
 * Worked example: the caller has HOME=/h, API_TOKEN=abcd1234 and URL=http://u:abcd1234@db: the record holds HOME, and
 * the names API_TOKEN and URL, since a secret stands in the value of URL too.
 */
export function recordRun({ runId, atMs, hook, list, context }: RunFacts): RecordedRun {
  const masker = makeMasker(secretsOf(hook, context));
  const isSecret = (name: string, value: string): boolean =>
    looksSecret(name) || hook.policy.secrets.includes(name) || masker.text(value) !== value;
  const all = Object.entries({ ...context.callerEnv, ...context.values.environment() });
  const kept = all.filter(([name, value]) => !isSecret(name, value));
  const { manifests = null, contract, containers } = list;
  const manifestsWithheld =
    manifests !== null &&
    (manifests.length > MAX_RECORDED_MANIFESTS || masker.text(manifests) !== manifests);
  return {
    runId,
    address: hook.address,
    atMs,
    variables: Object.fromEntries(kept),
    withheld: all.filter(([name, value]) => isSecret(name, value)).map(([name]) => name),
    contract,
    containers:
      containers === null ? null : { namespaces: containers.namespaces, image: containers.image },
    manifests: manifestsWithheld ? null : manifests,
    manifestsWithheld,
  };
}
