import { describe, expect, test } from 'vitest';

import { plainDocker as docker } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import { artifactIn, folderBuilder } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { inferPlaces } from './infer-places.ts';

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
      ['lines with CRLF, also continued ones', 'COPY a \\\r\n  b \\\r\n  /app/\r', 'a', ['/app/a']],
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
    expect(place(text, 'x', 'ONE')).toEqual(['/one/x']);
    expect(place(text, 'x', '0')).toEqual(['/one/x']);
    expect(place(text, 'x', 'three')).toBeNull();
  });

  test('include those of the stage on which the stage is based', () => {
    const base = 'FROM x AS base\nWORKDIR /app\nCOPY a x/\n';
    expect(place(`${base}FROM base\nCOPY a y/\n`, 'a')).toEqual(['/app/x/a', '/app/y/a']);
    const flagged = 'FROM --platform=linux/amd64 BASE AS last\nCOPY a y/\n';
    expect(place(`${base}${flagged}`, 'a', 'last')).toEqual(['/app/x/a', '/app/y/a']);
  });

  test('do not include a COPY in the text of a heredoc', () => {
    const text = (begin: string, end: string): string =>
      `FROM scratch\nRUN ${begin}\nCOPY a /no/\nFROM x\n${end}\nCOPY a /yes/\n`;
    expect(place(text('<<EOF', 'EOF'), 'a')).toEqual(['/yes/a']);
    expect(place(text("<<-'EOF' sh", '\tEOF'), 'a')).toEqual(['/yes/a']);
    expect(place(text('<<"A" cat <<B', 'A\nCOPY a /no/\nB'), 'a')).toEqual(['/yes/a']);
    expect(place(text('cat <<<EOF || [ $((1<<EOF)) ]', ''), 'a', '0')).toEqual(['/no/a']);
    expect(place('FROM scratch\nCOPY <<EOF /b\nCOPY a /no/\nEOF\n', 'a')).toBeNull();
  });

  test('respect the escape character that a directive names', () => {
    const escaped = '# escape=`\nFROM scratch\nCOPY a `\n  b `\n  /app/\n';
    expect(place(escaped, 'b')).toEqual(['/app/b']);
    const windows = '#Escape = `\nFROM scratch\nWORKDIR /c\\\nCOPY a /app/\n';
    expect(place(windows, 'a')).toEqual(['/app/a']);
    expect(place('FROM scratch\n# escape=`\nCOPY a \\\n /app/\n', 'a')).toEqual(['/app/a']);
  });

  test('include those of an earlier stage that the default of an ARG names', () => {
    const base = 'FROM x AS base\nWORKDIR /app\nCOPY a x/\n';
    const last = (from: string): string => `${base}FROM ${from}\nCOPY a y/\n`;
    expect(place(`ARG BASE=base\n${last('${BASE}')}`, 'a')).toEqual(['/app/x/a', '/app/y/a']);
    expect(place(`ARG A=1 BASE="base"\n${last('$BASE')}`, 'a')).toEqual(['/app/x/a', '/app/y/a']);
    expect(place(last('${BASE:-base}'), 'a')).toEqual(['/app/x/a', '/app/y/a']);
    expect(place(`ARG BASE\n${last('$BASE')}`, 'a')).toBeNull();
    expect(place(`ARG TARGETARCH=base\n${last('$TARGETARCH')}`, 'a')).toBeNull();
  });

  test('include those of an earlier stage that a build argument names in place of the default', () => {
    const text = 'ARG BASE=x\nFROM x AS base\nCOPY a /x/\nFROM $BASE\nCOPY a /y/\n';
    const places = (more: Parameters<typeof artifactIn>[2], buildArgs = {}): unknown => {
      const builder = { ...docker, buildArgs };
      return inferPlaces(artifactIn('/p/web', 'web', { builder, ...more }), text)('a');
    };
    expect(places({})).toEqual(['/y/a']);
    expect(places({}, { BASE: 'base' })).toEqual(['/x/a', '/y/a']);
    expect(places({}, { BASE: '{{.IMAGE_NAME}}' })).toEqual(['/y/a']);
    expect(places({ requires: [{ image: 'i', alias: 'BASE' }] }, { BASE: 'base' })).toEqual([
      '/y/a',
    ]);
  });

  test.each(['COPY a .', 'WORKDIR app\nCOPY a .', 'COPY a b'])(
    'are unknown with "%s" in the working directory of another image',
    (lines) => {
      expect(place(`FROM golang\n${lines}\n`, 'a')).toBeNull();
      expect(place(`FROM golang\nWORKDIR /go\n${lines}\n`, 'a')).not.toBeNull();
    },
  );

  test.each([
    'COPY $X /app/',
    'WORKDIR $X\nCOPY a .',
    'ADD https://example.com/a /',
    'COPY <<EOF /a',
    'COPY --parents a /app/',
    'COPY --exclude=a . /app/',
    'ADD x.tar.gz /app/',
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
