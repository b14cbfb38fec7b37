/** The built command line, as a user starts it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function lifehook(...args: string[]): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/lifehook.js', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('lifehook', () => {
  it('prints the version of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(lifehook('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('shows commands, examples and exit codes in its help', () => {
    const { status, stdout } = lifehook('--help');
    expect(status).toBe(0);
    for (const part of ['Usage: lifehook', 'oci', 'demo', 'Examples:', 'Exit codes:'])
      expect(stdout).toContain(part);
  });

  it('answers a misspelt command on stderr with a code, a suggestion, a next step and exit code 2', () => {
    const { status, stdout, stderr } = lifehook('demp');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(
      "error LHG001: Unknown command 'demp' (Did you mean demo?) Next: see --help for what is possible here.\n",
    );
  });

  it('answers a misspelt option of a nested command the same way', () => {
    const { status, stderr } = lifehook('oci', 'lint', '--ouput', 'json');
    expect(status).toBe(2);
    expect(stderr).toContain('LHG001');
    expect(stderr).toContain('--output');
  });

  it('survives a reader that goes away', () => {
    const { status } = spawnSync('bash', [
      '-o',
      'pipefail',
      '-c',
      `"${process.execPath}" dist/lifehook.js --help | head -n 1`,
    ]);
    expect(status).toBe(0);
  });
});

describe('lifehook completion', () => {
  it('completes nouns, verbs and options in a real bash', () => {
    const complete = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          `source <("$1" dist/lifehook.js completion bash); shift
           COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lifehook; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          process.execPath,
          ...words,
        ],
        { encoding: 'utf8' },
      ).split('\n');
    expect(complete('lifehook', 'o')).toContain('oci');
    expect(complete('lifehook', 'oci', 'l')).toContain('lint');
    expect(complete('lifehook', 'oci', 'lint', '--o')).toContain('--output');
  });

  it('refuses a shell that it does not know', () => {
    const { status, stderr } = lifehook('completion', 'tcsh');
    expect(status).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
