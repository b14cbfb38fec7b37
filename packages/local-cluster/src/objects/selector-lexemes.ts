/** The words and signs of a selector's text. */
export interface Lexeme {
  /** `name`: a word that is also an operator ("in"), and so cannot be a key. */
  readonly kind: 'word' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const LEXEME = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/gy;
const OPERATOR_WORDS = ['in', 'notin'];

export function readLexemes(text: string): readonly Lexeme[] {
  return [...text.matchAll(LEXEME)].map(([, found = '']) => ({ kind: kindOf(found), text: found }));
}

function kindOf(text: string): Lexeme['kind'] {
  if (/^[=!<>(),]/.test(text)) return 'sign';
  return OPERATOR_WORDS.includes(text) ? 'name' : 'word';
}
