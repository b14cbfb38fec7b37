/**
 * Kubernetes quantities ("500m", "1Gi", "12e6") as exact numbers, and their canonical form in the server. As in
 * Kubernetes, digits below 10^-9 are rounded up. A text that is longer than any useful number is not a quantity.
 */
type Format = 'binary' | 'decimal' | 'exponent';

export interface Quantity {
  /** The value times 10^9, exact. */
  readonly nanos: bigint;
  readonly format: Format;
}

const NANO = 1_000_000_000n;
const QUANTITY_CHARS_MAX = 64;
const FORM = /^([+-]?)(\d*(?:\.\d*)?)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d{1,3})?$/;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** Decimal suffixes. Each stands for 1000 times the one before; the first is 10^-9. */
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const EXPONENT_MAX = 18;

export function parseQuantity(text: string): Quantity | undefined {
  const found = text.length > QUANTITY_CHARS_MAX ? null : FORM.exec(text);
  if (found === null) return undefined;
  const [, sign, digits = '', suffix = ''] = found;
  const [whole = '', fraction = ''] = digits.split('.');
  const unit = unitOf(suffix);
  if (whole + fraction === '' || unit === undefined) return undefined;
  const nanos = roundUp(
    BigInt(whole + fraction) * NANO * unit.times,
    unit.over * 10n ** BigInt(fraction.length),
  );
  return { nanos: sign === '-' ? -nanos : nanos, format: unit.format };
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** Formats a quantity with the largest unit that leaves no fraction: 1024Mi is 1Gi, 0.5 is 500m, 1000 is 1k. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  if (format === 'binary' && nanos % NANO === 0n && abs(nanos) >= 1024n * NANO) {
    return formatBinary(nanos / NANO);
  }
  return formatDecimal(nanos, format);
}

/** The canonical form of a quantity. An invalid text stays unchanged, and validation refuses it later. */
export function canonicalQuantity(text: string): string {
  const parsed = parseQuantity(text);
  return parsed === undefined ? text : formatQuantity(parsed);
}

interface Unit {
  readonly times: bigint;
  readonly over: bigint;
  readonly format: Format;
}

function unitOf(suffix: string): Unit | undefined {
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return { times: 1024n ** BigInt(binary), over: 1n, format: 'binary' };
  const decimal = DECIMAL.indexOf(suffix);
  if (decimal >= 0) return tenTo(decimal * 3 - 9, 'decimal');
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > EXPONENT_MAX ? undefined : tenTo(exponent, 'exponent');
}

function tenTo(power: number, format: Format): Unit {
  const factor = 10n ** BigInt(Math.abs(power));
  return power < 0 ? { times: 1n, over: factor, format } : { times: factor, over: 1n, format };
}

function roundUp(value: bigint, over: bigint): bigint {
  return (value + over - 1n) / over;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function formatBinary(value: bigint): string {
  let left = value;
  let power = 0;
  while (left % 1024n === 0n && power < BINARY.length - 1) {
    left /= 1024n;
    power += 1;
  }
  return `${left}${BINARY[power] ?? ''}`;
}

function formatDecimal(nanos: bigint, format: Format): string {
  let left = nanos;
  let power = 0;
  while (left % 1000n === 0n && power < DECIMAL.length - 1) {
    left /= 1000n;
    power += 1;
  }
  if (format !== 'exponent') return `${left}${DECIMAL[power] ?? ''}`;
  return power === 3 ? `${left}` : `${left}e${power * 3 - 9}`;
}
