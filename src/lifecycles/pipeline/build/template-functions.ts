/** Implements the functions of templates, with the argument order of Go's templates: the piped value is last. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value };

export interface TemplateFacts {
  /** The values of fields. */
  readonly data: Readonly<Record<string, Value>>;
  /** `cmd`: the output of the program, without trailing line feeds; null: it failed. */
  readonly command: (argv: readonly string[]) => Promise<string | null>;
}

/** The message is one sentence without its full stop. */
export class TemplateProblem extends Error {}

type Given = readonly (Value | undefined)[];

/** Throws a TemplateProblem for an unknown function. */
export async function callFunction(
  name: string,
  given: Given,
  { command, data }: TemplateFacts,
): Promise<Value | undefined> {
  if (name === 'cmd') return commandOf(given, command);
  if (name === 'default') return given[1] === undefined || given[1] === '' ? given[0] : given[1];
  if (name === 'index') return indexOf(given);
  if (name === 'env') return envOf(given, data);
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (plain === undefined) {
    const known = ['cmd', 'default', 'index', 'env', ...Object.keys(PLAIN)].toSorted();
    throw new TemplateProblem(`"${name}" is no function that is known: ${known.join(', ')}`);
  }
  const texts = given.map((one) => textOf(name, one));
  if (texts.length !== plain.arguments) {
    throw new TemplateProblem(
      `"${name}" takes ${plain.arguments} arguments, and ${texts.length} were given`,
    );
  }
  return plain.of(texts);
}

interface Plain {
  readonly arguments: number;
  readonly of: (texts: readonly string[]) => string;
}

/** A negative length of `trunc` counts from the end. */
const PLAIN: Readonly<Record<string, Plain>> = {
  upper: { arguments: 1, of: ([text = '']) => text.toUpperCase() },
  lower: { arguments: 1, of: ([text = '']) => text.toLowerCase() },
  trim: { arguments: 1, of: ([text = '']) => text.trim() },
  quote: { arguments: 1, of: ([text = '']) => JSON.stringify(text) },
  trimPrefix: {
    arguments: 2,
    of: ([prefix = '', text = '']) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
  },
  trimSuffix: {
    arguments: 2,
    of: ([suffix = '', text = '']) =>
      suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  },
  trunc: {
    arguments: 2,
    of: ([length = '', text = '']) =>
      length.startsWith('-') ? text.slice(Number(length)) : text.slice(0, Number(length)),
  },
  replace: {
    arguments: 3,
    of: ([old = '', now = '', text = '']) => text.replaceAll(old, () => now),
  },
};

function textOf(name: string, value: Value | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TemplateProblem(
    `an argument of "${name}" is not a string: give it a value with "default"`,
  );
}

function indexOf([container, ...keys]: Given): Value | undefined {
  let value = container;
  for (const key of keys) {
    const name = textOf('index', key);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Readonly<Record<string, Value>>)[name];
  }
  return value;
}

/** The value of a variable; "" if the variable is unset, as in skaffold. */
function envOf([name]: Given, data: TemplateFacts['data']): Value {
  const key = textOf('env', name);
  return Object.hasOwn(data, key) ? (data[key] ?? '') : '';
}

async function commandOf(given: Given, command: TemplateFacts['command']): Promise<string> {
  const argv = given.map((one) => textOf('cmd', one));
  if (argv.length === 0) throw new TemplateProblem('"cmd" names no program');
  const printed = await command(argv);
  if (printed === null) throw new TemplateProblem(`its program "${argv.join(' ')}" failed`);
  return printed;
}
