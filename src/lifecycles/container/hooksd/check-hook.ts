/** Checks hook files of both schemas for errors in values whose types are right. */
import type { Position, Problem } from '../../../model/problem.ts';
import { extensionStages, stages } from '../points.ts';
import type { HookFile } from './hook-file.ts';
import { invalidityOf } from './literal-first.ts';
import type { Compile } from '../../../model/pattern.ts';

/** runc stores a timeout in nanoseconds in 64 bits: more seconds than this overflow there. */
export const TIMEOUT_MAX_SECONDS = 9_223_372_036;

const KNOWN_STAGES: readonly string[] = [...stages, ...extensionStages];

export function problemsOf(file: HookFile, compile: Compile): Problem[] {
  return [
    ...pathProblems(file),
    ...timeoutProblems(file),
    ...patternProblems(file, compile),
    ...stageProblems(file),
  ];
}

/** The position of a part, or of the nearest enclosing part that has one. */
export function positionOf({ positions, folder, name }: HookFile, path: string): Position {
  for (let inner = path; ; inner = inner.replace(/(^|\.|\[)[^.[]*$/, '')) {
    const found = positions[inner];
    if (found !== undefined) return found;
    if (inner === '') return { file: `${folder}/${name}`, line: 1, column: 1 };
  }
}

export function patternsOf({ when }: HookFile): { readonly path: string; readonly text: string }[] {
  const pairs = (when.annotations ?? []).flatMap(({ key, value }, index) => [
    { path: `when.annotations[${index}].key`, text: key },
    { path: `when.annotations[${index}].value`, text: value },
  ]);
  const commands = (when.commands ?? []).map((text, index) => ({
    path: `when.commands[${index}]`,
    text,
  }));
  const values = when.annotationValues;
  const joined =
    values === undefined ? [] : [{ path: 'when.annotationValues', text: joinedPattern(values) }];
  return [...pairs, ...joined, ...commands];
}

/**
 * Schema 0.1.0 joins all annotation patterns of a file into one. So `["(a", "b)"]` is valid, a flag also applies to the
 * next pattern, and an empty list is the empty pattern.
 */
export function joinedPattern(values: readonly string[]): string {
  return values.join('|');
}

/**
 * Stricter than Podman and CRI-O: the OCI specification requires an absolute path, and the base of a relative one
 * differs between runtimes (bundle, working directory, PATH).
 */
function pathProblems(file: HookFile): Problem[] {
  const { path } = file.hook;
  if (path.startsWith('/')) return [];
  if (path === '') {
    return [
      {
        code: 'LHC104',
        severity: 'error',
        message: "The hook's path is required, and is missing or empty.",
        at: positionOf(file, 'hook.path'),
        next: 'Write the absolute path of the program.',
      },
    ];
  }
  return [
    {
      code: 'LHC106',
      severity: 'error',
      message: `The hook's path must be absolute, but is ${JSON.stringify(path)}.`,
      at: positionOf(file, 'hook.path'),
      next: 'Write the absolute path of the program.',
    },
  ];
}

/** Stricter than Podman and CRI-O: runtimes disagree about 0 and negative numbers. */
function timeoutProblems(file: HookFile): Problem[] {
  const { timeout } = file.hook;
  if (timeout === undefined || (timeout >= 1 && timeout <= TIMEOUT_MAX_SECONDS)) return [];
  return [
    {
      code: 'LHC107',
      severity: 'error',
      message: `hook.timeout must be from 1 to ${TIMEOUT_MAX_SECONDS} seconds, but is ${timeout}.`,
      at: positionOf(file, 'hook.timeout'),
      next: 'Write a number of whole seconds, or remove the key for no deadline.',
    },
  ];
}

function patternProblems(file: HookFile, compile: Compile): Problem[] {
  return patternsOf(file).flatMap(({ path, text }) => {
    const invalid = invalidityOf(text, compile);
    if (invalid === undefined) return [];
    return [
      {
        code: 'LHC108',
        severity: 'error' as const,
        message: `The pattern ${JSON.stringify(text)} is not a regular expression of RE2: ${invalid}.`,
        at: positionOf(file, path),
        next: 'Correct it; RE2 has no look-around and no back-references.',
      },
    ];
  });
}

function stageProblems(file: HookFile): Problem[] {
  return file.stages.flatMap((stage, index) =>
    KNOWN_STAGES.includes(stage)
      ? []
      : [
          {
            code: 'LHC109',
            severity: 'error' as const,
            message: `A stage must be one of ${KNOWN_STAGES.join(', ')}, but is ${JSON.stringify(stage)}.`,
            at: positionOf(file, `stages[${index}]`),
            next: 'Write one of these names; they are case-sensitive.',
          },
        ],
  );
}
