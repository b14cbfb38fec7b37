/**
 * docs/reference/cli.md: every command with its arguments, options, defaults and exit codes, generated from the
 * command tree.
 */
import type { Command } from 'commander';

import { buildProgram } from '../src/cli/program.ts';
import { cell } from './reference-rows.ts';

const GENERATED = '<!-- Generated of the commands: npx tsx scripts/generate-reference.ts -->';

/** The reference page of the command line. Its texts are those of `--help`. */
export function cliPage(): string {
  const program = buildProgram(() => {
    throw new Error('no command is run');
  });
  const seen = new Map<string, string>();
  const sections = program.commands.flatMap((command) => sectionsOf(command, 'lifehook', seen));
  return `# Commands

${GENERATED}

The \`--help\` text of every command. Every command has the option \`--help\`.

${moreOf(program)}

${sections.join('\n\n')}
`;
}

/**
 * The sections of a command and its subcommands. Recursion is safe, because the command tree has two levels. `seen` has
 * the first name of each command body, so that an equal command links to it.
 */
function sectionsOf(command: Command, parent: string, seen: Map<string, string>): string[] {
  const name = `${parent} ${command.name()}`;
  const body = bodyOf(command);
  const first = seen.get(body);
  if (first === undefined) seen.set(body, name);
  const title = `${parent === 'lifehook' ? '##' : '###'} ${name}`;
  const usage = command.commands.length > 0 ? [] : [`\`${name} ${command.usage()}\``];
  const text =
    first === undefined ? [...usage, body] : [`The same as [${first}](#${anchorOf(first)}).`];
  const below = command.commands.flatMap((one) => sectionsOf(one, name, seen));
  return [title, ...text, ...below];
}

const anchorOf = (title: string): string => title.replaceAll(' ', '-');

function bodyOf(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const rows = [
    ...help
      .visibleArguments(command)
      .map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    ...options.map((one) => [help.optionTerm(one), help.optionDescription(one)]),
  ];
  return [sentence(command.description()), table(rows), moreOf(command)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function table(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([term = '', what = '']) => `| \`${cell(term)}\` | ${cell(what)} |`);
  return ['| | |', '| --- | --- |', ...lines].join('\n');
}

/** The text below the options: examples and exit codes. Indented lines are examples, or terms with their meaning. */
function moreOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  const lines = text.slice(command.helpInformation().length).trim().split('\n');
  return lines.map((line) => itemOf(line) ?? line).join('\n');
}

/** null: the line is not an item. */
function itemOf(line: string): string | null {
  const { what, words } = /^ {2}(?<what>\S.*?)(?: {2,}(?<words>\S.*))?$/u.exec(line)?.groups ?? {};
  if (what === undefined) return null;
  return words === undefined ? `- \`${what}\`` : `- \`${what}\`: ${words}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
