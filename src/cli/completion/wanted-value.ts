/** Finds the kind of value at the cursor from the words before it. Pure. */
import type { Command, Option } from 'commander';

export type Source =
  | 'clusters'
  | 'commands'
  | 'contexts'
  | 'hooks'
  | 'lifecycles'
  | 'objects'
  | 'profiles'
  | 'recipes'
  | 'recorded-hooks'
  | 'runs'
  | 'sessions'
  | 'snapshots'
  | 'templates'
  | 'volume-snapshots';

export type Wanted =
  | { readonly kind: 'choices'; readonly values: readonly string[] }
  /** `options`: the options before the cursor, by their long flags. */
  | { readonly kind: 'source'; readonly source: Source; readonly options: Given };

export type Given = Readonly<Record<string, string>>;

const OF_OPTIONS: Readonly<Record<string, Source>> = {
  '--cluster': 'clusters',
  '--context': 'contexts',
  '--kube-context': 'contexts',
  '--profile': 'profiles',
  '--recipe': 'recipes',
  '--template': 'templates',
  '--verify': 'recipes',
  '--volume-snapshot': 'volume-snapshots',
};

const OF_ARGUMENTS: Readonly<Record<string, Source>> = {
  help: 'commands',
  status: 'objects',
  'pipeline replay': 'sessions',
  'pipeline rerun': 'recorded-hooks',
  'recipes show': 'recipes',
  'recipes test': 'recipes',
  'rollout abort': 'lifecycles',
  'rollout check': 'lifecycles',
  'rollout history': 'lifecycles',
  'rollout plan': 'lifecycles',
  'rollout retry': 'lifecycles',
  'rollout status': 'lifecycles',
  'rollout watch': 'lifecycles',
  'runs show': 'runs',
  'snapshot plan': 'snapshots',
  'snapshot release': 'hooks',
  'snapshot restore': 'snapshots',
  'snapshot status': 'snapshots',
  'snapshot thaw': 'hooks',
};

/** True: the program completes the values of this option. */
export function hasValues({ long, argChoices }: Option): boolean {
  return argChoices !== undefined || OF_OPTIONS[long ?? ''] !== undefined;
}

/** True: the program completes the arguments of this command. */
export function hasArgumentValues(command: Command): boolean {
  return choicesOf(command) !== null || OF_ARGUMENTS[pathOf(command)] !== undefined;
}

/**
 * The kind of value at the cursor. `words`: the words between the program and the cursor. null: no completion is known.
 */
export function wantedValue(program: Command, words: readonly string[]): Wanted | null {
  const { command, options, open } = read(program, words);
  if (open !== null) return ofOption(open, options);
  const values = choicesOf(command);
  if (values !== null) return { kind: 'choices', values };
  const source = OF_ARGUMENTS[pathOf(command)];
  return source === undefined ? null : { kind: 'source', source, options };
}

function ofOption({ long, argChoices }: Option, options: Given): Wanted | null {
  if (argChoices !== undefined) return { kind: 'choices', values: argChoices };
  const source = OF_OPTIONS[long ?? ''];
  return source === undefined ? null : { kind: 'source', source, options };
}

interface Reading {
  readonly command: Command;
  readonly options: Given;
  /** The option whose value is next; null: the next word is not the value of an option. */
  readonly open: Option | null;
}

function read(program: Command, words: readonly string[]): Reading {
  let command = program;
  let open: Option | null = null;
  const options: Record<string, string> = {};
  // A shell may pass "=" as a separate word.
  for (const word of words.filter((one) => one !== '=')) {
    if (open !== null) {
      options[open.long ?? ''] = word;
      open = null;
    } else if (word.startsWith('-')) {
      const { option, value } = flagIn(command, word);
      if (value === null) open = option;
      else if (option !== null) options[option.long ?? ''] = value;
    } else {
      command = command.commands.find((one) => one.name() === word) ?? command;
    }
  }
  return { command, options, open };
}

/**
 * The option that takes a value, and the value if it is in the same word. `option` is null if the word is another flag.
 */
function flagIn(
  command: Command,
  word: string,
): { readonly option: Option | null; readonly value: string | null } {
  const at = word.indexOf('=');
  const [flag, value] = at === -1 ? [word, null] : [word.slice(0, at), word.slice(at + 1)];
  const found = command.options.find(({ long, short }) => flag === long || flag === short);
  return { option: found?.required === true ? found : null, value };
}

function choicesOf(command: Command): readonly string[] | null {
  return command.registeredArguments[0]?.argChoices ?? null;
}

/** The names of a command below the program, such as "oci run". */
export function pathOf(command: Command): string {
  const names: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}
