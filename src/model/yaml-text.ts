/**
 * The only writer of YAML. Readers of YAML 1.1 (kubectl, Helm) do not parse an unquoted yes, 0644 or 12:30 as a string.
 * Such texts are quoted, so that every reader gets the string. No line is folded, and aliases are never written, so
 * that a diff shows the change.
 */
import type * as Yaml from 'yaml';
import { Document, visit } from 'yaml';

export interface YamlStyle {
  /** Whether to use single quotes, as the files of this repository do. */
  readonly singleQuote?: boolean;
  /** 'literal': multi-line texts keep their lines. */
  readonly blockQuote?: 'literal';
}

/** Control characters, byte order marks, U+FFFE, U+FFFF, and characters that only YAML 1.1 reads as line ends. */
const NEEDS_ESCAPE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

const BEGINS_WITH_TAB = /^[ \n]*\t/;

export function yamlText(value: unknown, style: YamlStyle = {}): string {
  const document = new Document(value, {
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar: (_, scalar) => {
      const { value: text } = scalar;
      if (typeof text !== 'string') return;
      if (text.search(NEEDS_ESCAPE) !== -1 || BEGINS_WITH_TAB.test(text))
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  // At this point, only double-quoted strings contain these characters.
  return document.toString({ ...style, lineWidth: 0 }).replace(NEEDS_ESCAPE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Several documents, as `kubectl apply` reads them. */
export function yamlDocuments(values: readonly unknown[], style: YamlStyle = {}): string {
  return values.map((value) => yamlText(value, style)).join('---\n');
}

/** The package `yaml`, loaded when the first text needs it. Most starts of the program never need it. */
export async function loadYaml(): Promise<Omit<typeof Yaml, 'default'>> {
  // The default export has everything, since it is a CommonJS package. In a bundle only the default export has it.
  return (await import('yaml')).default;
}
