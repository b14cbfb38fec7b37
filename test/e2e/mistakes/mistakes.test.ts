/**
 * Typical mistakes, each with the command that detects it.
 *
 * The answer must name the mistake once, with its position, the reason and the next step. The exit code must report a
 * failure, and no stack trace may be shown.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { commandLineMistakes } from './command-line-mistakes.ts';
import { fileMistakes } from './file-mistakes.ts';
import { manifestMistakes } from './manifest-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { referenceMistakes } from './reference-mistakes.ts';
import { yamlMistakes } from './yaml-mistakes.ts';

const PROGRAM =
  process.env['LIFEHOOK_TEST_PROGRAM'] ?? join(import.meta.dirname, '../../../dist/lifehook.js');
/** Time limit, which only a command that hangs reaches. */
const ANSWER_MS = 120_000;

const mistakes: readonly Mistake[] = [
  ...fileMistakes,
  ...yamlMistakes,
  ...manifestMistakes,
  ...referenceMistakes,
  ...commandLineMistakes,
];

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lifehook-mistake-')));
});
afterEach(() => rm(folder, { recursive: true }));

describe('lifehook answers', () => {
  it.each(mistakes.map((mistake) => [mistake.title, mistake] as const))(
    '%s',
    async (_title, mistake) => {
      await lay(mistake.files ?? {});
      const prepared = await mistake.prepare?.(folder);
      try {
        expectAnswer(
          filled(mistake, prepared?.values ?? {}),
          await answerTo(filled(mistake, prepared?.values ?? {})),
        );
      } finally {
        await prepared?.undo();
      }
    },
  );

  it('every mistake with a code that docs/errors.md explains', async () => {
    const errors = await readFile('docs/errors.md', 'utf8');
    const codes = mistakes.map(({ code }) => code);
    expect(codes.filter((code) => !errors.includes(`| ${code} `))).toEqual([]);
  });

  it('no two mistakes of one title', () => {
    expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
  });
});

function filled(mistake: Mistake, values: Readonly<Record<string, string>>): Mistake {
  const fill = (text: string): string =>
    Object.entries(values).reduce((one, [name, value]) => one.replaceAll(`{${name}}`, value), text);
  return {
    ...mistake,
    command: mistake.command.map(fill),
    says: mistake.says.map(fill),
    next: fill(mistake.next),
    ...(mistake.at === undefined ? {} : { at: fill(mistake.at) }),
  };
}

async function lay(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

interface Answer {
  readonly code: number | null;
  readonly text: string;
}

function answerTo({ command, stdin, env }: Mistake): Promise<Answer> {
  const child = spawn(process.execPath, [PROGRAM, ...command], {
    cwd: folder,
    env: {
      ...process.env,
      KUBECONFIG: join(folder, 'no-kubeconfig'),
      XDG_STATE_HOME: folder,
      ...env,
    },
    timeout: ANSWER_MS,
  });
  child.stdin.end(stdin ?? '');
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, text });
    });
  });
}

/** Matches a finding such as `web.yaml:13:13: error LHM001: … Next: …`. */
const FINDING =
  /^(?:(?<at>.+?:\d+:\d+): )?error (?<code>LH[A-Z]\d{3}): (?<message>.*?) Next: (?<next>.*)$/u;

function expectAnswer(mistake: Mistake, { code, text }: Answer): void {
  const found = text.split('\n').flatMap((line) => {
    const groups = FINDING.exec(line)?.groups;
    return groups === undefined ? [] : [groups];
  });
  // One mistake gives one error; its consequences must not be reported.
  expect(
    found.map((one) => one['code']),
    text,
  ).toEqual([mistake.code]);
  const [finding] = found;
  expect({ code, at: finding?.['at'] }, text).toEqual({ code: mistake.exitCode, at: mistake.at });
  for (const part of mistake.says) expect(finding?.['message']).toContain(part);
  expect(finding?.['next']).toContain(mistake.next);
  expect(text).not.toMatch(/\n\s+at .+\(.+:\d+:\d+\)|node:internal/u);
}
