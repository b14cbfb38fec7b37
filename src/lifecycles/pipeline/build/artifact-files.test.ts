import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { plainDocker as docker } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import {
  artifactIn,
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { Artifact, Builder, CustomDependencies } from '../config/model.ts';
import { hookDigests } from '../hooks/run-stage.ts';
import { artifactFiles } from './artifact-files.ts';
import { findFiles } from '../render/find-files.ts';
import { digestFiles } from './file-digest.ts';
import { globFiles, walkFiles } from './walk-files.ts';

const stands: BuildStand[] = [];

function standWith(names: readonly string[]): BuildStand {
  const made = buildStand();
  stands.push(made);
  for (const name of names) made.write(name, name);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const custom = (dependencies: CustomDependencies): Builder => ({
  kind: 'custom',
  buildCommand: 'true',
  dependencies,
});

/** The artifact's files, as paths relative to the stand. */
async function filesOf(s: BuildStand, more: Partial<Artifact>): Promise<string[]> {
  const artifact = artifactIn(`${s.folder}/web`, 'web', more);
  const found = await artifactFiles(artifact, s.session);
  return found.map((path) => path.slice(s.folder.length + 1));
}

describe('artifactFiles', () => {
  test('lists the context without the paths that .dockerignore excludes, always the Dockerfile, and never .git', async () => {
    const s = standWith(['web/a.js', 'web/b.md', 'web/Dockerfile', 'web/.git/HEAD', 'other/x']);
    s.write('web/.dockerignore', '*.md\nDockerfile\n');
    expect(await filesOf(s, { builder: docker })).toEqual([
      'web/.dockerignore',
      'web/Dockerfile',
      'web/a.js',
    ]);
  });

  test('excludes names with an umlaut, also behind a byte order mark', async () => {
    const s = standWith(['web/größe.md', 'web/a.md', 'web/b.md']);
    s.write('web/.dockerignore', '\uFEFFgröße.md\na.md\n');
    const found = await filesOf(s, { builder: docker });
    expect(found).toContain('web/b.md');
    expect(found).not.toContain('web/größe.md');
    expect(found).not.toContain('web/a.md');
  });

  test('applies the .dockerignore file of the Dockerfile when the Dockerfile is outside the context', async () => {
    const s = standWith(['web/a.js', 'web/b.md', 'docker/D']);
    s.write('web/.dockerignore', '*');
    s.write('docker/D.dockerignore', 'a.js');
    const builder = { ...docker, dockerfile: '../docker/D' };
    expect(await filesOf(s, { builder })).toEqual([
      'docker/D',
      'docker/D.dockerignore',
      'web/.dockerignore',
      'web/b.md',
    ]);
  });

  test('lists a file that .dockerignore includes again from an excluded directory', async () => {
    const s = standWith(['web/dist/a', 'web/dist/b', 'web/Dockerfile']);
    s.write('web/.dockerignore', 'dist\n!dist/a\n.dockerignore');
    expect(await filesOf(s, { builder: docker })).toContain('web/dist/a');
    expect(await filesOf(s, { builder: docker })).not.toContain('web/dist/b');
  });

  test('lists the directory of a directory builder without its ignored files', async () => {
    const s = standWith(['web/out/a', 'web/out/b.map', 'web/src/c']);
    const builder: Builder = { kind: 'folder', path: 'out', ignore: ['*.map'], env: {} };
    expect(await filesOf(s, { builder })).toEqual(['web/out/a']);
  });

  test('lists the files that the paths and globs of a custom builder match', async () => {
    const s = standWith(['web/src/a.js', 'web/src/deep/b.js', 'web/src/c.md', 'web/main', 'lib/x']);
    const paths = ['src/**/*.js', 'main', '../lib', 'missing'];
    const builder = custom({ kind: 'paths', paths, ignore: ['src/deep'] });
    expect(await filesOf(s, { builder })).toEqual(['lib/x', 'web/main', 'web/src/a.js']);
  });

  test('lists the paths that the dependencies command of a custom builder prints, run in its context', async () => {
    const s = standWith(['web/a', 'web/b']);
    const builder = custom({
      kind: 'command',
      command: `echo '["a", "./b", "'"$(basename "$PWD")"'"]'`,
    });
    expect(await filesOf(s, { builder })).toEqual(['web/a', 'web/b', 'web/web']);
  });

  test.each([
    ['echo no', 'printed "no\\n" instead of a JSON list'],
    ['echo "{}"', 'did not print a list of paths'],
    ['echo why >&2; exit 3', 'failed: The command exited with code 3. why'],
  ])('rejects when the dependencies command is %s', async (command, message) => {
    const s = standWith(['web/a']);
    const builder = custom({ kind: 'command', command });
    await expect(filesOf(s, { builder })).rejects.toThrow(message);
  });

  test('PIPE-B7: lists the declared outputs of its hooks, also outside the context', async () => {
    const s = standWith(['web/a', 'generated/g']);
    const hooks = {
      ...NO_HOOKS,
      before: [shell('true', { policy: { outputs: ['../generated/*'] } })],
    };
    expect(await filesOf(s, { hooks })).toEqual(['generated/g', 'web/a']);
  });

  test('lists each file once: follows symbolic links to files, not to directories', async () => {
    const s = standWith(['web/a']);
    mkdirSync(`${s.folder}/web/deep`);
    symlinkSync('..', `${s.folder}/web/deep/up`);
    symlinkSync('a', `${s.folder}/web/b`);
    symlinkSync('nowhere', `${s.folder}/web/c`);
    expect(await filesOf(s, {})).toEqual(['web/a', 'web/b']);
  });
});

describe('a digest', () => {
  test('changes with contents, names and x bits, and not with the directory or the time', async () => {
    const one = standWith(['a', 'b']);
    const other = standWith(['a', 'b']);
    const { files } = one.session.platform;
    const digest = (s: BuildStand, names = ['a', 'b']): Promise<string> =>
      digestFiles(
        names.map((name) => `${s.folder}/${name}`),
        s.folder,
        files,
      );
    const first = await digest(one);
    expect(await digest(other)).toBe(first);
    other.write('b', 'b', 0o755);
    const executable = await digest(other);
    expect(executable).not.toBe(first);
    other.write('b', 'changed');
    expect([first, executable]).not.toContain(await digest(other));
    expect(await digest(one, ['a'])).not.toBe(first);
    expect(await digest(one, ['a', 'gone'])).not.toBe(await digest(one, ['a']));
  });

  test('of a hook covers its inputs in the working directory of the hook', async () => {
    const s = standWith(['web/in', 'in']);
    const hooks = [
      shell('true', { address: 'a', policy: { inputs: ['in'] } }),
      shell('true', {
        address: 'b',
        policy: { inputs: ['in'] },
        action: { dir: `${s.folder}/web` },
      }),
      shell('true', { address: 'c' }),
    ];
    const before = await hookDigests(hooks, s.session);
    expect([...before.keys()]).toEqual(['a', 'b']);
    s.write('web/in', 'other');
    const after = await hookDigests(hooks, s.session);
    expect(after.get('a')).toBe(before.get('a'));
    expect(after.get('b')).not.toBe(before.get('b'));
  });
});

describe('walkFiles', () => {
  test('omits a directory that is removed while it is listed', async () => {
    const s = standWith(['a/x', 'b']);
    const { files } = s.session.platform;
    const realPath = (path: string): Promise<string> =>
      path.endsWith('/a') ? Promise.reject(new Error('ENOENT')) : files.realPath(path);
    expect(await walkFiles(s.folder, { files: { ...files, realPath } })).toEqual(['b']);
  });
});

describe('globFiles', () => {
  test('takes the name of its own directory literally, also with characters of globs', async () => {
    const s = standWith(['a[1]/x.sql', 'a[1]/deep/y.sql', 'a1/x.sql', 'a[1]/z.js']);
    const { files } = s.session.platform;
    const folder = `${s.folder}/a[1]`;
    const found = async (...patterns: string[]): Promise<string[]> =>
      (await globFiles(folder, patterns, { files })).map((path) => path.slice(folder.length + 1));
    expect(await found('*.sql')).toEqual(['x.sql']);
    expect(await found('z.js', 'deep')).toEqual(['deep/y.sql', 'z.js']);
    const rendered = await findFiles(files, folder, ['x.sql', '**/y.sql']);
    expect(rendered.unmatched).toEqual([]);
  });
});
