/**
 * Records the data that `rerun` needs and the journal lacks: the names of the variables that the hook got in addition
 * to the caller's environment. Values are kept only if the hook's policy declares them harmless; all others are taken
 * from the environment of the user who reruns the hook. No record contains the caller's environment. Pure.
 */
import { type Masker, makeMasker, looksSecret, secretValues } from '../../../model/secrets.ts';
import type { Contract } from './contract.ts';
import type { PipelineHook } from './model.ts';
import type { HookList, HookRunContext } from './run-context.ts';

export interface RecordedRun {
  readonly runId: string;
  readonly address: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** Names of the variables from the hook's definition and from earlier hooks, sorted. */
  readonly variables: readonly string[];
  /** Values of the variables that a hook declares harmless by `recordedValues`, and that contain no secret. */
  readonly values: Readonly<Record<string, string>>;
  /** The contract, without the variables that contain a secret: only their names are in `variables`. */
  readonly contract: Contract;
  /** For container hooks: the places in which the hook searched for containers. */
  readonly containers: RecordedContainers | null;
  /** The manifests on stdin; null: there were none, or they are withheld (see `manifestsWithheld`). */
  readonly manifests: string | null;
  /** True if there were manifests that contain a secret or are too long to be kept. */
  readonly manifestsWithheld: boolean;
}

export interface RecordedContainers {
  readonly namespaces: readonly string[];
  readonly image: string | null;
}

/** Maximum UTF-16 units of recorded manifests. */
export const MAX_RECORDED_MANIFESTS = 1_048_576;

/** The values that must never be written to a file. */
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
 * Builds the record of a run for `rerun`. Worked example: the caller has HOME=/h, an earlier hook with `recordedValues:
 * [STAGE, API_TOKEN]` has set STAGE=one and API_TOKEN=abcd1234: the record holds both names, and the value of STAGE
 * only.
 */
export function recordRun({ runId, atMs, hook, list, context }: RunFacts): RecordedRun {
  const masker = makeMasker(secretsOf(hook, context));
  const given = { ...context.values.environment(), ...hook.policy.env };
  const set = Object.entries(list.contract.set);
  const isPlain = ([, value]: readonly [string, string]): boolean => masker.text(value) === value;
  const hidden = set.filter((one) => !isPlain(one)).map(([name]) => name);
  const { manifests = null, containers } = list;
  const manifestsWithheld = manifests !== null && !mayKeep(manifests, masker);
  return {
    runId,
    address: hook.address,
    atMs,
    variables: [...new Set([...Object.keys(given), ...hidden])].toSorted(),
    values: harmlessValues({ given, hook, context }, masker),
    contract: { ...list.contract, set: Object.fromEntries(set.filter((one) => isPlain(one))) },
    containers:
      containers === null ? null : { namespaces: containers.namespaces, image: containers.image },
    manifests: manifestsWithheld ? null : manifests,
    manifestsWithheld,
  };
}

interface Given extends Pick<RunFacts, 'hook' | 'context'> {
  readonly given: Readonly<Record<string, string>>;
}

function harmlessValues(
  { given, hook: { policy }, context: { values } }: Given,
  masker: Masker,
): Record<string, string> {
  const isDeclared = (name: string): boolean =>
    Object.hasOwn(policy.env, name)
      ? policy.recordedValues.includes(name)
      : values.isHarmless(name);
  const isHarmless = ([name, value]: readonly [string, string]): boolean =>
    isDeclared(name) &&
    !policy.secrets.includes(name) &&
    !looksSecret(name) &&
    masker.text(value) === value;
  return Object.fromEntries(Object.entries(given).filter((one) => isHarmless(one)));
}

/** Manifests that contain an object of the kind Secret are never kept, whatever the data looks like. */
function mayKeep(manifests: string, masker: Masker): boolean {
  return (
    manifests.length <= MAX_RECORDED_MANIFESTS &&
    !SECRET_OBJECT.test(manifests) &&
    masker.text(manifests) === manifests
  );
}

const SECRET_OBJECT = /\bkind["']?\s*:\s*["']?Secret\b/;
