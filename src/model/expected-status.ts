/**
 * The HTTP status codes that count as success: "2xx", "204", "200-299", or several of them separated by commas
 * ("200,204,3xx"). Or "any": every response is a success.
 */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

const rangesMax = 16;
const statusMin = 100;
const statusMax = 599;

/** The ranges of the text; null: it has none of these forms. */
export function parseExpectedStatus(text: string): readonly StatusRange[] | null {
  if (text === 'any') return [{ from: statusMin, to: statusMax }];
  const parts = text.split(',');
  if (parts.length > rangesMax) return null;
  const ranges = parts.map((part) => parsePart(part.trim()));
  const good = ranges.filter((range) => range !== null);
  return good.length === ranges.length ? good : null;
}

export function isExpected(status: number, ranges: readonly StatusRange[]): boolean {
  return ranges.some(({ from, to }) => status >= from && status <= to);
}

function parsePart(part: string): StatusRange | null {
  const hundred = /^([1-5])xx$/i.exec(part)?.[1];
  if (hundred !== undefined) return { from: Number(hundred) * 100, to: Number(hundred) * 100 + 99 };
  const bounds = /^(\d{3})(?:-(\d{3}))?$/.exec(part);
  if (bounds === null) return null;
  const from = Number(bounds[1]);
  const to = Number(bounds[2] ?? bounds[1]);
  return from >= statusMin && from <= to && to <= statusMax ? { from, to } : null;
}
