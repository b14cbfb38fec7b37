/**
 * Limits the nesting of every YAML text that we read, while it is parsed. The parser recurses, and a text that exhausts
 * the stack inside a regular expression crashes the process. Pure.
 */
import type * as Yaml from 'yaml';

/** Maximum nesting of maps and lists. */
export const YAML_DEPTH_MAX = 200;

/** Two more, since the stack of the parser also contains the document and a scalar. */
const STACK_MAX = YAML_DEPTH_MAX + 2;

export class YamlTooDeep extends Error {
  /** Offset at which the text exceeds the limit. */
  readonly offset: number;

  constructor(text: string, offset: number) {
    const before = text.slice(0, offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    super(
      `maps and lists are nested in each other more than ${YAML_DEPTH_MAX} levels deep at ${place}`,
    );
    this.offset = offset;
  }
}

type YamlLibrary = Pick<typeof Yaml, 'Lexer' | 'Parser'>;

/**
 * The tokens of a text for a composer; throws YamlTooDeep. `yaml` is the library, which some callers load on demand.
 * `onNewLine` is the callback of its parser.
 */
export function* boundedTokens(
  yaml: YamlLibrary,
  text: string,
  onNewLine?: (offset: number) => void,
): Generator<Yaml.CST.Token, void> {
  const parser = new yaml.Parser(onNewLine);
  onNewLine?.(0);
  // Number of indicators, anchors and tags in a row: the lexer recurses for each of them.
  let indicators = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    const { offset } = parser;
    yield* parser.next(lexeme);
    if (/^[-?:&!]/.test(lexeme)) indicators += 1;
    else if (lexeme.trim() !== '' || lexeme.includes('\n')) indicators = 0;
    if (parser.stack.length > STACK_MAX || indicators > YAML_DEPTH_MAX) {
      throw new YamlTooDeep(text, offset);
    }
  }
  yield* parser.end();
}

/** Throws YamlTooDeep for a text that exceeds the limit. */
export function refuseDeepYaml(...source: Parameters<typeof boundedTokens>): void {
  const tokens = boundedTokens(...source);
  while (tokens.next().done !== true);
}
