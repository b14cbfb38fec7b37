/** `lifehook pod lint`: what is wrong, or surprising, about the lifecycle hooks in manifests. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { lintManifest } from '../lifecycles/pod/lint/lint.ts';
import { formatProblem, type Problem } from '../model/problem.ts';
import { exitCodes } from './exit-codes.ts';
import { counted } from './lint-text.ts';

export interface PodLintOptions {
  readonly output: string;
  readonly serverVersion?: number;
  readonly drain?: number;
}

export async function runPodLint(
  files: readonly string[],
  options: PodLintOptions,
): Promise<number> {
  const settings = {
    serverMinor: options.serverVersion ?? null,
    drainSeconds: options.drain ?? null,
  };
  const problems: Problem[] = [];
  let hooks = 0;
  for (const file of files) {
    const text = file === '-' ? await standardInput() : await readFile(file, 'utf8');
    const result = lintManifest(file === '-' ? 'stdin' : file, text, settings);
    problems.push(...result.problems);
    hooks += result.hooks;
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(problems, null, 2)}\n`);
  else
    process.stdout.write(
      [...problems.map(formatProblem), summary(hooks, errors, problems), ''].join('\n'),
    );
  return errors > 0 ? exitCodes.failed : exitCodes.done;
}

function summary(hooks: number, errors: number, { length }: readonly Problem[]): string {
  const counts: readonly [number, string][] = [
    [hooks, 'hook'],
    [errors, 'error'],
    [length - errors, 'warning'],
  ];
  return counts.map(([count, noun]) => counted(count, noun)).join(', ');
}

async function standardInput(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += String(piece);
  return text;
}
