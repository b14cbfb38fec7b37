/** Formats times by Go's layouts, which show how a reference time would look: "2006-01-02_15-04-05.999_MST". */

export interface TimeFacts {
  /** Wall clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** "Local", or a name such as "Europe/Berlin". */
  readonly timezone: string;
}

/**
 * null: the time zone is unknown. Worked example: 0 ms in UTC as "2006-01-02_15-04-05.000" gives
 * 1970-01-01_00-00-00.000.
 */
export function formatGoTime(layout: string, { atMs, timezone }: TimeFacts): string | null {
  const zone = timezone === 'Local' ? {} : { timeZone: timezone };
  if (!isZone(zone)) return null;
  const parts = partsOf(atMs, zone);
  return layout.replaceAll(TOKEN, (token) => valueOf(token, parts, { atMs, zone }));
}

type Zone = { readonly timeZone?: string };

/**
 * Longer tokens come first, since the first alternative that matches wins. In "_2006" the "_" is plain text, as in Go.
 */
const TOKEN =
  /2006|January|Jan|Monday|Mon|MST|Z07:00|Z0700|Z07|-07:00|-0700|-07|[.,](?:0+|9+)(?!\d)|01|02|_2(?!006)|03|04|05|06|15|PM|pm|1|2|3|4|5/g;

function isZone(zone: Zone): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', zone).format(0) !== '';
  } catch {
    return false;
  }
}

type Parts = Readonly<Record<string, string>>;

function partsOf(atMs: number, zone: Zone): Parts {
  const format = new Intl.DateTimeFormat('en-US', {
    ...zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
  });
  return Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
}

interface Moment {
  readonly atMs: number;
  readonly zone: Zone;
}

function valueOf(token: string, parts: Parts, moment: Moment): string {
  const part = (name: string): string => parts[name] ?? '';
  const hours = Number(part('hour'));
  const twelve = String(hours % 12 === 0 ? 12 : hours % 12);
  const half = hours < 12 ? 'am' : 'pm';
  const values: Readonly<Record<string, string>> = {
    '2006': part('year'),
    '06': part('year').slice(-2),
    '01': part('month'),
    '1': String(Number(part('month'))),
    '02': part('day'),
    '2': String(Number(part('day'))),
    _2: String(Number(part('day'))).padStart(2, ' '),
    '15': part('hour'),
    '03': twelve.padStart(2, '0'),
    '3': twelve,
    '04': part('minute'),
    '4': String(Number(part('minute'))),
    '05': part('second'),
    '5': String(Number(part('second'))),
    PM: half.toUpperCase(),
    pm: half,
    Monday: part('weekday'),
    Mon: part('weekday').slice(0, 3),
  };
  return values[token] ?? (/^[.,]/.test(token) ? fraction(token, moment) : named(token, moment));
}

/**
 * The fraction of the second, as the token formats it. A token of nines, unlike one of zeros, omits the zeros at the
 * end. If no digit is left, it omits the decimal point too.
 */
function fraction(token: string, { atMs }: Moment): string {
  const digits = String(((atMs % 1000) + 1000) % 1000).padStart(3, '0');
  const wanted = digits.padEnd(9, '0').slice(0, token.length - 1);
  if (token[1] === '0') return `${token[0]}${wanted}`;
  const short = wanted.replace(/0+$/, '');
  return short === '' ? '' : `${token[0]}${short}`;
}

function named(token: string, { atMs, zone }: Moment): string {
  const one = (locale: string, options: Intl.DateTimeFormatOptions, type: string): string =>
    new Intl.DateTimeFormat(locale, { ...zone, ...options })
      .formatToParts(atMs)
      .find((part) => part.type === type)?.value ?? '';
  if (token === 'January') return one('en-US', { month: 'long' }, 'month');
  if (token === 'Jan') return one('en-US', { month: 'short' }, 'month');
  const offset = one('en-US', { timeZoneName: 'longOffset' }, 'timeZoneName').slice(3) || '+00:00';
  if (token === 'MST') {
    // The known short names depend on the locale. A zone without a short name is shown by its offset, as in Go.
    const short = ['en-US', 'en-GB', 'en-AU'].map((locale) =>
      one(locale, { timeZoneName: 'short' }, 'timeZoneName'),
    );
    return short.find((name) => !/^GMT[+-]/.test(name)) ?? offset.replace(/:00$|:/, '');
  }
  if (token.startsWith('Z') && offset === '+00:00') return 'Z';
  if (token.endsWith('07:00')) return offset;
  return token.endsWith('0700') ? offset.replace(':', '') : offset.slice(0, 3);
}
