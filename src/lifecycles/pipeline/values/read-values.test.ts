import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { CONTRACT_NAMES } from '../hooks/contract.ts';
import { DENIED, isDeniedName, MAX_VALUE_BYTES } from './denied-names.ts';
import { MAX_NAMES, readEnvFile, readOutputsFile } from './env-file.ts';
import { maskSetEnv, parseSetEnv } from './stdout-channel.ts';

describe('the env file', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['A=1', { A: '1' }],
    ['A=1=2\nB<<X\nl1\nl2\nX\n', { A: '1=2', B: 'l1\nl2' }],
    ['A=\r\nB=2\r\n', { A: '', B: '2' }],
    ['A=x<<y', { A: 'x<<y' }],
    ['A<<b=c\nv\nb=c', { A: 'v' }],
    ['A<<X\nX', { A: '' }],
    ['A=1\nA=2', { A: '2' }],
    ['\uFEFFA=1', { A: '1' }],
    ['A= spaces stay ', { A: ' spaces stay ' }],
  ])('reads %j', (text, values) => {
    expect(readEnvFile(text)).toEqual({ kind: 'read', values });
  });

  test.each<[string, number, string]>([
    ['A=1\nnothing', 2, 'a line is NAME=VALUE'],
    ['A<<', 1, 'a delimiter must follow'],
    ['A<<X\nv', 1, 'has no closing line'],
    ['=v', 1, 'a name has at most'],
    ['<<X\nv\nX', 1, 'a name has at most'],
    ['export A=1', 1, 'a name has at most'],
    ['PATH=/evil', 1, 'must not be set'],
    ['node_options=--require x', 1, 'must not be set'],
    ['A=\0', 1, 'contains a NUL'],
    [`A=${'é'.repeat(MAX_VALUE_BYTES / 2)}e`, 1, 'bytes, but at most'],
    [
      Array.from({ length: MAX_NAMES + 1 }, (_, n) => `A${n}=`).join('\n'),
      MAX_NAMES + 1,
      'at most',
    ],
  ])('refuses the whole of %j, with line and reason', (text, line, reason) => {
    expect(readEnvFile(text)).toMatchObject({
      kind: 'refused',
      line,
      reason: expect.stringContaining(reason),
    });
  });

  test('names no value in a refusal', () => {
    expect(JSON.stringify(readEnvFile('PATH=hunter2'))).not.toContain('hunter2');
  });
});

describe('names that no hook may set', () => {
  test.each([
    'PATH',
    'Path',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'ENV',
    'GIT_SSH_COMMAND',
    'KUBECONFIG',
    'DOCKER_HOST',
    'DOCKER_CONFIG',
    'CONTAINER_HOST',
    'https_proxy',
    'NO_PROXY',
    'npm_config_registry',
    'NPM_CONFIG_SCRIPT_SHELL',
    'KUBECTL_EXTERNAL_DIFF',
    'GIT_EXTERNAL_DIFF',
    'ANY_EXTERNAL_DIFF',
    'EDITOR',
    'KUBE_EDITOR',
    'SSH_ASKPASS',
    'HOME',
    'XDG_CONFIG_HOME',
    'AWS_CONFIG_FILE',
    'AWS_SHARED_CREDENTIALS_FILE',
    'GOFLAGS',
    'PIP_INDEX_URL',
    'PYTHONBREAKPOINT',
    'RUSTC_WRAPPER',
    'SSL_CERT_FILE',
    'OPENSSL_CONF',
    'HELM_PLUGINS',
    'MAKEFILES',
    'GNUMAKEFLAGS',
    'TAR_OPTIONS',
    'RSYNC_CONNECT_PROG',
    'GOCACHEPROG',
    'GOAUTH',
    'JAVA_OPTS',
    'MVNW_REPOURL',
    'BAZELISK_BASE_URL',
    'USE_BAZEL_VERSION',
    'CMAKE_C_COMPILER_LAUNCHER',
    'CMAKE_TOOLCHAIN_FILE',
    'PKG_CONFIG',
    'CCACHE_PREFIX',
    'GCC_EXEC_PREFIX',
    'CFLAGS',
    'RUSTC_LINKER',
    'BUN_OPTIONS',
    'DOCKER_CONTENT_TRUST_SERVER',
    'TF_CLI_ARGS_plan',
    'HOSTALIASES',
  ])('include %s', (name) => {
    expect(isDeniedName(name)).toBe(true);
  });

  test('include all contract names and LIFEHOOK_ENV, but no similar names', () => {
    expect(CONTRACT_NAMES.filter((name) => !isDeniedName(name))).toEqual([]);
    expect(isDeniedName('LIFEHOOK_ENV')).toBe(true);
    const similar = [
      'FOO',
      'PATHS',
      'IMAGES',
      'LDX',
      'NODE_ENV',
      'GOAL',
      'VERSION',
      'MY_HOME',
      'PROXY',
      'CI',
      'CREDITOR',
      'DOCKER_TAG',
      'HELM_RELEASE',
      'GOOS',
      'MAKER',
      'MY_OPTIONS',
      'TF_VAR_region',
      'DOCKER_BUILDKIT',
      'KUBE_NAMESPACE',
    ];
    expect(similar.filter((name) => isDeniedName(name))).toEqual([]);
  });
});

