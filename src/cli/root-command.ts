/** The root of the command tree without its commands, and the function that runs a command line. */
import process from 'node:process';
import { type Argument, Command, CommanderError } from 'commander';

import { exitCodes, type Settle } from './exit-codes.ts';

/** The error of a wrong command line. `explain` resolves with the message to report. */
export class WrongUse extends Error {
  readonly explain: () => Promise<string>;

  constructor(message: string, explain: () => Promise<string> = () => Promise.resolve(message)) {
    super(message);
    this.name = 'WrongUse';
    this.explain = explain;
  }
}

export function rootCommand(): Command {
  const name = programName(process.argv[1] ?? '');
  return new Command(name)
    .helpOption('-h, --help', 'show help for a command')
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false, subcommandTerm: termOf })
    .configureOutput({
      outputError: (message) => {
        throw new WrongUse(message);
      },
      writeOut: (text) => process.stdout.write(inItsName(text, name)),
      writeErr: (text) => process.stderr.write(inItsName(text, name)),
    })
    .exitOverride()
    .enablePositionalOptions();
}

/**
 * The command in a help list, such as "create <name>". Top-level commands show only their name, so that each fits on
 * one line.
 */
function termOf(command: Command): string {
  const isTop = command.parent?.parent === null;
  const args = isTop ? [] : command.registeredArguments.map(argumentTerm);
  return [command.name(), ...args].join(' ');
}

function argumentTerm(argument: Argument): string {
  const { required, variadic } = argument;
  const text = `${argument.name()}${variadic ? '...' : ''}`;
  return required ? `<${text}>` : `[${text}]`;
}

/** Runs one command line with the command tree of `build`. Resolves with its exit code; never rejects. */
export async function runCommandLine(
  args: readonly string[],
  build: (settle: Settle) => Command,
): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = build((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse;
    const { reportFailure, reportWrongUse } = await import('./report-failure.ts');
    if (!(error instanceof WrongUse)) return reportFailure(error);
    reportWrongUse(await error.explain());
    return exitCodes.wrongUse;
  }
}

const NAME = 'lifehook';
const PLUGIN = 'kubectl lifehook';

/**
 * The name of the program in messages: `lifehook`, or that of the kubectl plugin. `path`: the second argument of the
 * process, such as "/usr/bin/kubectl-lifehook".
 */
export function programName(path: string): string {
  return /(?:^|[\\/])kubectl-lifehook(?:\.\w+)?$/u.test(path) ? PLUGIN : NAME;
}

/** A help text whose examples begin with the name of the program. */
export function inItsName(text: string, name: string): string {
  return name === NAME ? text : text.replaceAll(/^( +)lifehook /gmu, `$1${name} `);
}
