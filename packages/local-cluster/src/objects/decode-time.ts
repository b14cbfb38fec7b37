/**
 * Reads times as the server does: RFC 3339, errors in Go's text, stored in UTC with whole seconds (microTime: with six
 * decimals).
 */
export type ReadTime = { readonly text: string } | { readonly error: string };

const LAYOUTS = {
  time: '2006-01-02T15:04:05Z07:00',
  microTime: '2006-01-02T15:04:05.000000Z07:00',
} as const;

/** The parts in order: Go's name, the pattern, and the largest value. */
const PARTS: readonly (readonly [string, RegExp, string?, number?])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, 'month', 12],
  ['-', /^-/],
  ['02', /^\d\d/, 'day', 31],
  ['T', /^T/],
  ['15', /^\d\d/, 'hour', 23],
  [':', /^:/],
  ['04', /^\d\d/, 'minute', 59],
  [':', /^:/],
  ['05', /^\d\d(\.\d+)?/, 'second', 59.999_999_999_9],
  ['Z07:00', /^(Z|[+-]\d\d:\d\d)/],
];

export function readTime(text: string, form: keyof typeof LAYOUTS): ReadTime {
  const fault = timeFault(text, LAYOUTS[form]);
  if (fault !== undefined) return { error: fault };
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = new Date(text.replace(/\.\d+/, '')).toISOString().slice(0, 19);
  return {
    text: form === 'time' ? `${seconds}Z` : `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`,
  };
}

function timeFault(text: string, layout: string): string | undefined {
  const quoted = JSON.stringify(text);
  let rest = text;
  for (const [word, form, name, max = 0] of PARTS) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      return `parsing time ${quoted} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${word}"`;
    }
    if (name !== undefined && outOfRange(name, Number(found), max)) {
      return `parsing time ${quoted}: ${name} out of range`;
    }
    rest = rest.slice(found.length);
  }
  if (rest !== '') return `parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`;
  return dayExists(text) ? undefined : `parsing time ${quoted}: day out of range`;
}

function outOfRange(name: string, value: number, max: number): boolean {
  return value > max || (value < 1 && (name === 'month' || name === 'day'));
}

/** False for dates such as 31 April. */
function dayExists(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}
