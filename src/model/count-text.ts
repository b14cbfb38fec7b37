/** A count with its noun: 1 gives "1 error", 2 gives "2 errors". */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
