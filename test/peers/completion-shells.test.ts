/** The completion scripts for zsh and fish, run in these shells. e2e/command-line.test.ts covers bash. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { peer } from './peer.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const zsh = peer('zsh');
const fish = peer('fish');

let folder = '';
let env: NodeJS.ProcessEnv = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-shells-'));
  writeFileSync(
    join(folder, 'lifehook'),
    `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
  );
  chmodSync(join(folder, 'lifehook'), 0o755);
  env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(shell: string, args: readonly string[]): string[] {
  return execFileSync(shell, args, { encoding: 'utf8', env }).split('\n').filter(Boolean);
}

/** zsh's completion builtins exist only during a completion, so these functions replace them and print. */
const ZSH = `compdef() { : }
compadd() { shift; print -l -- "$@" }
_files() { print FILES }
source <(lifehook completion zsh)
words=("$@") CURRENT=$#
_lifehook`;

describe('zsh', { skip: !zsh.isHere }, () => {
  const complete = (...words: string[]): string[] =>
    run(zsh.path, ['-f', '-c', ZSH, 'zsh', ...words]);

  it('completes commands, options and values', () => {
    expect(complete('lifehook', '')).toContain('doctor');
    expect(complete('lifehook', 'oci', '')).toContain('lint');
    expect(complete('lifehook', 'up', '--')).toContain('--state-dir');
    expect(complete('lifehook', 'recipes', 'show', '')).toContain('mariadb-lock');
    expect(complete('lifehook', 'snapshot', 'list', '-o', '')).toEqual([
      'text',
      'json',
      'yaml',
      'name',
      'wide',
    ]);
  });
});

describe('fish', { skip: !fish.isHere }, () => {
  const complete = (line: string): string[] =>
    run(fish.path, ['-N', '-c', `lifehook completion fish | source; complete -C '${line}'`]).map(
      (text) => text.split('\t')[0] ?? '',
    );

  it('completes commands, options and values', () => {
    expect(complete('lifehook doc')).toEqual(['doctor']);
    expect(complete('lifehook oci li')).toEqual(['lint', 'list']);
    expect(complete('lifehook up --stat')).toEqual(['--state-dir']);
    expect(complete('lifehook recipes show mariadb-l')).toEqual(['mariadb-lock']);
    expect(complete('lifehook snapshot list --output w')).toEqual(['wide']);
    expect(complete('lifehook oci lint --no-such-option-of-up')).toEqual([]);
  });
});
