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
      ['of a folder only what it holds', 'COPY src lib/', 'src/a/b.js', ['/lib/a/b.js']],
      ['a file under its name in a folder', 'COPY a.js lib/', 'a.js', ['/lib/a.js']],
      ['a file under another name', 'COPY a.js b.js', 'a.js', ['/b.js']],
      ['below the working folder', 'WORKDIR /app\nCOPY . .', 'src/a.js', ['/app/src/a.js']],
      [
        'working folders one below the other',
        'WORKDIR /app\nWORKDIR x\nCOPY a .',
        'a',
        ['/app/x/a'],
      ],
      ['matched files', 'COPY src/*.js /app/', 'src/a.js', ['/app/a.js']],
      ['matched folders without their name', 'COPY s* /app/', 'src/a.js', ['/app/a.js']],
      ['several sources', 'COPY a.js b.js /app/', 'b.js', ['/app/b.js']],
      ['words in JSON', 'COPY ["my file", "/app/"]', 'my file', ['/app/my file']],
      ['flags left out', 'COPY --chown=1:1 a /app/', 'a', ['/app/a']],
      ['lines that go on', 'COPY a \\\n  b \\\n  /app/', 'a', ['/app/a']],
      ['ADD as COPY', 'ADD a /app/', 'a', ['/app/a']],
      ['every copy', 'COPY a /x/\nCOPY a /y/', 'a', ['/x/a', '/y/a']],
      ['nothing of what is not copied', 'COPY src .', 'README', []],
      ['nothing of other stages', 'COPY --from=one a /app/', 'a', []],
    ]),
  )('$title', ({ row: [, lines, path, places] }) => {
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
  ])('are not told from "%s"', (lines) => {
    expect(place(`FROM scratch\n${lines}\n`, 'a')).toBeNull();
  });

  test('of a folder that is the image are the same below its root', () => {
    const places = inferPlaces(
      artifactIn('/p/web', 'web', { builder: folderBuilder('out') }),
      null,
    );
    expect(places('out/a/b')).toEqual(['/a/b']);
    expect(places('src/a')).toBeNull();
  });
});
