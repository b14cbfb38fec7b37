import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { compile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { lintFolders, lintHookFile } from './lint.ts';

function lint(content: unknown, runtimeStages?: string[]): string[] {
  const text = encodeUtf8(typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  const problems = lintHookFile(
    { folder: '/d', name: 'a.json', text },
    { compile, ...(runtimeStages && { runtimeStages }) },
  );
  return problems.map(
    ({ code, at, next, message }) => `${code} ${at?.line}:${at?.column} ${message} ${next}`,
  );
}

const old = { hook: '/a', stages: ['poststop'] };

describe('lintHookFile', () => {
  test.each<[string, unknown, RegExp[]]>([
    ['a sound file', version1({ commands: ['^/bin/sh$'] }), []],
    ['OCI-CASE5: an empty "when"', version1({}), [/^LHC130 6:10 .*no condition.*"always": true/]],
    [
      'an empty "when" of empty conditions',
      version1({ annotations: {}, commands: [] }),
      [/^LHC130/],
    ],
    ['0.1.0 without conditions', old, [/^LHC130.*"cmds"/]],
    ['OCI-CASE6: always:false', version1({ always: false }), [/^LHC131 7:13/]],
    [
      'OCI-CASE6: hasBindMounts:false',
      version1({ hasBindMounts: false }),
      [/^LHC132.*never holds, even/],
    ],
    ['hasbindmounts:false in 0.1.0', { ...old, hasbindmounts: false }, [/^LHC132.*has no effect/]],
    ['an empty annotations list', { ...old, annotations: [] }, [/^LHC133 .*any annotation/]],
    ['an empty command pattern', { ...old, cmds: [''] }, [/^LHC134 7:3/]],
    [
      'a key that every object inherits',
      { ...version1({ always: true }), constructor: 'x' },
      [/"constructor".* Remove it\.$/],
    ],
    ['a null pattern', { ...old, cmds: [null] }, [/^LHC134/]],
    ['an empty annotation key', version1({ annotations: { '': '' } }), [/^LHC134/]],
    ['no stages', version1({ always: true }, { stages: [] }), [/^LHC135/]],
    ['always together with commands', version1({ always: true, commands: ['x'] }), [/^LHC136/]],
    [
      'OCI-CASE21: prestart and createRuntime',
      version1({ always: true }, { stages: ['createRuntime', 'prestart'] }),
      [/^LHC121 11:3/],
    ],
    ['a repeated stage', { ...old, cmds: ['x'], stages: ['poststop', 'poststop'] }, [/^LHC122/]],
    [
      'an option in the place of argv[0]',
      version1({ always: true }, { hook: { path: '/a', args: ['-v'] } }),
      [/^LHC142/],
    ],
    [
      'env that is no assignment',
      version1({ always: true }, { hook: { path: '/a', env: ['A=b', 'A', '=b'] } }),
      [/^LHC140 7:4/, /^LHC140 8:4/],
    ],
  ])('reports the expected problems: %s', (_what, content, expected) => {
    const found = lint(content);
    expect(found).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(found[index]).toMatch(pattern);
  });

  test.each([
    ['\\d+', '\\d'],
    ['(?i)x', '(?'],
    ['a+?', '+?'],
    ['\\<word', '\\<'],
    ['a{,3}', '{,3}'],
  ])('reports the pattern %j for %s', (pattern, what) => {
    const found = lint(version1({ commands: [pattern] }));
    expect(found).toMatchObject([expect.stringMatching(/^LHC139 8:4/)]);
    expect(found[0]).toContain(what);
  });

  test.each(['[?+]?', 'a\\.b', '\\\\d', '[[:alpha:]]+', 'x{2,3}'])(
    'accepts the pattern %j, which means the same in POSIX',
    (pattern) => {
      expect(lint(version1({ commands: [pattern] }))).toEqual([]);
    },
  );

  test('reports a stage that the runtime does not list', () => {
    const file = version1({ always: true }, { stages: ['poststop', 'startContainer'] });
    expect(lint(file, ['poststop', 'startContainer'])).toEqual([]);
    expect(lint(file, ['prestart', 'poststop'])).toMatchObject([
      expect.stringMatching(/^LHC141 11:3/),
    ]);
    const ours = version1({ always: true }, { stages: ['postexit', 'precreate'] });
    expect(lint(ours, ['prestart', 'poststop'])).toMatchObject([expect.stringMatching(/^LHC146 /)]);
  });

  test.each([
    ['{"hook":"/a","stages":["poststop"],"cmds":["x"],"stags":[]}', /^LHC137 1:49 .*"stages"/],
    [
      '{"version":"1.0.0","hook":{"path":"/a","timout":1},"when":{"always":true},"stages":["poststop"]}',
      /^LHC137.*"timeout"/,
    ],
    [
      '{"version":"1.0.0","hook":{"path":"/a"},"when":{"always":true,"cmds":["x"]},"stages":["poststop"]}',
      /^LHC137.*when\.commands/,
    ],
    [
      '{"version":"1.0.0","hook":{"path":"/a"},"when":{"always":true},"stages":["poststop"],"x-y":1}',
      /^LHC137.*Remove it/,
    ],
    ['{"hook":"/a","STAGES":["poststop"],"cmds":["x"]}', /^LHC138 1:14 .*Write "stages"/],
    ['{"hook":"/a","hook":"/b","stages":["poststop"],"cmds":["x"]}', /^LHC143 1:14/],
    [
      '{"version":"1.0.0","hook":{"path":"/a"},"when":{"annotations":{"a":"x","a":"y"}},"stages":["poststop"]}',
      /^LHC143 1:72/,
    ],
  ])('reports an unknown, differently cased or duplicate key: %s', (text, expected) => {
    expect(lint(text)).toMatchObject([expect.stringMatching(expected)]);
  });

  test('names the key to add when a file of the new schema has no version', () => {
    const found = lint({ hook: { path: '/a' }, when: { always: true }, stages: ['poststop'] });
    expect(found[0]).toMatch(/^LHC102/);
    expect(found.join('\n')).toMatch(/LHC137.*Add "version": "1.0.0"/);
  });

  test('reports an invalid file as an error with its position', () => {
    expect(lint('{')).toMatchObject([expect.stringMatching(/^LHC101 1:2/)]);
    expect(lint(version1({ commands: ['(?=x)'] }))).toMatchObject([
      expect.stringMatching(/^LHC108 8:4/),
    ]);
  });
});

test('lintFolders also reports problems of names, links and programs, and a missing directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-lint-'));
  try {
    const program = join(folder, 'program');
    await writeFile(program, '');
    await chmod(program, 0o606);
    const put = (name: string, text: string): Promise<void> =>
      writeFile(join(folder, name), text, { mode: 0o644 });
    const hook = (path: string): string =>
      JSON.stringify(version1({ always: true }, { hook: { path } }));
    await put('A.json', hook('/bin/true'));
    await put('a.json', hook('/bin/true'));
    await put('b.JSON', '');
    await put('c.json', hook(program));
    await put('d.json', hook('/nowhere'));
    await put('e.json', hook('/etc'));
    await symlink('nothing', join(folder, 'f.json'));
    await symlink('/dev/null', join(folder, 'g.json'));
    await put('h.json', '{');
    await mkdir(join(folder, 'i.json'));
    await put('json', '');
    await put('k.json.bak', '');
    const owners = [0, process.getuid?.() ?? 0];
    const options = {
      files: nodeFiles,
      compile,
      folders: [`${folder}/`, `${folder}/none`],
      owners,
      allowUntrusted: false,
    };
    const problems = await lintFolders(options);
    const found = problems.map(
      ({ code, severity, at, message, next }) =>
        `${at?.file}:${at?.line}:${at?.column} ${severity} ${code} ${message} ${next}`,
    );
    const named = await lintFolders({ ...options, isNamed: true });
    expect(named.find(({ code }) => code === 'LHC144')?.severity).toBe('error');
    expect(found.map((line) => line.replaceAll(folder, '/d')).toSorted()).toEqual([
      '/d/a.json:1:1 warning LHC119 a.json and A.json differ only in case: both are hooks, and their order is not defined in Podman and CRI-O. Rename one of them.',
      '/d/b.JSON:1:1 warning LHC115 Only names that end in ".json", in lower case, are hook files; b.JSON is ignored. Rename it if it is meant to be a hook file.',
      `/d/c.json:1:35 error LHC117 The hook's path must be a program, but /d/program is a file without execute permission. Run "chmod +x /d/program".`,
      '/d/c.json:1:35 error LHC118 The program "/d/program" of this hook is not trusted. Only trusted users may decide which hooks run: /d/program is refused, since its mode is 0606, so its group or every user may write to it. Run "chmod go-w /d/program", or allow untrusted hook files: --allow-untrusted, or "allowWritableByOthers": true for lifehook-runtime.',
      '/d/d.json:1:35 error LHC113 The program "/nowhere" of this hook does not exist. Install the program, correct the path, or remove the file.',
      `/d/e.json:1:35 error LHC117 The hook's path must be a program, but /etc is not a file. Correct the path.`,
      '/d/f.json:1:1 warning LHC114 f.json is a broken symbolic link, and is skipped. Remove it; to switch a hook off, link its name to /dev/null.',
      '/d/h.json:1:2 error LHC101 The file is not JSON: expected a key or "}", found the end of the file. Correct the file at this place.',
      '/d/i.json:1:1 error LHC111 A name that ends in .json must be a file; /d/i.json is something else. Rename it, or remove it.',
      '/d/none:1:1 warning LHC144 The directory /d/none does not exist: no hook file is read from it. Correct the name, if hook files were expected there.',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