test('the names that no hook may set are listed in docs/pipeline.md, by their rules', () => {
  const rows = Object.entries(DENIED).map(
    ([what, rules]) => `| ${what} | ${rules.map((rule) => `\`${rule}\``).join(', ')} |`,
  );
  const squeezed = readFileSync('docs/pipeline.md', 'utf8').replaceAll(/ {2,}/gu, ' ');
  expect(rows.filter((row) => !squeezed.includes(row))).toEqual([]);
});

describe('the set-env line', () => {
  test.each<[string, string, string]>([
    ['::set-env name=FOO::BAR', 'FOO', 'BAR'],
    ['  \t::set-env name=FOO::a::b', 'FOO', 'a::b'],
    ['::set-env name=FOO::', 'FOO', ''],
    ['::set-env other=x,name=FOO::1=2', 'FOO', '1=2'],
    ['::set-env name=FOO::1%0A2%0D%250A', 'FOO', '1\n2\r%0A'],
    ['::set-env name=A%3AB::%3A', 'A:B', '%3A'],
    ['::set-env   name=FOO::x ', 'FOO', 'x '],
  ])('%j sets %s (PIPE-C7, PIPE-E3)', (line, name, value) => {
    expect(parseSetEnv(line)).toEqual({ name, value });
  });

  test.each([
    '',
    'x',
    '::',
    '::set-env',
    '::set-env::x',
    '::set-env name::x',
    ': :set-env name=A::b',
  ])('%j sets nothing', (line) => {
    expect(parseSetEnv(line)).toBeNull();
  });

  test.each([
    'x ::set-env name=A::b',
    '::set-output name=A::b',
    '::SET-ENV name=A::b',
    '::set-env name=A:b',
  ])('%j is not a set-env line', (line) => {
    expect(parseSetEnv(line)).toBeNull();
  });

  test('is shown without its value by maskSetEnv', () => {
    expect(maskSetEnv(' ::set-env name=A::b::c')).toBe(' ::set-env name=A::***');
  });
});

describe('the outputs file', () => {
  test('is one JSON object, or empty', () => {
    expect(readOutputsFile('{"port": 80}')).toEqual({ kind: 'read', outputs: { port: 80 } });
    expect(readOutputsFile(' \n')).toEqual({ kind: 'read', outputs: {} });
  });

  test.each(['[1]', '"x"', 'null', '{'])('is refused when it is %s', (text) => {
    expect(readOutputsFile(text)).toMatchObject({ kind: 'refused' });
  });
});
