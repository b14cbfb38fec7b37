/**
 * Generates texts that are hook files, nearly hook files, or random bytes. Keys are in odd cases, repeated, unknown or
 * with a value of another type, with odd spacing and escapes. Then bytes are cut, flipped, added and moved.
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
  'prestart createRuntime createContainer startContainer poststart poststop precreate postexit'.split(
    ' ',
  );
const PATTERNS = '^/bin/sh$ .*/init$ (?i)X a|b a{2} [[:alpha:]] \\d+ ^(a+)+$ é X'.split(' ');
const BAD_PATTERNS = '[ (?=x) a** (((a{9}){9}){9}){9} \\1 a('.split(' ');

function schema010(): Text {
  const either = (plural: string): Text => mostly(plural, plural.slice(0, -1));
  return fc.tuple(either('stages'), either('cmds'), either('annotations')).chain((names) => {
    const [stages, cmds, annotations] = names;
    return object({
      hook: path(),
      version: mostly('"0.1.0"', '""', 'null'),
      arguments: list(word()),
      [stages]: list(stage()),
      [cmds]: list(pattern()),
      [annotations]: list(pattern()),
      hasbindmounts: boolean(),
    });
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
  return object({ version: mostly('"1.0.0"', '"2"'), hook, when, stages: list(stage()) });
}

/** A JSON object. Most keys are present once and valid; some are missing, repeated, in another case, or invalid. */
function object(fields: Readonly<Record<string, Text>>): Text {
  const members = Object.entries(fields).map(([name, value]) => member(name, value));
  const usual = fc.tuple(...members.map((made) => fc.option(made, { nil: undefined, freq: 12 })));
  const extra = fc.array(fc.oneof(...members, member('other', odd())), { maxLength: 2 });
  const more = rarely(fc.constant<[string, string][]>([]), extra, 3);
  return fc
    .tuple(usual, more)
    .chain(([given, added]) => braced([...given.filter((one) => one !== undefined), ...added]));
}

function member(name: string, value: Text): fc.Arbitrary<[string, string]> {
  const key = mostly(name, name.toUpperCase(), name.replace('s', '\u017F'));
  return fc.tuple(
    key.map((spelling) => JSON.stringify(spelling)),
    rarely(value, odd()),
  );
}

function mostly(usual: string, ...others: string[]): Text {
  return rarely(fc.constant(usual), fc.constantFrom(...others));
}

/** A file has a dozen parts. If each were invalid more often, hardly any file would be valid. */
const USUAL_TO_RARE = 40;

function rarely<T>(
  usual: fc.Arbitrary<T>,
  rare: fc.Arbitrary<T>,
  weight: number = USUAL_TO_RARE,
): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });
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
  const good = fc.constantFrom('1', '30', '9223372036');
  return rarely(good, fc.constantFrom('0', '-1', '1.0', '9223372037', '99999999999999999999'));
}

function path(): Text {
  const good = fc.constantFrom('"/bin/true"', '"\\/a\\u0062c"', '"/\u{1F600}"');
  return rarely(good, fc.constantFrom('"relative"', '""'));
}

function stage(): Text {
  return rarely(fc.constantFrom(...STAGES), fc.constant('x')).map((name) => JSON.stringify(name));
}

function word(): Text {
  const special = fc.constantFrom('a', 'A=b', '-v', '\u{1F600}', '\ud800', '\0');
  return fc.oneof(special, fc.string({ maxLength: 4 })).map((text) => JSON.stringify(text));
}

function pattern(): Text {
  const bad = fc.oneof(fc.constantFrom(...BAD_PATTERNS), fc.string({ maxLength: 5 }));
  return rarely(fc.constantFrom(...PATTERNS), bad).map((text) => JSON.stringify(text));
}

/** Half of the texts are unchanged, most others are damaged, and a few are deep nests or random bytes. */
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
