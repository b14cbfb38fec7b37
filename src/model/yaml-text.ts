/**
 * The only writer of YAML. Readers of YAML 1.1 (kubectl, Helm) take an unquoted yes, 0644 or 12:30 for something other
 * than a text; such texts are quoted, so that every reader gets the text. No line is folded, and no value is an alias
 * of another: a diff shows what changed.
 */
import { stringify } from 'yaml';

export interface YamlStyle {
  /** Quotes are single, as in the files of this repository. */
  readonly singleQuote?: boolean;
  /** Texts of several lines keep their lines. */
  readonly blockQuote?: 'literal';
}

export function yamlText(value: unknown, style: YamlStyle = {}): string {
  return stringify(value, {
    ...style,
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

/** Several documents, as `kubectl apply` reads them. */
export function yamlDocuments(values: readonly unknown[], style: YamlStyle = {}): string {
  return values.map((value) => yamlText(value, style)).join('---\n');
}
