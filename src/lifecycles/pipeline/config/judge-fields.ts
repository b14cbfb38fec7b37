/**
 * Finds the fields of a configuration that Lifehook does not implement, with positions: refused and idle ones. Pure.
 */
import type { Located, LocatedMap } from '../../../model/located-tree.ts';
import type { Position, Problem } from '../../../model/problem.ts';
import { errorOf, warningOf } from './config-problem.ts';
import { asksFor, IDLE, REFUSED, type Refused, REFUSED_BUILDERS } from './field-effects.ts';
import { fieldsOf, ROOT_TYPE } from './field-table.ts';
import type { Artifact, ModuleConfig, UnusedField } from './model.ts';

export interface Judged {
  readonly refused: readonly RefusedField[];
  readonly idle: readonly UnusedField[];
}

export interface RefusedField {
  /** The path of the field, such as "deploy.cloudrun". */
  readonly path: string;
  readonly at: Position;
  readonly rule: Refused;
}

const NAMED_MAX = 20;

/** Inactive profiles do not count. `withoutRefusedBuilders` judges the builders of artifacts. */
export function judgeFields(tree: LocatedMap): Judged {
  const fields = new Map([...tree.fields].filter(([name]) => name !== 'profiles'));
  const found = walk({ ...tree, fields }, ROOT_TYPE, '');
  return {
    refused: found.flatMap((one) => ('rule' in one ? [one] : [])),
    idle: found.flatMap((one) => ('rule' in one ? [] : [one])),
  };
}

export function refusedProblem({ path, at, rule }: RefusedField, isIgnored: boolean): Problem {
  const { why, ignored } = rule;
  if (!isIgnored) {
    const message = `${path} is not supported: ${why}.`;
    const next = `Remove it, or give --ignore-unsupported: then ${ignored}.`;
    return errorOf('LHL135', { at, message, next });
  }
  const message = `${path} is ignored: ${why}, and ${ignored}.`;
  return warningOf('LHL135', { at, message, next: 'Do nothing if that is intended.' });
}

export function idleWarning(idle: readonly UnusedField[]): readonly Problem[] {
  const [first] = idle;
  if (first === undefined) return [];
  const named = idle
    .slice(0, NAMED_MAX)
    .map(({ path, at, reason }) => `${path} (line ${at.line}): ${reason}`);
  const more = idle.length > NAMED_MAX ? `; and ${idle.length - NAMED_MAX} more` : '';
  const message = `Fields without effect here: ${named.join('; ')}${more}.`;
  return [
    warningOf('LHL109', {
      at: first.at,
      message,
      next: 'These fields have no effect; remove them, or keep them for other tools.',
    }),
  ];
}

function walk(part: Located, type: string, path: string): readonly (RefusedField | UnusedField)[] {
  if (type.startsWith('[]')) {
    const items = part.kind === 'list' ? part.items : [];
    return items.flatMap((item, index) => walk(item, type.slice(2), `${path}[${index}]`));
  }
  const fields = fieldsOf(type);
  if (fields === null || part.kind !== 'map') return [];
  return [...part.fields].flatMap(([name, { keyAt, value }]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const rule = REFUSED[`${type}.${name}`];
    if (rule !== undefined) {
      return (rule.asks ?? asksFor)(value) ? [{ path: here, at: keyAt, rule }] : [];
    }
    const reason = IDLE[`${type}.${name}`];
    if (reason !== undefined) return asksFor(value) ? [{ path: here, at: keyAt, reason }] : [];
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return known === undefined ? [] : walk(value, known, here);
  });
}

export interface BuildableModules {
  /** The modules, from which artifacts with an unsupported builder were removed. */
  readonly modules: readonly ModuleConfig[];
  /** Errors, or warnings if the user ignores the fields. */
  readonly problems: readonly Problem[];
}

/**
 * Refuses or removes artifacts with an unsupported builder. Call after lifehook.yaml was applied, which may replace
 * builders.
 */
export function withoutRefusedBuilders(
  modules: readonly ModuleConfig[],
  isIgnored: boolean,
): BuildableModules {
  const artifacts = modules.flatMap(({ build }) => build.artifacts);
  return {
    problems: artifacts.flatMap((one) => problemOf(one, isIgnored)),
    modules: modules.map((module) => ({
      ...module,
      build: {
        ...module.build,
        artifacts: module.build.artifacts.filter(({ builder }) => builder.kind !== 'unsupported'),
      },
    })),
  };
}

function problemOf({ image, builder }: Artifact, isIgnored: boolean): readonly Problem[] {
  if (builder.kind !== 'unsupported') return [];
  const rule = REFUSED_BUILDERS[`Artifact.${builder.name}`];
  if (rule === undefined) throw new Error(`no rule for the builder ${builder.name}`);
  const problem = refusedProblem(
    { path: `${builder.name} of ${image}`, at: builder.at, rule },
    isIgnored,
  );
  if (isIgnored) return [problem];
  const next = `Call ${builder.name} in the buildCommand of a custom builder, or give --ignore-unsupported: then ${rule.ignored}.`;
  return [{ ...problem, next }];
}
