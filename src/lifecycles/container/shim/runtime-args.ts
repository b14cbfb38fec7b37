/**
 * Parses the command line of an OCI runtime. It is only read: the real runtime gets it byte for
 * byte. runc (Go flags, anywhere among the arguments) and crun (GNU argp) are both supported:
 *
 *   runc --root /r --log=/l create --bundle /b --pid-file p ID
 *   crun --cgroup-manager systemd run -b/b ID
 *
 * `-bundle X` is runc's: for Go one dash equals two. For crun it would mean `-b undle`, which is never used.
 */

export interface RuntimeCall {
  /** The arguments before the command. */
  readonly globals: readonly string[];
  /** The runtime's state directory (--root); undefined: the runtime's default. */
  readonly root: string | undefined;
  /** "" without a command: `--help`, `--version`. */
  readonly command: string;
  /**
   * The value of --bundle. undefined: the option is absent, so the working directory. null: the option has no value.
   */
  readonly bundle: string | null | undefined;
  /** crun's --config: a file that replaces config.json. */
  readonly configFile: string | undefined;
  /** The last argument that is not an option: the container's id. */
  readonly containerId: string | undefined;
  readonly asksForHelp: boolean;
  /** Number of descriptors from 3 up that the container gets; null: not given. */
  readonly preserveFds: number | null;
  readonly log: { readonly file: string | undefined; readonly json: boolean };
}

export function readRuntimeCall(args: readonly string[]): RuntimeCall {
  const { options: globalOptions, from } = readGlobals(args);
  const [command = '', ...rest] = args.slice(from);
  const items = [...readItems(rest, creates(command) ? createValues : noValues)];
  const operands = items.filter((item) => item.kind === 'operand');
  const preserve = Number(lastValue(items, 'preserve-fds') ?? Number.NaN);
  return {
    globals: args.slice(0, from),
    root: lastValue(globalOptions, 'root') ?? undefined,
    command,
    // runc and crun both ignore an empty value.
    bundle: lastValue(items, 'bundle') === '' ? undefined : lastValue(items, 'bundle'),
    configFile: lastValue(items, 'config') ?? undefined,
    containerId: operands.at(-1)?.text,
    asksForHelp: rest.some((arg) => arg === '--help' || arg === '-h'),
    preserveFds: Number.isSafeInteger(preserve) && preserve >= 0 ? preserve : null,
    log: logOf(globalOptions),
  };
}

function logOf(options: Parameters<typeof lastValue>[0]): RuntimeCall['log'] {
  return {
    file: lastValue(options, 'log') ?? undefined,
    json: lastValue(options, 'log-format') === 'json',
  };
}

/** Whether the command creates a container, so that its config.json will be read. */
export function createsContainer({ command, asksForHelp }: RuntimeCall): boolean {
  return creates(command) && !asksForHelp;
}

function creates(command: string): boolean {
  return command === 'create' || command === 'run';
}

/** Options with a value: the name of each, by all its spellings. */
type ValueOptions = ReadonlyMap<string, string>;

const globalValues: ValueOptions = named(
  'log',
  'log-format',
  'log-level',
  'root',
  'criu',
  'rootless',
  'cgroup-manager',
);

const createValues: ValueOptions = new Map([
  ...named('bundle', 'console-socket', 'pidfd-socket', 'pid-file', 'preserve-fds', 'config'),
  ['b', 'bundle'],
  ['f', 'config'],
]);

/** `start` and `delete` have no option with a value: in `delete -f ID`, `-f` means `--force`. */
const noValues: ValueOptions = new Map();

function named(...names: readonly string[]): ValueOptions {
  return new Map(names.map((name) => [name, name]));
}

type Item =
  | { readonly kind: 'operand'; readonly text: string; readonly at: number }
  /** Only options with a value; null: the value is missing. */
  | { readonly kind: 'option'; readonly name: string; readonly value: string | null };

/** The options before the command, and the index of the command. */
function readGlobals(args: readonly string[]): { options: Item[]; from: number } {
  const options: Item[] = [];
  for (const item of readItems(args, globalValues)) {
    if (item.kind === 'operand') return { options, from: item.at };
    options.push(item);
  }
  return { options, from: args.length };
}

function* readItems(args: readonly string[], valueOptions: ValueOptions): Generator<Item> {
  let onlyOperands = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (onlyOperands || isOperand(arg)) {
      yield { kind: 'operand', text: arg, at };
      continue;
    }
    if (arg === '--') onlyOperands = true;
    const option = readOption(arg, valueOptions);
    if (option === null) continue;
    yield { kind: 'option', name: option.name, value: option.value ?? args[at + 1] ?? null };
    if (option.value === undefined) at += 1;
  }
}

/** "-" alone is an operand: it means standard input. */
function isOperand(arg: string): boolean {
  return !arg.startsWith('-') || arg === '-';
}

/**
 * The value of an option. If it is given several times, the last value wins, as in Go and argp; undefined: it is not
 * given.
 */
function lastValue(items: readonly Item[], name: string): string | null | undefined {
  const found = items.findLast((item) => item.kind === 'option' && item.name === name);
  return found?.kind === 'option' ? found.value : undefined;
}

interface Option {
  readonly name: string;
  /** undefined: the value is the next argument. */
  readonly value: string | undefined;
}

/** Reads `--name=value`, `--name`, `-name`, `-n=value`, and crun's `-nvalue`; null: the argument is no option. */
function readOption(arg: string, valueOptions: ValueOptions): Option | null {
  const text = arg.startsWith('--') ? arg.slice(2) : arg.slice(1);
  const equals = text.indexOf('=');
  const name = valueOptions.get(equals === -1 ? text : text.slice(0, equals));
  if (name !== undefined) {
    return { name, value: equals === -1 ? undefined : text.slice(equals + 1) };
  }
  const byLetter = arg.startsWith('--') ? undefined : valueOptions.get(text.slice(0, 1));
  return byLetter === undefined ? null : { name: byLetter, value: text.slice(1) };
}
