/**
 * Merges renderings of the same objects, with an option on and off, into one Helm template: lines that differ are put
 * into `{{- if }}`. Pure. For every choice of the options the template renders the text of that choice.
 */
import { diffArrays } from 'diff';

export interface Condition<Option extends string> {
  readonly option: Option;
  /** Go template expression that is true if the option is on. */
  readonly when: string;
}

export type Choice<Option extends string> = Readonly<Record<Option, boolean>>;

export function mergeRenderings<Option extends string>(
  conditions: readonly Condition<Option>[],
  render: (choice: Choice<Option>) => string,
): string {
  const units = merge(conditions, {} as Choice<Option>, render);
  return units.map((unit) => `${unit}\n`).join('');
}

/** Merges lines; a conditional block is one unit, so that no other block overlaps it. */
function merge<Option extends string>(
  [first, ...rest]: readonly Condition<Option>[],
  chosen: Choice<Option>,
  render: (choice: Choice<Option>) => string,
): string[] {
  if (first === undefined) {
    const text = render(chosen).trimEnd();
    return text === '' ? [] : text.split('\n');
  }
  const withOption = (on: boolean): string[] =>
    merge(rest, { ...chosen, [first.option]: on }, render);
  return unitsOf(first.when, withOption(true), withOption(false));
}

function unitsOf(when: string, on: readonly string[], off: readonly string[]): string[] {
  const units: string[] = [];
  let onlyOn: string[] = [];
  let onlyOff: string[] = [];
  const close = (): void => {
    if (onlyOn.length + onlyOff.length > 0) units.push(blockOf(when, onlyOn, onlyOff));
    onlyOn = [];
    onlyOff = [];
  };
  for (const { added, removed, value } of diffArrays([...off], [...on])) {
    if (added) onlyOn = value;
    else if (removed) onlyOff = value;
    else {
      close();
      units.push(...value);
    }
  }
  close();
  return units;
}

function blockOf(when: string, on: readonly string[], off: readonly string[]): string {
  const end = '{{- end }}';
  if (on.length === 0) return [`{{- if not (${when}) }}`, ...off, end].join('\n');
  if (off.length === 0) return [`{{- if ${when} }}`, ...on, end].join('\n');
  return [`{{- if ${when} }}`, ...on, '{{- else }}', ...off, end].join('\n');
}
