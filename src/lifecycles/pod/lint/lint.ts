/** What `lifehook pod lint` finds in a manifest: each hook, each rule, with its place. Pure. */
import { type LocatedDocument, readDocuments } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';
import type { LintSettings } from './finding.ts';
import { handlerRules } from './handler-rules.ts';
import { hooksIn } from './hooks-in.ts';
import { sleepRules } from './sleep-rules.ts';

export interface LintResult {
  readonly problems: readonly Problem[];
  readonly hooks: number;
}

export function lintManifest(file: string, text: string, settings: LintSettings): LintResult {
  const read = readDocuments(file, text);
  const linted = read.documents.map((document) => lintDocument(document, settings));
  return {
    problems: [...read.problems, ...linted.flatMap(({ problems }) => problems)],
    hooks: linted.reduce((sum, { hooks }) => sum + hooks, 0),
  };
}

function lintDocument(document: LocatedDocument, settings: LintSettings): LintResult {
  const hooks = hooksIn(document.value);
  const findings = hooks.flatMap((hook) => [
    ...handlerRules(hook, settings),
    ...sleepRules(hook, settings),
  ]);
  const problems = findings.map(({ path, ...problem }) => ({
    ...problem,
    at: document.positionOf(path),
  }));
  return {
    problems: problems.toSorted((one, other) => one.at.line - other.at.line),
    hooks: hooks.length,
  };
}
