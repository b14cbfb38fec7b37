/** Examples: 1 → "1 error", 2 → "2 errors". */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
