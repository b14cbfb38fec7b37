/** A token of 128 random bits in hexadecimal digits, which no other process can guess. */
export function makeToken(random: () => number): string {
  const digit = (): string => Math.floor(random() * 16).toString(16);
  return Array.from({ length: 32 }, digit).join('');
}
