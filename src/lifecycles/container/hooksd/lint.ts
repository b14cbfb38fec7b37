/**
 * Finds errors in hook files, and traps: parts with another effect than they seem to have. Reading a file finds the
 * errors. The traps are found here. Most are warnings, since Podman and CRI-O accept such files silently.
 */
import type { Problem } from '../../../model/problem.ts';
import { shellWords } from '../../../model/shell-words.ts';
import type { Files } from '../../../platform/platform.ts';
import { extensionStages } from '../points.ts';
import type { Compile } from '../../../model/pattern.ts';
import { positionOf, patternsOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';
import { keyTraps } from './lint-keys.ts';
import { whenTraps } from './lint-when.ts';
import { lowerCase } from './resolve.ts';
import { runsOnHost } from './program.ts';
import { pathOf, readHookFile, type HookSource } from './read-hook-file.ts';
import { scanFolders, type Finding, type ScanOptions } from './scan.ts';
import { extensionTraps } from './extension-traps.ts';
import { stageTraps } from './select.ts';

export interface LintOptions {
  /** Whether the directories were named by a user: then a missing one is an error. */
  readonly isNamed?: boolean;
  readonly compile: Compile;
  /** The stages that the runtime in use lists under `hooks` in its `features`; absent: not checked. */
  readonly runtimeStages?: readonly string[];
}

/** Lints directories as they would be loaded together. */
export async function lintFolders(options: ScanOptions & LintOptions): Promise<Problem[]> {
  const scans = await scanFolders(options);
  const findings = scans.flatMap((scan) => scan.findings);
  const problems = scans.flatMap((scan) =>
    scan.state === 'missing'
      ? [missingFolder(scan.folder, options.isNamed === true ? 'error' : 'warning')]
      : scan.problems,
  );
  for (const finding of findings) problems.push(...(await lintFinding(finding, options)));
  return [...problems, ...caseTraps(findings)];
}

/**
 * The problem of a missing directory. When hooks are loaded it is none, but a user who names a directory may have
 * mistyped it.
 */
export function missingFolder(folder: string, severity: Problem['severity']): Problem {
  return {
    code: 'LHC144',
    severity,
    message: `The directory ${folder} does not exist: no hook file is read from it.`,
    at: { file: folder, line: 1, column: 1 },
    next: 'Correct the name, if hook files were expected there.',
  };
}

async function lintFinding(
  finding: Finding,
  options: ScanOptions & LintOptions,
): Promise<readonly Problem[]> {
  if (finding.kind === 'disabled') return [];
  if (finding.kind === 'bad' && !finding.wasRead) return finding.problems;
  const { folder, name } = finding;
  const text = await options.files.read(pathOf(finding));
  const problems = lintHookFile({ folder, name, text }, options);
  if (finding.kind === 'broken' || finding.kind === 'unsafe') problems.push(finding.problem);
  if (finding.kind === 'good' || finding.kind === 'unsafe')
    problems.push(...(await programTraps(finding.file, options.files)));
  return problems;
}

/** Lints one file by itself, without accessing the machine. */
export function lintHookFile(source: HookSource, options: LintOptions): Problem[] {
  const reading = readHookFile(source, options.compile);
  if (!reading.ok) return [...reading.problems, ...keyTraps(source)];
  const { file } = reading;
  return [
    ...keyTraps(source),
    ...whenTraps(file),
    ...patternTraps(file),
    ...stageTraps(file, 'createRuntime'),
    ...targetTraps(file, options.runtimeStages),
    ...extensionTraps(file),
    ...processTraps(file),
  ];
}

/** Hooks of an extension stage never reach the runtime: Lifehook runs them. */
function isExtension(stage: string): boolean {
  return extensionStages.some((extension) => extension === stage);
}

function targetTraps(file: HookFile, runtimeStages: readonly string[] | undefined): Problem[] {
  if (file.stages.length === 0) {
    return [
      {
        code: 'LHC135',
        severity: 'warning',
        message: 'The list of stages is empty: the hook is never injected.',
        at: positionOf(file, 'stages'),
        next: 'Name a stage, or remove the file.',
      },
    ];
  }
  if (runtimeStages === undefined) return [];
  return file.stages.flatMap((stage, index) =>
    runtimeStages.includes(stage) || isExtension(stage)
      ? []
      : [
          {
            code: 'LHC141',
            severity: 'warning' as const,
            message: `The runtime does not know the stage "${stage}"; it knows ${runtimeStages.join(', ')}.`,
            at: positionOf(file, `stages[${index}]`),
            next: 'Use a stage that it knows, or another runtime.',
          },
        ],
  );
}

function processTraps(file: HookFile): Problem[] {
  const { args, env } = file.hook;
  const problems: Problem[] = [];
  if (args?.[0]?.startsWith('-') === true) {
    problems.push({
      code: 'LHC142',
      severity: 'warning',
      message: `args is the whole argv: "${args[0]}" becomes the name of the program (argv[0]), not an option.`,
      at: positionOf(file, 'hook.args[0]'),
      next: 'Begin args with the name of the program.',
    });
  }
  env?.forEach((entry, index) => {
    if (/^[^=]+=/.test(entry)) return;
    problems.push({
      code: 'LHC140',
      severity: 'warning',
      message: `An entry of env must be NAME=value, but is ${JSON.stringify(entry)}.`,
      at: positionOf(file, `hook.env[${index}]`),
      next: 'Write NAME=value.',
    });
  });
  return problems;
}

const ANY_EXECUTE_BIT = 0o111;

async function programTraps(file: HookFile, files: Files): Promise<Problem[]> {
  if (!runsOnHost(file)) return [];
  const { path } = file.hook;
  const stat = await files.stat(path);
  const runnable = stat.kind === 'file' && (stat.mode & ANY_EXECUTE_BIT) !== 0;
  const at = positionOf(file, 'hook.path');
  const problems: Problem[] = [];
  if (!runnable) {
    const is = stat.kind === 'file' ? 'a file without execute permission' : 'not a file';
    problems.push({
      code: 'LHC117',
      severity: 'error',
      message: `The hook's path must be a program, but ${path} is ${is}.`,
      at,
      next:
        stat.kind === 'file' ? `Run "${shellWords(['chmod', '+x', path])}".` : 'Correct the path.',
    });
  }
  return problems;
}

function caseTraps(findings: readonly Finding[]): Problem[] {
  const first = new Map<string, string>();
  return findings.flatMap((finding): Problem[] => {
    const key = lowerCase(finding.name);
    const other = first.get(key);
    if (other === undefined) first.set(key, finding.name);
    if (other === undefined || other === finding.name) return [];
    return [
      {
        code: 'LHC119',
        severity: 'warning',
        message: `${finding.name} and ${other} differ only in case: both are hooks, and their order is not defined in Podman and CRI-O.`,
        at: { file: pathOf(finding), line: 1, column: 1 },
        next: 'Rename one of them.',
      },
    ];
  });
}

/**
 * Patterns that mean something else than users expect. The manual page promises POSIX extended regular expressions, and
 * every implementation uses Go's RE2.
 */
const DIALECTS: readonly { readonly shape: RegExp; readonly means: string }[] = [
  { shape: /\\[<>]/, means: 'is the character itself, not the edge of a word as in grep' },
  { shape: /\{,\d+\}/, means: 'is plain text, not a repetition' },
  { shape: /\\[A-Za-z0-9]/, means: 'is a class or escape of RE2, which POSIX does not have' },
  { shape: /\(\?/, means: 'begins a flag or group of RE2, which POSIX does not have' },
  { shape: /[*+?}]\?/, means: 'is a lazy repetition of RE2, which POSIX does not have' },
];

function patternTraps(file: HookFile): Problem[] {
  return patternsOf(file).flatMap(({ path, text }) => {
    // An escaped backslash starts no escape, but a `*` may follow it: so it becomes "_". A class becomes "[]",
    // since its characters have no special meaning.
    const bare = text.replaceAll('\\\\', '_').replace(/\[\^?\]?[^\]\\]*\]/g, '[]');
    return DIALECTS.flatMap(({ shape, means }): Problem[] => {
      const found = shape.exec(bare)?.[0];
      if (found === undefined) return [];
      return [
        {
          code: 'LHC139',
          severity: 'warning',
          message: `In the pattern ${JSON.stringify(text)}, ${found} ${means}.`,
          at: positionOf(file, path),
          next: 'Write it in a way that RE2 and POSIX share, if other programs read this file.',
        },
      ];
    });
  });
}
