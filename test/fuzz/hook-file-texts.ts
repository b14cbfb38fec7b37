/**
 * Texts that are hook files, nearly hook files, or bytes: keys in odd cases, repeated, unknown or with a
 * value of another type; odd spacing and escapes; then bytes cut, flipped, added and moved.
 */
import * as fc from 'fast-check';
import type { ByteText } from '../../src/platform/platform.ts';

type Text = fc.Arbitrary<string>;

export function hookFiles010(): fc.Arbitrary<ByteText> {
  return damaged(schema010());
}

export function hookFiles100(): fc.Arbitrary<ByteText> {
  return damaged(schema100());
}

const SPACES = ['', '', '', ' ', '\n', '\t', '\r\n  '];
const ODD_VALUES = 'null true [] {} 0 -1 1.5 1e3 "" "x" [null] [0] ["a",null] {"a":null}'.split(
  ' ',
);
const STAGES =
  'prestart createRuntime createContainer startContainer poststart poststop precreate postexit x'.split(
    ' ',
  );
const PATTERNS =
  '^/bin/sh$ .*/init$ (?i)X [ a|b a{2} (?=x) [[:alpha:]] a** \\d+ ^(a+)+$ (((a{9}){9}){9}) é'.split(
    ' ',
  );

function schema010(): Text {
  return object({
    version: fc.constantFrom('""', '"0.1.0"', 'null'),
    hook: path(),
    arguments: list(word()),
    stages: list(stage()),
    stage: list(stage()),
    cmds: list(pattern()),
    cmd: list(pattern()),
    annotations: list(pattern()),
    annotation: list(pattern()),
    hasbindmounts: boolean(),
  });
}

function schema100(): Text {
  const hook = object({ path: path(), args: list(word()), env: list(word()), timeout: timeout() });
  const when = object({
    always: boolean(),
    annotations: fc.array(fc.tuple(pattern(), pattern()), { maxLength: 3 }).chain(braced),
    commands: list(pattern()),
    hasBindMounts: boolean(),
  });
  // Named twice, so that most files have what is required.
  const version = fc.constantFrom('"1.0.0"', '"1.0.0"', '"1.0.0"', '"2"');
  return object({ version, hook, when, stages: list(stage()) });
}

/** Most keys once and as they should be; some missing, repeated, in another case, or not right. */
function object(fields: Readonly<Record<string, Text>>): Text {
  const members = Object.entries(fields).map(([name, value]) => member(name, value));
  const usual = fc.tuple(...members.map((made) => fc.option(made, { nil: undefined, freq: 6 })));
  const extra = fc.array(fc.oneof(...members, member('other', odd())), { maxLength: 2 });
  return fc
    .tuple(
      usual,
      fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: extra }),
    )
    .chain(([given, more]) => braced([...given.filter((one) => one !== undefined), ...more]));
}

function member(name: string, value: Text): fc.Arbitrary<[string, string]> {
  const spellings = [name, name, name, name, name.toUpperCase(), name.replace('s', '\u017F')];
  const key = fc.constantFrom(...spellings).map((spelling) => JSON.stringify(spelling));
  return fc.tuple(key, fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd() }));
}

function braced(members: readonly (readonly [string, string])[]): Text {
  return space().map((gap) => {
    const inside = members.map(([key, value]) => `${gap}${key}${gap}:${gap}${value}`);
    return `{${inside.join(`${gap},`)}${gap}}`;
  });
}

function list(item: Text): Text {
  return fc
    .tuple(fc.array(item, { maxLength: 3 }), space())
    .map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`);
}

function space(): Text {
  return fc.constantFrom(...SPACES);
}

function odd(): Text {
  return fc.constantFrom(...ODD_VALUES);
}

function boolean(): Text {
  return fc.constantFrom('true', 'false');
}

function timeout(): Text {
  return fc.constantFrom('1', '30', '9223372036', '0', '-1', '1.0', '99999999999999999999');
}

function path(): Text {
  return fc.constantFrom(
    '"/bin/true"',
    '"/bin/true"',
    '"\\/a\\u0062c"',
    '"relative"',
    '"/\u{1F600}"',
  );
}

function stage(): Text {
  return fc.constantFrom(...STAGES, ...STAGES.slice(0, -1)).map((name) => JSON.stringify(name));
}

function word(): Text {
  return fc
    .oneof(
      fc.constantFrom('a', 'A=b', '-v', '\u{1F600}', '\ud800', '\0'),
      fc.string({ maxLength: 4 }),
    )
    .map((text) => JSON.stringify(text));
}

function pattern(): Text {
  return fc
    .oneof(
      fc.constantFrom(...PATTERNS),
      fc.constantFrom(...PATTERNS.slice(0, 3)),
      fc.string({ maxLength: 3 }),
    )
    .map((text) => JSON.stringify(text));
}

/** Half of them as they are, the rest damaged; and a few that never were a file. */
function damaged(texts: Text): fc.Arbitrary<ByteText> {
  const bytes = texts.map((text) => Buffer.from(text, 'utf8').toString('latin1'));
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  const piece = fc.oneof(
    byte,
    fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\xef\xbb\xbf', '\\ud800'),
  );
  const edit = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 3 }),
    put: fc.oneof(piece, fc.constant('')),
  });
  const edited = fc
    .tuple(bytes, fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) => edits.reduce(applyEdit, text));
  const deep = fc
    .nat({ max: 300 })
    .map((depth) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  const noise = fc.array(byte, { maxLength: 40 }).map((all) => all.join(''));
  return fc.oneof(
    { weight: 10, arbitrary: bytes },
    { weight: 8, arbitrary: edited },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: noise },
  );
}

function applyEdit(
  text: string,
  { at, length, put }: { at: number; length: number; put: string },
): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + put + text.slice(place + length);
}
