/** The built command line, as a user starts it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { loadCompiled } from '../../src/cli/program-files.ts';
import { codeOf } from '../../src/platform/posix-error.ts';

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
    for (const part of ['Usage: lifehook', 'Kubernetes:', 'oci', 'Examples:', 'Exit codes:'])
      expect(stdout).toContain(part);
  });

  it('prints the help of a command below another', () => {
    const { status, stdout, stderr } = lifehook('oci', 'lint', '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: lifehook oci lint /);
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
      "error LHG001: Unknown command 'demp' (Did you mean demo?) Next: see --help for the commands and options.\n",
    );
  });

  it.each([
    [['oci', 'lint', '--ouput', 'json'], '--output'],
    [['oci', 'lnt'], 'lint'],
    [['oci', 'list', '--output', 'xml'], 'text, json'],
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

describe('lifehook help', () => {
  it('prints the help of a command, and of one below another', () => {
    const { status, stdout } = lifehook('help', 'oci', 'lint');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: lifehook oci lint /);
    expect(lifehook('help').stdout).toBe(lifehook('--help').stdout);
  });

  it.each([
    [['stauts'], "Unknown command 'stauts' (Did you mean status?)"],
    [['oci', 'lnt'], "Unknown command 'oci lnt' (Did you mean oci lint?)"],
    [['nosuch'], "Unknown command 'nosuch'."],
  ])('reports the unknown command %j', (path, message) => {
    const { status, stdout, stderr } = lifehook('help', ...path);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(
      `error LHG001: ${message} Next: see --help for the commands and options.\n`,
    );
  });
});

describe('lifehook version', () => {
  it('prints its own version, that of Node, and the platform', () => {
    const { status, stdout } = lifehook('version', '-o', 'json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      lifehook: lifehook('--version').stdout.trim(),
      node: process.versions.node,
      platform: `${process.platform}/${process.arch}`,
    });
    expect(lifehook('version').stdout).toContain(`Node      v${process.versions.node}`);
  });

  it('fails with --server where none answers', () => {
    const { status, stdout, stderr } = lifehook('version', '--server', '--kubeconfig', 'nowhere');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('LHK001');
  });
});

describe('lifehook completion', () => {
  const complete = (...words: string[]): string[] =>
    execFileSync(
      'bash',
      [
        '-c',
        `source <("$1" "${PROGRAM}" completion bash); function lifehook { "$NODE" "${PROGRAM}" "$@"; }; shift
         COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
         _lifehook; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        process.execPath,
        ...words,
      ],
      {
        encoding: 'utf8',
        timeout: COMMAND_TIMEOUT_MS,
        env: { ...process.env, NODE: process.execPath },
      },
    )
      .trimEnd()
      .split('\n');

  it('completes nouns, verbs and options in a real bash', () => {
    expect(complete('lifehook', 'o')).toEqual(['oci']);
    expect(complete('lifehook', 'oci', 'li')).toEqual(['lint', 'list']);
    expect(complete('lifehook', 'oci', 'lint', '--o')).toEqual(['--output']);
    const beginWithR = ['--root', '--runner', '--runtime-root'];
    expect(complete('lifehook', 'oci', 'run', '--r')).toEqual(beginWithR);
    expect(complete('lifehook', 'oci', 'run', '-v', '--bad-files', 'skip', '--hoo')).toEqual([
      '--hooks-dir',
    ]);
    expect(complete('lifehook', 'oci', '--verbose', 'delete', '--f')).toEqual(['--force']);
    expect(complete('lifehook', 'up', '--stat')).toEqual(['--state-dir']);
    expect(complete('lifehook', 'runs', '')).toEqual(['list', 'show']);
    // The empty completion makes bash offer files.
    expect(complete('lifehook', 'lint', '')).toEqual(['']);
  });

  it('completes values that a look-up prints in a real bash', () => {
    expect(complete('lifehook', 'recipes', 'show', 'mariadb-l')).toEqual(['mariadb-lock']);
    expect(complete('lifehook', 'snapshot', 'list', '-o', 'w')).toEqual(['wide']);
    const folder = mkdtempSync(join(tmpdir(), 'lifehook-completion-'));
    try {
      const kubeconfig = join(folder, 'kubeconfig');
      const contexts = ['arn:aws:shop', 'arn:aws:test', 'kind'].map((name) => ({ name }));
      writeFileSync(kubeconfig, JSON.stringify({ contexts }));
      const before = ['lifehook', 'doctor', '--kubeconfig', kubeconfig, '--context'];
      expect(complete(...before, 'k')).toEqual(['kind']);
      // bash splits words at ":".
      expect(complete(...before, 'arn:aws:t')).toEqual(['arn:aws:test']);
      const skaffold = join(folder, 'skaffold.yaml');
      const head = 'apiVersion: skaffold/v4beta13\nkind: Config\n';
      writeFileSync(skaffold, `${head}profiles: [{ name: production }, { name: staging }]\n`);
      expect(complete('lifehook', 'run', '-f', skaffold, '-p', 'st')).toEqual(['staging']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('runs nothing that is in a name, and offers no such name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lifehook-completion-'));
    try {
      const skaffold = join(folder, 'skaffold.yaml');
      // Names that bash would expand if they were not quoted.
      const names = [
        `$(touch\${IFS}${folder}/one)`,
        `\`touch\${IFS}${folder}/two\``,
        '/*',
        'production',
      ];
      const profiles = JSON.stringify(names.map((name) => ({ name })));
      const head = 'apiVersion: skaffold/v4beta13\nkind: Config\n';
      writeFileSync(skaffold, `${head}profiles: ${profiles}\n`);
      expect(complete('lifehook', 'run', '-f', skaffold, '-p', '')).toEqual(['production']);
      expect(readdirSync(folder)).toEqual(['skaffold.yaml']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('offers nothing, and says nothing, where no server answers', () => {
    const words = ['snapshot', 'status', '--kubeconfig', 'nowhere'];
    const { status, stdout, stderr } = lifehook('__complete', ...words);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(['bash', 'zsh', 'fish'])('gives %s every command of the tree', (shell) => {
    const { status, stdout } = lifehook('completion', shell);
    expect(status).toBe(0);
    for (const word of ['explain', 'delete', 'hooks-dir', 'completion', 'doctor', '__complete'])
      expect(stdout).toContain(word);
  });
});

describe('a pipe', () => {
  let project: string;
  let pipe: string;
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'lifehook-pipe-'));
    pipe = join(project, 'pipe');
    execFileSync('mkfifo', [pipe, join(project, 'skaffold.yaml')]);
  });
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n';
  const pipeline = 'apiVersion: skaffold/v4beta13\nkind: Config\n';
  afterAll(() => {
    rmSync(project, { recursive: true });
  });

  it('in the place of a skaffold.yaml is refused with its path', () => {
    const file = join(project, 'skaffold.yaml');
    const { status, stderr } = lifehook('pipeline', 'render', '--filename', file);
    expect(status).toBe(1);
    expect(stderr).toContain(`${file} must be a regular file, but is a pipe.`);
  });

  it('of a shell is read as a manifest, as kubectl does', () => {
    const script = `"$0" "$1" lint <(printf '%s' "$2") && printf '%s' "$2" | "$0" "$1" lint /dev/stdin`;
    const args = ['-c', script, process.execPath, PROGRAM, manifest];
    const { status, stdout } = spawnSync('bash', args, { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\/dev\/fd\/\d+: 0 errors, 0 warnings\n\/dev\/stdin: 0 errors/u);
  });

  it.each([
    ['lint', 'SIGTERM'],
    ['convert', 'SIGINT'],
  ] as const)('to which nothing is written makes %s wait until %s', async (command, signal) => {
    const child = spawn(process.execPath, [PROGRAM, command, pipe], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const writer = await eventually('the pipe is open', async () => openForWriting(pipe));
    child.kill(signal);
    expect(await exited).toEqual([null, signal]);
    closeSync(writer);
  });

  it('to the standard input of `convert` may be no skaffold.yaml', () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'convert', '-'], {
      encoding: 'utf8',
      input: pipeline,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('error LHM027: Standard input is a hook file or a skaffold.yaml');
  });
});

/** The descriptor of the opened pipe; undefined: no process reads from the pipe yet. */
function openForWriting(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENXIO') return undefined;
    throw error;
  }
}
