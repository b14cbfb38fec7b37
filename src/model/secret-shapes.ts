/**
 * Texts that are secrets by their shape (ENG-S4): a value after a revealing name ("password=…"), a bearer token, the
 * password in a URL, the keys of well-known services. No shape spans lines. In doubt a text is masked: masking too much
 * is a nuisance, masking too little is a leak. Part of the shim: uses nothing that QuickJS lacks.
 */
import type { MaskedStream } from './secrets.ts';

const MASK = '***';

const KINDS = ['api', 'access', 'account', 'private', 'secret', 'auth', 'client', 'encryption'];
const THINGS = ['key', 'token', 'secret'];

/**
 * Creates a value on first use. Each hook of a container runs in its own process, and most hooks print nothing.
 * Compiling these patterns would cost such a process more than the hook itself.
 */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Names whose value is masked after "=" and after ":". */
const strong = once(() => [
  'password',
  'passwd',
  'passphrase',
  'authorization',
  ...KINDS.flatMap((kind) =>
    THINGS.flatMap((thing) => ['', '_', '-'].map((by) => kind + by + thing)),
  ),
]);

/**
 * Names that also occur in sentences ("secret: not found"). After ": " a value without quotes is masked only if it has
 * a digit and at least eight characters.
 */
const WEAK = ['secret', 'token', 'credential', 'credentials', '_pass', '-pass', '_pwd', '-pwd'];

const FLAGS = ['--password', '--passwd', '--token', '--secret', '--api-key'];

/** The prefixes of the keys of well-known services, each with a pattern for the rest of the key. */
const KEYS: Readonly<Record<string, string>> = {
  AKIA: '[0-9A-Z]{16,250}',
  ASIA: '[0-9A-Z]{16,250}',
  AIza: String.raw`[\w-]{35,250}`,
  'ya29.': String.raw`[\w-]{20,250}`,
  ghp_: String.raw`\w{36,250}`,
  gho_: String.raw`\w{36,250}`,
  ghu_: String.raw`\w{36,250}`,
  ghs_: String.raw`\w{36,250}`,
  ghr_: String.raw`\w{36,250}`,
  github_pat_: String.raw`\w{22,250}`,
  'glpat-': String.raw`[\w-]{20,250}`,
  'xoxa-': String.raw`[\w-]{10,250}`,
  'xoxb-': String.raw`[\w-]{10,250}`,
  'xoxp-': String.raw`[\w-]{10,250}`,
  'xoxs-': String.raw`[\w-]{10,250}`,
  sk_live_: String.raw`\w{16,250}`,
  rk_live_: String.raw`\w{16,250}`,
  npm_: String.raw`\w{36,250}`,
};

/** A JSON web token: two JSON objects and a signature. */
const JWT = String.raw`eyJ[\w-]{8,512}\.eyJ[\w-]{8,4096}\.[\w-]*`;
const OPEN_JWT = String.raw`eyJ[\w-]{0,512}(?:\.(?:e(?:y(?:J[\w-]{0,4096}(?:\.[\w-]*)?)?)?)?)?`;

const SPACES = String.raw`[ \t]*`;
const QUOTE = String.raw`(?:\\?["'])?`;
const SCHEME = String.raw`(?:(?:basic|bearer|digest|token)[ \t]+)?`;
/** A value after its opening quote, up to the closing quote. Both quotes are kept. */
const QUOTED = String.raw`(?<=\\")[^"\\\n]*|(?<=")(?:[^"\\\n]|\\.)*|(?<=')[^'\n]*`;
const PLAIN = String.raw`(?!(?:true|false|null|none)(?![^\s"']))[^\s"']+`;
const VALUE = `(?:${QUOTED}|${PLAIN})`;

const oneOf = (words: readonly string[]): string =>
  `(?:${words.map((word) => word.replace('.', String.raw`\.`)).join('|')})`;

/** The first group of each shape is kept; the rest is masked. */
const shapes = once(() => [
  `(${oneOf(strong())}${QUOTE}${SPACES}[=:]{1,2}${SPACES}${SCHEME}${QUOTE})${VALUE}`,
  String.raw`(${oneOf(WEAK)}${QUOTE}(?:${SPACES}=${SPACES}|::?)${QUOTE})${VALUE}`,
  String.raw`(${oneOf(WEAK)}${QUOTE}${SPACES}:[ \t]+${QUOTE})(?:${QUOTED}|(?=[^\s"']*\d)[^\s"']{8,})`,
  String.raw`(${oneOf(FLAGS)}[ \t]+${QUOTE})${VALUE}`,
  String.raw`(bearer[ \t]+)[\w.~+/=-]{8,}`,
  String.raw`(:\/\/[^\s/:@"']*:)[^\s/"']+(?=@)`,
  ...Object.entries(KEYS).map(([begin, rest]) => `()${oneOf([begin])}${rest}`),
  `()${JWT}`,
]);

const anyShape = once(() => new RegExp(shapes().join('|'), 'gi'));

const OPEN_VALUE = String.raw`(?:\\"[^"\\\n]*|"(?:[^"\\\n]|\\.)*|\\?'[^'\n]*|[^\s"']*)\\?["']?`;

