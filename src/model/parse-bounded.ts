/**
 * Parses YAML texts into documents of the package `yaml`, with positions in the file. A text that is nested too deeply
 * has no documents. Pure.
 */
import * as yaml from 'yaml';

import type { Position } from './problem.ts';
import { boundedTokens, YamlTooDeep } from './yaml-nesting.ts';

export interface BoundedText {
  readonly file: string;
  readonly text: string;
  /** Index of the first line of the text in the file, from 0; default: 0. */
  readonly line?: number;
}

export interface BoundedParse {
  readonly documents: readonly yaml.Document.Parsed[];
  readonly at: (offset: number) => Position;
  /** Position at which the text is nested too deeply; null: it is not. */
  readonly tooDeepAt: Position | null;
}

export type BoundedOptions = yaml.DocumentOptions & yaml.SchemaOptions;

export function parseBounded(
  { file, text, line: first = 0 }: BoundedText,
  options: BoundedOptions,
): BoundedParse {
  const lines = new yaml.LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: first + Math.max(line, 1), column: Math.max(col, 1) };
  };
  const tokens = boundedTokens(yaml, text, lines.addNewLine);
  try {
    const documents = Array.from(new yaml.Composer(options).compose(tokens));
    return { documents, at, tooDeepAt: null };
  } catch (error) {
    if (error instanceof YamlTooDeep) return { documents: [], at, tooDeepAt: at(error.offset) };
    throw error;
  }
}

/** The parser's message for an error, with its position in the file. */
export function parserMessage(
  { message }: yaml.YAMLParseError,
  { line, column }: Position,
): string {
  return `${message} at line ${line}, column ${column}`;
}
