/** Finds conditions that never hold, always hold, or hold unexpectedly. */
import type { Problem } from '../../../model/problem.ts';
import { patternsOf, positionOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';

export function whenTraps(file: HookFile): Problem[] {
  return [
    ...emptyWhen(file),
    ...falseConditions(file),
    ...emptyAnnotationList(file),
    ...emptyPatterns(file),
    ...alwaysWithCommands(file),
  ];
}

function warning(
  file: HookFile,
  path: string,
  { code, message, next }: Pick<Problem, 'code' | 'message' | 'next'>,
): Problem {
  return { code, severity: 'warning', message, at: positionOf(file, path), next };
}

function emptyWhen(file: HookFile): Problem[] {
  const { always, hasBindMounts, annotations = [], annotationValues, commands = [] } = file.when;
  const given = [always, hasBindMounts, annotationValues].some((part) => part !== undefined);
  if (given || annotations.length > 0 || commands.length > 0) return [];
  const next =
    file.schema === '1.0.0'
      ? 'Write "always": true for every container.'
      : 'Write "cmds": [".*"] for every container.';
  return [
    warning(file, 'when', {
      code: 'LHC130',
      message: 'The file has no condition, and so its hook is never injected.',
      next,
    }),
  ];
}

function falseConditions(file: HookFile): Problem[] {
  const { always, hasBindMounts, combine } = file.when;
  const problems: Problem[] = [];
  if (always === false) {
    problems.push(
      warning(file, 'when.always', {
        code: 'LHC131',
        message: '"always": false never holds, so the hook is never injected.',
        next: 'Remove the key; or keep it, if it is there to switch the hook off.',
      }),
    );
  }
  if (hasBindMounts === false) {
    const effect =
      combine === 'all'
        ? 'never holds, even without bind mounts: the hook is never injected'
        : 'has no effect, as if the key were absent';
    problems.push(
      warning(file, 'when.hasBindMounts', {
        code: 'LHC132',
        message: `A bind mount condition of false ${effect}.`,
        next: 'Remove the key; hooks.d cannot ask for containers without bind mounts.',
      }),
    );
  }
  return problems;
}

function emptyAnnotationList(file: HookFile): Problem[] {
  if (file.when.annotationValues?.length !== 0) return [];
  return [
    warning(file, 'when.annotationValues', {
      code: 'LHC133',
      message: 'An empty list of annotations matches every container that has any annotation.',
      next: 'Remove the key, or name a pattern.',
    }),
  ];
}

/**
 * Finds empty patterns, including those that a `null` in a list leaves. An empty annotation value is often intended as
 * "any value", so it is allowed.
 */
function emptyPatterns(file: HookFile): Problem[] {
  const values = (file.when.annotationValues ?? []).map((text, index) => ({
    path: `when.annotationValues[${index}]`,
    text,
  }));
  const others = patternsOf(file).filter(({ path }) => /\.key|commands/.test(path));
  return [...values, ...others]
    .filter(({ text }) => text === '')
    .map(({ path }) =>
      warning(file, path, {
        code: 'LHC134',
        message: 'The empty pattern matches everything.',
        next: 'To match everything, write ".*"; to match only the empty text, write "^$".',
      }),
    );
}

function alwaysWithCommands(file: HookFile): Problem[] {
  const { always, commands = [] } = file.when;
  if (always !== true || commands.length === 0) return [];
  return [
    warning(file, 'when.always', {
      code: 'LHC136',
      message:
        'Every condition must match, so "always": true next to "commands" adds only containers without a process.',
      next: 'Remove "always" to match only these commands, or remove "commands" to match every container.',
    }),
  ];
}
