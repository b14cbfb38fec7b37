/** The options that describe a snapshot, and the object that they make. Pure. */
import { InvalidArgumentError } from 'commander';

import type {
  ApplicationSnapshot,
  ApplicationSnapshotSpec,
  ExecutionHookInfo,
} from '../../lifecycles/snapshot/kinds.ts';

type Labels = Readonly<Record<string, string>>;
type Recipe = NonNullable<ExecutionHookInfo['recipe']>;

export interface RequestOptions {
  readonly claim?: readonly string[];
  readonly selector?: Labels;
  readonly group?: boolean;
  readonly class?: string;
  readonly template?: string;
  readonly recipe?: Recipe;
  readonly pods?: Labels;
  readonly container?: string;
  /** Seconds. */
  readonly cutDeadline?: number;
}

export function collectClaims(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...name.split(',').filter((one) => one !== '')];
}

export function parseLabels(text: string): Labels {
  return pairsOf(text.split(','), 'Labels are required as name=value, with commas between.');
}

/** "mariadb-lock" or "mariadb-lock,user=backup,socket=/run/m.sock". */
export function parseRecipe(text: string): Recipe {
  const [name = '', ...pairs] = text.split(',');
  if (name === '' || name.includes('=')) {
    throw new InvalidArgumentError('The name of a recipe comes first: mariadb-lock,user=backup.');
  }
  if (pairs.length === 0) return { name };
  return { name, parameters: pairsOf(pairs, 'Parameters are required as name=value.') };
}

function pairsOf(pairs: readonly string[], required: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new InvalidArgumentError(`${required} Received "${pair}".`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

const LONGEST_SECONDS = 86_400;

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new InvalidArgumentError(
      `A whole number of seconds from 1 to ${LONGEST_SECONDS} is required.`,
    );
  }
  return seconds;
}

/** null: they don't say of what. */
export function snapshotOf(
  name: string,
  namespace: string,
  options: RequestOptions,
): ApplicationSnapshot | null {
  const source = sourceOf(options);
  if (source === null) return null;
  const { group = false, cutDeadline, class: className } = options;
  const infos = infosOf(options);
  const classField = group ? 'volumeGroupSnapshotClassName' : 'volumeSnapshotClassName';
  return {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'ApplicationSnapshot',
    metadata: { name, namespace },
    spec: {
      source,
      mode: group ? 'Group' : 'Single',
      ...(className === undefined ? {} : { [classField]: className }),
      ...(cutDeadline === undefined ? {} : { cutDeadlineSeconds: cutDeadline }),
      ...(infos.length === 0 ? {} : { executionHookInfos: infos }),
    },
  };
}

function sourceOf({ claim, selector }: RequestOptions): ApplicationSnapshotSpec['source'] | null {
  if (claim !== undefined) return { persistentVolumeClaimNames: [...claim] };
  return selector === undefined ? null : { selector: { matchLabels: { ...selector } } };
}

function infosOf({ template, recipe, pods, container }: RequestOptions): ExecutionHookInfo[] {
  if (template === undefined && recipe === undefined) return [];
  const info: ExecutionHookInfo = {};
  if (template !== undefined) info.executionHookTemplateName = template;
  if (recipe !== undefined) info.recipe = recipe;
  if (pods !== undefined) info.podSelector = { matchLabels: { ...pods } };
  if (container !== undefined) info.containerSelector = { ContainerName: container };
  return [info];
}
