/** Reads the text of one file: its configurations, upgraded and checked. Pure. */
import { type Located, type LocatedMap, readTrees } from '../../../model/located-tree.ts';
import { type Problem, shownText } from '../../../model/problem.ts';
import { checkTree } from './check-tree.ts';
import { errorOf } from './config-problem.ts';
import type { UnusedField } from './model.ts';
import { textAt } from './tree-edit.ts';
import { upgrade } from './upgrade/upgrade.ts';

export interface FileConfig {
  readonly tree: LocatedMap;
  /** As written in the file. */
  readonly apiVersion: string;
  readonly name: string | null;
  readonly unused: readonly UnusedField[];
}

export interface ReadFile {
  readonly configs: readonly FileConfig[];
  /** Errors and warnings. */
  readonly problems: readonly Problem[];
}

export function readConfigFile(file: string, text: string): ReadFile {
  const { trees, problems: unreadable } = readTrees(file, text);
  const problems: Problem[] = [...unreadable];
  const configs: FileConfig[] = [];
  for (const tree of trees.map((one) => withoutDotted(one))) {
    problems.push(...curlyQuotes(tree));
    const upgraded = upgrade(tree);
    if (upgraded.kind === 'refused') {
      problems.push(upgraded.problem);
      continue;
    }
    problems.push(...upgraded.warnings, ...checkTree(upgraded.tree));
    const { apiVersion, unused } = upgraded;
    const name = textAt(upgraded.tree, 'metadata', 'name') ?? null;
    if (name !== null && configs.some((one) => one.name === name)) {
      const message = `The file has two configurations with the name "${name}".`;
      problems.push(errorOf('LHL131', { at: tree.at, message, next: 'Rename one of them.' }));
    }
    configs.push({ tree: upgraded.tree, apiVersion, name, unused });
  }
  if (trees.length === 0 && unreadable.length === 0) {
    const at = { file, line: 1, column: 1 };
    const next = 'Write a configuration, or name another file.';
    problems.push(errorOf('LHL101', { at, message: 'The file has no configuration.', next }));
  }
  return { configs, problems };
}

/** Removes top-level fields that start with a dot: as in skaffold, they only hold YAML anchors for other places. */
function withoutDotted(tree: Located): Located {
  if (tree.kind !== 'map') return tree;
  const fields = [...tree.fields].filter(([name]) => !name.startsWith('.'));
  return { ...tree, fields: new Map(fields) };
}

const CURLY = /^[\u2018\u2019\u201C\u201D]|[\u2018\u2019\u201C\u201D]$/;

/**
 * Finds typographic quotes at the ends of an unquoted text. YAML takes them as letters, and no command is called
 * “sleep” (PIPE-C2). Pure.
 */
export function curlyQuotes(tree: Located): readonly Problem[] {
  if (tree.kind === 'list') return tree.items.flatMap((item) => curlyQuotes(item));
  if (tree.kind === 'map')
    return [...tree.fields.values()].flatMap(({ value }) => curlyQuotes(value));
  if (!tree.plain || typeof tree.value !== 'string' || !CURLY.test(tree.text)) return [];
  const message = `${shownText(tree.text)} has a curly quote, which YAML reads as a part of the value.`;
  const next = `Write straight quotes, " or ', instead of the typographic ones.`;
  return [errorOf('LHL102', { at: tree.at, message, next })];
}
