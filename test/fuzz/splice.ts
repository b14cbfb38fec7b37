/**
 * Fuzz target "splice": random additions to random config.json texts. It checks with JSON.parse and with the generated
 * parts of the text, never with the splicer's own scanner.
 */
import * as fc from 'fast-check';
import { stages, type OciHook, type Stage } from '../../src/lifecycles/container/points.ts';
import { spliceHooks, type Additions } from '../../src/lifecycles/container/config/splice.ts';

/** Throws with the seed and the smallest failing case. */
export function fuzzSplice(options: { readonly runs: number; readonly seed?: number }): void {
  const { runs, ...seed } = options;
  fc.assert(fc.property(sample, check), { numRuns: runs, ...seed });
  fc.assert(fc.property(noise, additions, checkNoise), { numRuns: runs, ...seed });
}

interface Sample {
  readonly before: string;
  /** The text of the hooks value; null if the text has no hooks member. */
  readonly hooks: string | null;
  readonly after: string;
  readonly additions: Additions;
}

const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', ' \n  ');
const number = fc.constantFrom(
  '0',
  '-0',
  '18446744073709551615',
  '9223372036854771712',
  '1e400',
  '-1.50E-3',
);
/** Pieces of a string: single bytes, invalid UTF-8, escapes, and everything that looks like JSON structure. */
const stringPiece = fc.constantFrom(
  'a',
  'hooks',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '\\"',
  '\\\\',
  '\\/',
  '\\u0068',
  '\\u0026',
  '\\ud83d',
  '\u00C3\u00A9',
  '\u00FF',
);
const string = fc.array(stringPiece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`);

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    number,
    string,
    joined('[', ']', tie('value')),
    joined(
      '{',
      '}',
      fc.tuple(string, space, tie('value')).map(([key, gap, of]) => `${key}${gap}:${gap}${of}`),
    ),
  ),
}));

function joined(open: string, close: string, item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(item, { maxLength: 4 }), space)
    .map(([items, gap]) => `${open}${gap}${items.join(`${gap},${gap}`)}${gap}${close}`);
}

const text = fc.constantFrom(
  '/bin/true',
  '/é',
  '-x',
  '',
  'a"b\\',
  '\u20AC',
  '\u{1F600}',
  'A=1',
  '\u0000',
);
const anyHook: fc.Arbitrary<OciHook> = fc.record(
  {
    path: text,
    args: fc.array(text, { maxLength: 3 }),
    env: fc.array(text, { maxLength: 2 }),
    timeout: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['path'] },
);
/** Often one of two fixed hooks, so that an added hook is often present already, once or more often. */
const hook = fc.oneof(anyHook, fc.constantFrom<OciHook>({ path: '/é' }, { path: '/é', args: [] }));
const stage = fc.constantFrom<Stage>(...stages);
const additions: fc.Arbitrary<Additions> = fc
  .uniqueArray(fc.tuple(stage, fc.array(hook, { maxLength: 3 })), {
    selector: ([name]) => name,
    maxLength: 3,
  })
  .map((entries) => Object.fromEntries(entries));

/** A hook as another tool may write it: other order of fields, unknown fields, escapes. */
const foreignHook = fc.oneof(
  hook.map(({ path, ...rest }) => utf8(JSON.stringify({ x: 1e3, ...rest, path }, null, 1))),
  hook.map((one) => escapeAll(JSON.stringify({ args: [one.path], ...one }))),
  value,
);
const stageValue = fc.oneof(fc.constant('null'), joined('[', ']', foreignHook));
const hooksValue = fc.oneof(
  { weight: 1, arbitrary: fc.constant('null') },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.uniqueArray(fc.tuple(stage, stageValue), { selector: ([name]) => name, maxLength: 4 }),
        space,
      )
      .map(
        ([entries, gap]) =>
          `{${gap}${entries.map(([name, of]) => `"${name}"${gap}:${gap}${of}`).join(`${gap},`)}${gap}}`,
      ),
  },
);

const member = fc
  .tuple(string, space, value)
  .filter(([key]) => !/^hooks$/i.test(JSON.parse(key) as string))
  .map(([key, gap, of]) => `${gap}${key}:${gap}${of}${gap}`);
const hooksKey = fc.constantFrom('"hooks"', '"hooks"', '"\\u0068ooks"');

const sample: fc.Arbitrary<Sample> = fc
  .record({
    members: fc.array(member, { maxLength: 4 }),
    place: fc.nat(4),
    key: hooksKey,
    hooks: fc.option(hooksValue),
    gap: space,
    additions,
  })
  .map(({ members, place, key, hooks, gap, additions: added }) => {
    if (hooks === null)
      return { before: `${gap}{${members.join(',')}}${gap}`, hooks, after: '', additions: added };
    const before = [...members.slice(0, place), `${gap}${key}${gap}:${gap}`].join(',');
    const after = [gap, ...members.slice(place)].join(',');
    return { before: `${gap}{${before}`, hooks, after: `${after}}${gap}`, additions: added };
  });

function check({ before, hooks, after, additions: added }: Sample): void {
  const original = `${before}${hooks ?? ''}${after}`;
  const result = spliceHooks(original, added);
  if (result.kind === 'refused') throw new Error(`refused: ${result.problem.message}`);
  const edited = result.kind === 'changed' ? result.text : original;
  mustKeepTheRest(original, edited, hooks === null ? null : { before, after });
  mustHoldOldAndNew(original, edited, added);
  if (spliceHooks(edited, added).kind !== 'unchanged') throw new Error('a second run changes it');
}

function mustKeepTheRest(
  original: string,
  edited: string,
  around: { before: string; after: string } | null,
): void {
  if (around !== null) {
    const kept = edited.startsWith(around.before) && edited.endsWith(around.after);
    if (!kept) throw new Error('bytes outside the hooks value have changed');
    return;
  }
  let same = 0;
  while (same < original.length && original[same] === edited[same]) same += 1;
  if (!edited.endsWith(original.slice(same))) throw new Error('more than one place was edited');
}

type Hooks = Partial<Record<string, unknown[] | null>>;

function mustHoldOldAndNew(original: string, edited: string, added: Additions): void {
  const old = hooksIn(original);
  const now = hooksIn(edited);
  for (const name of new Set([...Object.keys(old), ...Object.keys(now), ...Object.keys(added)])) {
    const had = old[name] ?? [];
    const has = now[name] ?? [];
    const wanted = added[name as Stage] ?? [];
    if (!isEqual(has.slice(0, had.length), had)) throw new Error(`${name}: existing hooks changed`);
    const ours = has.slice(had.length);
    if (!isSubsequence(ours, wanted)) throw new Error(`${name}: something else was added`);
    // Each wanted hook must occur as often as wanted; ours and foreign ones count together.
    for (const one of wanted) {
      const count = (list: readonly unknown[]): number =>
        list.filter((other) => isEqual(plain(other), plain(one))).length;
      if (count(has) !== Math.max(count(had), count(wanted)))
        throw new Error(`${name}: counted wrongly`);
    }
  }
}

function hooksIn(config: string): Hooks {
  const decoded = Buffer.from(config, 'latin1').toString('utf8');
  return (JSON.parse(decoded) as { hooks?: Hooks | null }).hooks ?? {};
}

/** A hook without irrelevant differences: without unknown fields, and without args that repeat the default. */
function plain(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const { path, args, env, timeout } = entry as Record<string, unknown>;
  return { path, args: args ?? [path], env: env ?? null, timeout: timeout ?? null };
}

function isSubsequence(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let at = 0;
  for (const one of whole) if (at < part.length && isEqual(part[at], one)) at += 1;
  return at === part.length;
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function utf8(characters: string): string {
  return Buffer.from(characters, 'utf8').toString('latin1');
}

function escapeAll(characters: string): string {
  return characters.replaceAll(
    /[^\0-\u007E]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const noise = fc
  .array(
    fc.oneof(stringPiece, fc.constantFrom('"', '\\', '"hooks"', '"poststop"', 'null', '1'), space),
  )
  .map((pieces) => pieces.join(''));

function checkNoise(anything: string, added: Additions): void {
  const result = spliceHooks(anything, added);
  if (result.kind === 'changed') JSON.parse(result.text);
}
