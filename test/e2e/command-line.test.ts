/** The built command line, as a user starts it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';

import { loadCompiled } from '../../src/cli/load-compiled.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const COMMAND_TIMEOUT_MS = 120_000;

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function lifehook(...args: string[]): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: 'utf8',
    timeout: COMMAND_TIMEOUT_MS,
  });
  return { status, stdout, stderr };
}

describe('lifehook', () => {
  it('prints the version of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(lifehook('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(lifehook('-V').stdout).toBe(`${version}\n`);
  });

  it.each(['program', 'cluster'])("starts with V8's compiled code of its %s", (part) => {
    expect(loadCompiled(dirname(PROGRAM), part).script.cachedDataRejected).toBe(false);
  });

  it('shows commands, examples and exit codes in its help', () => {
    const { status, stdout } = lifehook('--help');
    expect(status).toBe(0);
    for (const part of ['Usage: lifehook', 'oci', 'demo', 'Examples:', 'Exit codes:'])
      expect(stdout).toContain(part);
  });

  it.each([[[]], [['oci']]])('shows its help on stderr for the incomplete command %j', (args) => {
    const { status, stdout, stderr } = lifehook(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(['Usage: lifehook', ...args].join(' '));
  });

  it('reports a misspelt command on stderr with a code, a suggestion, a next step and exit code 2', () => {
    const { status, stdout, stderr } = lifehook('demp');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(
      "error LHG001: Unknown command 'demp' (Did you mean demo?) Next: see --help for what is possible here.\n",
    );
  });

  it.each([
    [['oci', 'lint', '--ouput', 'json'], '--output'],
    [['oci', 'lnt'], 'lint'],
    [['oci', 'list', '--output', 'yaml'], 'text, json'],
    [['oci', 'run', '--runner', 'process'], "'id'"],
    [['oci', 'state', 'one', 'two'], 'arguments'],
    [['oci', 'run', '--prestart', 'drop', 'web'], 'createRuntime, keep'],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
  ])('reports the wrong arguments %j in the same form', (args, hint) => {
    const { status, stdout, stderr } = lifehook(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error LHG001: [A-Z].+ Next: .+\n$/);
    expect(stderr).toContain(hint);
  });

  it('exits with 0 when the reader of its output exits', () => {
    const { status } = spawnSync(
      'bash',
      ['-o', 'pipefail', '-c', `"${process.execPath}" "${PROGRAM}" --help | head -n 1`],
      { timeout: COMMAND_TIMEOUT_MS },
    );
    expect(status).toBe(0);
  });
});

interface Help {
  readonly command: string;
  readonly text: string;
  /** Term and description of each entry, wrapped lines joined. */
  readonly entries: readonly (readonly [string, string])[];
  readonly commands: readonly string[];
}

/** Reads the help as a user does, and follows it to every command below. */
function walk(path: readonly string[]): Help[] {
  const { status, stdout, stderr } = lifehook(...path, '--help');
  expect({ path, status, stderr }).toEqual({ path, status: 0, stderr: '' });
  const entries = ['Arguments', 'Options'].flatMap((heading) => entriesOf(stdout, heading));
  const commands = entriesOf(stdout, 'Commands');
  const names = commands.map(([term]) => term.split(' ')[0] ?? '');
  const own = {
    command: path.join(' '),
    text: stdout,
    entries: [...entries, ...commands],
    commands: names,
  };
  const below = names.filter((name) => name !== 'help').flatMap((name) => walk([...path, name]));
  return [own, ...below];
}

function entriesOf(help: string, heading: string): [string, string][] {
  const [, section = ''] = new RegExp(`\\n${heading}:\\n((?: .*\\n)+)`).exec(help) ?? [];
  return section
    .replaceAll(/\n {3,}/g, ' ')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [term = '', ...description] = line.trim().split(/ {2,}/);
      return [term, description.join(' ')];
    });
}

describe('the help of every command', () => {
  const helps = walk([]);

  it('is listed in the help of its parent command', () => {
    const life = ['run', 'create', 'start', 'state', 'kill', 'delete', 'list'];
    const files = ['lint', 'explain', 'convert', 'inject'];
    const found = helps.map(({ command }) => command);
    expect(found).toEqual(
      expect.arrayContaining(['', 'demo', ...[...files, ...life].map((verb) => `oci ${verb}`)]),
    );
  });

  it.each(helps.map(({ command, ...help }) => [command, help] as const))(
    'of "%s" has a usage, a summary, and a description of each argument, option and command',
    (command, { text, entries }) => {
      const [usage = '', blank, summary = ''] = text.split('\n');
      expect(usage.startsWith(`Usage: lifehook ${command}`.trimEnd())).toBe(true);
      expect([blank, summary.length > 10]).toEqual(['', true]);
      expect(entries.length).toBeGreaterThan(0);
      const silent = entries.filter(([, description]) => description.length < 3);
      expect(silent).toEqual([]);
      // Each argument of the usage is among them.
      const names = [...usage.matchAll(/[<[]([a-z]+)(?:\.\.\.)?[>\]]/g)].map(([, name]) => name);
      const terms = entries.map(([term]) => term);
      for (const name of names)
        if (name !== 'options' && name !== 'command') expect(terms).toContain(name);
    },
  );

  it('offers --output text and json for every command that lists', () => {
    const listing = ['oci lint', 'oci explain', 'oci list', 'oci records'];
    for (const { command, text } of helps)
      if (listing.includes(command))
        expect(text).toMatch(/-o, --output <format>[^]*"text", "json"/);
  });
});

describe('lifehook completion', () => {
  it('completes nouns, verbs and options in a real bash', () => {
    const complete = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          `source <("$1" "${PROGRAM}" completion bash); shift
           COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lifehook; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          process.execPath,
          ...words,
        ],
        { encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS },
      )
        .trimEnd()
        .split('\n');
    expect(complete('lifehook', 'o')).toEqual(['oci']);
    expect(complete('lifehook', 'oci', 'li')).toEqual(['lint', 'list']);
    expect(complete('lifehook', 'oci', 'lint', '--o')).toEqual(['--output']);
    const beginWithR = ['--root', '--runner', '--runtime-root'];
    expect(complete('lifehook', 'oci', 'run', '--r')).toEqual(beginWithR);
    expect(complete('lifehook', 'oci', 'run', '-v', '--bad-files', 'skip', '--hoo')).toEqual([
      '--hooks-dir',
    ]);
    expect(complete('lifehook', 'oci', '--verbose', 'delete', '--f')).toEqual(['--force']);
  });

  it.each(['bash', 'zsh', 'fish'])('gives %s every command of the tree', (shell) => {
    const { status, stdout } = lifehook('completion', shell);
    expect(status).toBe(0);
    for (const word of ['explain', 'delete', 'hooks-dir', 'completion'])
      expect(stdout).toContain(word);
  });
});
