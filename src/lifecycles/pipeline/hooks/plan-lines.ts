/**
 * Builds the lines of `plan` for each hook: its command, place and variables, or the reason why it is skipped. Pure.
 */
import { looksSecret } from '../../../model/secrets.ts';
import { shellWords } from '../../../model/shell-words.ts';
import type { HookDecision } from './decide.ts';
import type { ContainerAction, PipelineHook } from './model.ts';

export interface PlanLine {
  readonly address: string;
  readonly name: string;
  readonly runs: boolean;
  /** The reason why the hook runs or is skipped. */
  readonly reason: string;
  /** The argv, quoted for a shell. */
  readonly what: string;
  readonly where: string;
  /** The position of the definition, such as "skaffold.yaml:12:9". */
  readonly defined: string;
  /**
   * The variables, with secret values masked. Empty for container hooks, since no variable of ours reaches a container.
   */
  readonly variables: Readonly<Record<string, string>>;
}

export interface PlanFacts {
  readonly workDir: string;
  /** For host hooks: the contract, the values of earlier hooks, and the hook's own variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The image whose containers a sync hook runs in; null: containers are not selected by an image. */
  readonly image: string | null;
  /** Number of containers that match now; null: it is unknown. */
  readonly matching: number | null;
}

export function planLine(decision: HookDecision, facts: PlanFacts): PlanLine {
  const { hook, runs, reason } = decision;
  const { address, name, action, at } = hook;
  const noneMatches = runs && action.kind === 'container' && facts.matching === 0;
  return {
    address,
    name,
    runs: runs && !noneMatches,
    reason: noneMatches ? 'no container matches now' : reason,
    what: shellWords(action.command),
    where: whereOf(hook, facts),
    defined: `${at.file}:${at.line}:${at.column}`,
    variables: action.kind === 'host' ? masked(hook, facts.variables) : {},
  };
}

/** One hook in a few lines: "+" means that it runs, "-" that it does not. */
export function planText(line: PlanLine): string {
  const title = line.name === line.address ? line.address : `${line.address} (${line.name})`;
  const rows = [
    `${line.runs ? '+' : '-'} ${title}: ${line.reason}`,
    `    ${line.what}`,
    `    ${line.where}; ${line.defined}`,
    ...(line.runs ? Object.entries(line.variables) : []).map(
      ([name, value]) => `    ${name}=${value}`,
    ),
  ];
  return rows.join('\n');
}

function whereOf({ action }: PipelineHook, { workDir, image, matching }: PlanFacts): string {
  if (action.kind === 'host') return `on this machine, in ${action.dir ?? workDir}`;
  const found = matching === null ? '' : `; ${matching} now`;
  return `in ${containersOf(action, image)}${found}`;
}

function containersOf(
  { podName, podPrefix, containerName }: ContainerAction,
  image: string | null,
): string {
  const parts = [
    image === null ? null : `of the image ${image}`,
    podName === undefined ? null : `of pods ${podName}`,
    podPrefix === undefined ? null : `of pods that begin with ${podPrefix}`,
    containerName === undefined ? null : `called ${containerName}`,
  ].filter((part) => part !== null);
  return ['running containers', ...parts].join(' ');
}

function masked(
  hook: PipelineHook,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const isSecret = (name: string): boolean =>
    hook.policy.secrets.includes(name) || looksSecret(name);
  return Object.fromEntries(
    Object.entries(variables)
      .map(([name, value]): [string, string] => [name, isSecret(name) ? '***' : value])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
