/** Makes commands as text to copy. The page itself changes nothing. Pure. */
import { shellWords } from '../../model/shell-words.ts';
import type { Bar } from '../bar.ts';
import { isWholeRun } from '../run-summary.ts';

const COMMAND = /(?:^|: )((?:lifehook|kubectl) .+)$/;
/** A command of plain and quoted words only, in which a shell executes, expands or redirects nothing. */
const ONLY_WORDS = /^[\w./:@%+=,-]+(?: (?:[\w./:@%+=,-]+|'[^']*'(?:\\''[^']*')*))*$/;
/** Control characters: a terminal executes some of them when they are pasted, and others reorder the shown text. */
const UNSEEN = /[\p{Cc}\p{Cf}]/u;

export interface NextStep {
  /** Text that says what to do before the command, or instead of it. */
  readonly note: string | null;
  readonly command: string | null;
}

/**
 * Splits the advice of a span into a note and a command: "thaw db-0 by hand, then: lifehook snapshot release ..." has
 * both.
 */
export function nextStepOf(next: string | undefined): NextStep {
  if (next === undefined) return { note: null, command: null };
  const found = COMMAND.exec(next);
  if (found?.[1] === undefined || !isSafe(found[1])) return { note: next, command: null };
  const note = next.slice(0, found.index);
  return { note: note === '' ? null : note, command: found[1] };
}

/** Whether the command is safe to paste into a shell. Its arguments are from records, which may contain anything. */
function isSafe(command: string): boolean {
  return ONLY_WORDS.test(command) && !UNSEEN.test(command);
}

export interface Command {
  readonly label: string;
  readonly command: string;
}

/** Commands for a span, besides the command of its advice: to retry, stop, thaw or release, or to show its run. */
export function commandsOf(bar: Bar): readonly Command[] {
  const advised = nextStepOf(bar.next).command;
  return [...rolloutCommands(bar), ...freezeCommands(bar), ...showCommands(bar)]
    .flatMap(([label, words]) => {
      const command = commandLine(words);
      return command === null ? [] : [{ label, command }];
    })
    .filter(({ command }) => command !== advised);
}

type Words = readonly [label: string, words: readonly string[]];

function rolloutCommands(bar: Bar): Words[] {
  if (!isWholeRun(bar) || bar.lifecycle !== 'rollout') return [];
  const [namespace = '', deployment = ''] = bar.lane.split('/');
  const target = ['-n', namespace, deployment];
  if (bar.endMs === null) return [['Abort', ['lifehook', 'rollout', 'abort', ...target]]];
  if (bar.outcome === 'Succeeded') return [];
  return [['Retry', ['lifehook', 'rollout', 'retry', ...target]]];
}

const HOOK = /^ExecutionHook ([^/]+)\/(.+)$/;

/** The commands for a freeze window. Only a thaw that failed can be marked as done by hand. */
function freezeCommands({ kind, endMs, where = '', evidence }: Bar): Words[] {
  const [, namespace = '', hook = ''] = HOOK.exec(where) ?? [];
  if (kind !== 'frozen' || endMs !== null || hook === '') return [];
  const target = ['-n', namespace, hook];
  const thaw: Words = ['Thaw', ['lifehook', 'snapshot', 'thaw', ...target]];
  if (evidence?.['thaw'] === undefined) return [thaw];
  return [thaw, ['Release', ['lifehook', 'snapshot', 'release', ...target, '--by', 'YOU']]];
}

function showCommands({ lifecycle, lane, run }: Bar): Words[] {
  const [namespace = ''] = lane.split('/');
  const isNamespaced = lifecycle !== 'pipeline' && lifecycle !== 'container';
  const where = isNamespaced ? ['-n', namespace] : [];
  // Every Deployment numbers its own rollouts.
  const which = lifecycle === 'rollout' ? `${lane} ${run}` : run;
  const words = ['lifehook', 'runs', 'show', '--lifecycle', lifecycle, ...where, which];
  return [['Show the run', words]];
}

/** The words as one command; null: a word is ambiguous, or is not safe to paste. */
function commandLine(words: readonly string[]): string | null {
  const known = /^(-n|--by|--lifecycle)$/;
  if (words.some((word) => word === '' || (word.startsWith('-') && !known.test(word)))) return null;
  const command = shellWords(words);
  return isSafe(command) ? command : null;
}
