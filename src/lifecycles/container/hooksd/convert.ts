/**
 * Converts a 0.1.0 file into a 1.0.0 file that injects the same hook into the same containers, exactly once.
 *
 * One condition, or none, converts to one file of the same name, so that order and masking do not change. Several
 * conditions are joined by OR, which a single 1.0.0 file cannot express. A set of files would inject twice if two of
 * them match. So several conditions are refused, and the result offers one file per condition. The proof:
 * docs/decisions/hooksd-convert-refuses-or.md.
 */
import type { Problem } from '../../../model/problem.ts';
import { joinedPattern, positionOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';

export type Conversion =
  | { readonly kind: 'converted'; readonly file: ConvertedFile }
  /** The file is a 1.0.0 file already. */
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      readonly problem: Problem;
      /** One file per condition: together they match like the original, and inject once per match. */
      readonly remaining: readonly ConvertedFile[];
    };

export interface ConvertedFile {
  readonly name: string;
  /** JSON with two spaces of indentation, keys in the order of the manual page, a newline at the end. */
  readonly text: string;
}

export function convertHookFile(file: HookFile): Conversion {
  if (file.schema === '1.0.0') return { kind: 'unchanged' };
  const conditions = conditionsOf(file);
  const [only, ...others] = conditions;
  if (others.length === 0) {
    // A file without a condition loads and never matches, in both schemas.
    return { kind: 'converted', file: written(file, file.name, only?.when ?? {}) };
  }
  return {
    kind: 'refused',
    problem: refusal(file, conditions),
    remaining: conditions.map(({ name, when }) => written(file, branchName(file.name, name), when)),
  };
}

interface NamedWhen {
  readonly name: 'annotations' | 'bind-mounts' | 'commands';
  readonly when: object;
}

function conditionsOf({ when }: HookFile): NamedWhen[] {
  const conditions: NamedWhen[] = [];
  if (when.annotationValues !== undefined) {
    const annotations = { '.*': joinedPattern(when.annotationValues) };
    conditions.push({ name: 'annotations', when: { annotations } });
  }
  if (when.commands !== undefined && when.commands.length > 0) {
    conditions.push({ name: 'commands', when: { commands: when.commands } });
  }
  // hasbindmounts: false has no effect in 0.1.0, and would mean "never" in 1.0.0.
  if (when.hasBindMounts === true) {
    conditions.push({ name: 'bind-mounts', when: { hasBindMounts: true } });
  }
  return conditions;
}

/** "10-umount.json" -> "10-umount.commands.json": keeps its order among the other files. */
function branchName(name: string, condition: string): string {
  return `${name.slice(0, -'.json'.length)}.${condition}.json`;
}

function written({ hook, stages }: HookFile, name: string, when: object): ConvertedFile {
  const { path, args } = hook;
  const content = {
    version: '1.0.0',
    hook: { path, ...(args !== undefined && { args }) },
    when,
    stages,
  };
  return { name, text: `${JSON.stringify(content, null, 2)}\n` };
}

function refusal(file: HookFile, conditions: readonly NamedWhen[]): Problem {
  const names = conditions.map(({ name }) => name).join(' or ');
  return {
    code: 'LHC150',
    severity: 'error',
    message: `The file matches containers by ${names}, but version 1.0.0 cannot join conditions by "or". With one file for each condition, a container that meets two of them gets the hook twice.`,
    at: positionOf(file, ''),
    next: 'Keep the file in version 0.1.0; or use one file for each condition, if the hook may run twice.',
  };
}