/** The end of a text that may become one of the shapes when more text arrives. Sticky. */
const openShapes = once(() => {
  const forms = [
    String.raw`${oneOf([...strong(), ...WEAK])}\\?["']?${SPACES}(?:[=:]{1,2}${SPACES}${SCHEME}${OPEN_VALUE})?`,
    `${oneOf(FLAGS)}${SPACES}${OPEN_VALUE}`,
    String.raw`bearer[ \t]*[\w.~+/=-]*`,
    String.raw`:\/\/[^\s/"']*`,
    String.raw`${oneOf(Object.keys(KEYS))}[\w.-]{0,255}`,
    OPEN_JWT,
  ];
  return new RegExp(`(?:${forms.join('|')})$`, 'iy');
});

const begins = once(() =>
  [...strong(), ...WEAK, ...FLAGS, 'bearer', '://', 'eyJ', ...Object.keys(KEYS)].map((word) =>
    word.toLowerCase(),
  ),
);
const beginLengthMax = once(() => Math.max(...begins().map((word) => word.length)));
const beginShape = once(() => new RegExp(oneOf(begins()), 'gi'));

/**
 * All prefixes without their last characters, each on its own line. A text is an incomplete prefix if one of these
 * lines starts with it.
 */
const partsOfBegins = once(() =>
  begins()
    .map((word) => `\n${word.slice(0, -1)}`)
    .join(''),
);

/** Every shape contains one of these. Searching for them costs a fifth of applying the pattern. */
const STEMS = [
  'pass',
  'secret',
  'token',
  'credential',
  'authorization',
  'key',
  '_pwd',
  '-pwd',
  'bearer',
  '://',
  'eyj',
  ...Object.keys(KEYS).map((begin) => begin.toLowerCase()),
];

function mayHoldShape(text: string): boolean {
  const lower = text.toLowerCase();
  return STEMS.some((stem) => lower.includes(stem));
}

export function maskShapes(text: string): string {
  if (text === '' || !mayHoldShape(text)) return text;
  return text.replaceAll(anyShape(), (_found: string, ...groups: unknown[]) => {
    // The groups are followed by the offset and the whole text, but every shape has a group, so a group is found first.
    const kept = groups.find((group) => typeof group === 'string') ?? '';
    return `${kept}${MASK}`;
  });
}

/** Maximum number of UTF-16 units that are held back. If a value is longer, the rest of it is omitted. */
const HELD_MAX = 8_192;

/** Holds the end of a text back while it may be the start of a shape. */
export function shapeStream(): MaskedStream {
  let held = '';
  /**
   * Set while a value is longer than the text that may be held: matches the end of that value. null: no such value is
   * open.
   */
  let rest: RegExp | null = null;
  return {
    push(piece): string {
      if (piece === '') return '';
      let text = held + piece;
      held = '';
      if (rest !== null) {
        const end = text.search(rest);
        if (end === -1) return '';
        rest = null;
        text = text.slice(end);
      }
      const cut = openPlace(text);
      if (text.length - cut > HELD_MAX) {
        rest = endOfValue(text.slice(cut));
        return maskShapes(text);
      }
      held = text.slice(cut);
      return maskShapes(text.slice(0, cut));
    },
    end(): string {
      const last = maskShapes(held);
      held = '';
      return last;
    },
  };
}

/**
 * The first offset from which the text, up to its end, may be the start of a shape; the length of the text if there is
 * none.
 */
function openPlace(text: string): number {
  const from = text.lastIndexOf('\n') + 1;
  const line = text.slice(from);
  const open = mayHoldShape(line) ? openShape(line) : null;
  // The earlier of the two offsets: "--pass" contains the shape "-pass", but may also become "--password".
  return from + Math.min(open ?? line.length, openBegin(line));
}

/** The start of an incomplete prefix at the end of the line; the line's length if there is none. */
function openBegin(line: string): number {
  const tail = line.slice(-beginLengthMax()).toLowerCase();
  for (let at = 0; at < tail.length; at += 1) {
    if (partsOfBegins().includes(`\n${tail.slice(at)}`)) return line.length - tail.length + at;
  }
  return line.length;
}

/** The start of an incomplete shape at the end of the line. Text inside a complete shape starts no other shape. */
function openShape(line: string): number | null {
  const ended = [...line.matchAll(anyShape())].map(({ index, 0: found }) => ({
    index,
    end: index + found.length,
  }));
  const word = beginShape();
  word.lastIndex = 0;
  for (let found = word.exec(line); found !== null; found = word.exec(line)) {
    const at = found.index;
    while ((ended[0]?.end ?? line.length) <= at) ended.shift();
    const [around] = ended;
    const isInside = around !== undefined && around.index < at;
    openShapes().lastIndex = at;
    if (!isInside && openShapes().test(line)) return at;
    // Continues with the next character, since prefixes overlap: "--token" contains "token".
    word.lastIndex = isInside ? around.end : at + 1;
  }
  return null;
}

/**
 * A pattern for the end of the value that begins in the held text. null: the held text is not a value, and all of it is
 * shown.
 */
function endOfValue(text: string): RegExp | null {
  const last = [...text.matchAll(anyShape())].at(-1);
  if (last === undefined || last.index + last[0].length < text.length) return null;
  const groups: readonly (string | undefined)[] = last.slice(1);
  const kept = groups.find((group) => group !== undefined) ?? '';
  return /["']$/.test(kept) ? /["'\n]/ : /[\s"']/;
}
