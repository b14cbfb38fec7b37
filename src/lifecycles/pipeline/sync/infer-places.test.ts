import { describe, expect, test } from 'vitest';

import { artifactIn, folderBuilder } from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { DockerBuilder } from '../config/model.ts';
import { inferPlaces } from './infer-places.ts';

const docker: DockerBuilder = {
  kind: 'docker',
  dockerfile: 'Dockerfile',
  buildArgs: {},
  addHost: [],
  cacheFrom: [],
  noCache: false,
  pullParent: false,
  squash: false,
  secrets: [],
  cliFlags: [],
};

function place(text: string, path: string, target?: string): readonly string[] | null {
  const builder = target === undefined ? docker : { ...docker, target };
  return inferPlaces(artifactIn('/p/web', 'web', { builder }), text)(path);
}

type Row = readonly [title: string, lines: string, path: string, places: readonly string[]];

const titled = (rows: readonly Row[]): { title: string; row: Row }[] =>
  rows.map((row) => ({ title: row[0], row }));

describe('the places of files in an image', () => {
  test.each(
    titled([
      ['a file of a copied directory', 'COPY src lib/', 'src/a/b.js', ['/lib/a/b.js']],
      ['a file copied into a directory', 'COPY a.js lib/', 'a.js', ['/lib/a.js']],
      ['a file copied under another name', 'COPY a.js b.js', 'a.js', ['/b.js']],
      [
        'a file copied into the working directory',
        'WORKDIR /app\nCOPY . .',
        'src/a.js',
        ['/app/src/a.js'],
      ],
      ['nested working directories', 'WORKDIR /app\nWORKDIR x\nCOPY a .', 'a', ['/app/x/a']],
      ['files that a glob matches', 'COPY src/*.js /app/', 'src/a.js', ['/app/a.js']],
      [
        'directories that a glob matches, without their name',
        'COPY s* /app/',
        'src/a.js',
        ['/app/a.js'],
      ],
      ['several sources', 'COPY a.js b.js /app/', 'b.js', ['/app/b.js']],
      ['arguments in JSON form', 'COPY ["my file", "/app/"]', 'my file', ['/app/my file']],
      ['COPY with flags', 'COPY --chown=1:1 a /app/', 'a', ['/app/a']],
      ['continued lines', 'COPY a \\\n  b \\\n  /app/', 'a', ['/app/a']],
      ['ADD in place of COPY', 'ADD a /app/', 'a', ['/app/a']],
      ['every COPY of one file', 'COPY a /x/\nCOPY a /y/', 'a', ['/x/a', '/y/a']],
      ['a file that is not copied', 'COPY src .', 'README', []],
      ['COPY from another stage', 'COPY --from=one a /app/', 'a', []],
    ]),
  )('are inferred for $title', ({ row: [, lines, path, places] }) => {
    expect(place(`FROM scratch\n${lines}\n`, path)).toEqual(places);
  });

  test('are those of the last stage, or of the target', () => {
    const text = 'FROM a AS one\nCOPY x /one/\nFROM b\nCOPY x /two/\n';
    expect(place(text, 'x')).toEqual(['/two/x']);
    expect(place(text, 'x', 'one')).toEqual(['/one/x']);
  });

  test.each([
    'COPY $X /app/',
    'WORKDIR $X\nCOPY a .',
    'ADD https://example.com/a /',
    'COPY <<EOF /a',
  ])('are unknown with "%s"', (lines) => {
    expect(place(`FROM scratch\n${lines}\n`, 'a')).toBeNull();
  });

  test('of a directory builder are the paths below its directory', () => {
    const places = inferPlaces(
      artifactIn('/p/web', 'web', { builder: folderBuilder('out') }),
      null,
    );
    expect(places('out/a/b')).toEqual(['/a/b']);
    expect(places('src/a')).toBeNull();
  });
});
