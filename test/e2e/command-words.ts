/** Compares the commands in a document with the command line, including commands that the tests cannot run. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';

/** The words that may follow each command, by command path: "" is the program itself, "oci run" one of its commands. */
export type CommandWords = ReadonlyMap<string, readonly string[]>;

export function commandWords(program: string): CommandWords {
  const script = execFileSync(process.execPath, [program, 'completion', 'bash'], {
    encoding: 'utf8',
  });
  const places = script.matchAll(/^ +'([^']*)'\) list='([^']*)'/gm);
  return new Map([...places].map(([, path = '', words = '']) => [path, words.split(' ')]));
}

/**
 * The commands in a document: `lifehook …` within backticks, and lines of code blocks. The tests do not run all of
 * them.
 */
export function commandsIn(markdown: string): readonly string[] {
  const inline = markdown.matchAll(/`lifehook ([^`]+)`/g);
  const blocks = [...markdown.matchAll(/^```(?:console|sh)\n(.*?)^```$/gms)].map(
    ([, text = '']) => text,
  );
  const lines = blocks.flatMap((text) => [...text.matchAll(/^(?:\$ )?lifehook (.+)$/gm)]);
  return [...inline, ...lines].map(
    ([, words = '']) => words.replaceAll(/\$\([^)]*\)/g, '').split(/\s+(?:#|\\?\|)\s/)[0] ?? '',
  );
}

/** The first word that is neither a command nor an option; null if there is none. */
export function unknownWord(reported: string, known: CommandWords): string | null {
  let place = '';
  for (const word of reported.split(/\s+/).filter((one) => one !== '')) {
    const words = known.get(place) ?? [];
    if (word.startsWith('--')) {
      const option = word.replace(/=.*/, '');
      if (!words.includes(option)) return option;
    } else if (words.includes(word)) {
      place = `${place} ${word}`.trim();
    } else if (!word.startsWith('-') && words.some((one) => !one.startsWith('-'))) {
      return word;
    }
  }
  return null;
}
